import { describe, expect, it } from 'vitest';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import type { Facets } from '../../src/wire/index.ts';

describe('the counts of the values that filters can have', () => {
  const open = openForTests();

  const filled = async (): Promise<KnowledgeBase> => {
    const kb = await open();
    const add = (path: string, text: string, date: string, tags: readonly string[] = []) =>
      kb.add(path, text, { metadata: { tags, updatedAt: new Date(date) } });
    await add('a.md', '# Boats\n\nA boat has a keel.\n\n## More\n\nEvery boat.\n', '2023-04-01T10:00:00Z', [
      'sea',
      'wood',
    ]);
    await add('b.md', '# Keels\n\nThe keel of a boat is long.\n', '2024-06-01T10:00:00Z', ['sea']);
    await add('c.txt', 'No boat sails without wind.\n', '2024-07-01T10:00:00Z');
    await add('d.py', 'def boat():\n    return "keel"\n', '2024-08-01T10:00:00Z');
    await add('e.rs', 'fn boat() {}\n', '2022-08-01T10:00:00Z');
    await add('f.md', '# Wind\n\nWind fills sails.\n', '2024-01-02T10:00:00Z', ['air']);
    return kb;
  };
  const facetsOf = async (kb: KnowledgeBase, text: string): Promise<Facets> => {
    const { facets } = await kb.search.search({ text }, { facets: true });
    if (facets === undefined) throw new Error('no facets');
    return facets;
  };
  const valuesOf = ({ fields }: Facets, field: string): unknown =>
    fields.find((one) => one.field === field)?.values.map(({ value, count }) => `${value} ${count}`);

  it('are of documents, not of passages, most common first', async () => {
    const facets = await facetsOf(await filled(), 'boat');
    expect(facets).toMatchObject({ documents: 5, complete: true });
    expect(valuesOf(facets, 'tag')).toEqual(['sea 2', 'wood 1']);
    expect(valuesOf(facets, 'year')).toEqual(['2024 3', '2022 1', '2023 1']);
    expect(valuesOf(facets, 'source')).toEqual(['default 5']);
  });

  it.each(['boat', 'boat keel', 'wind', 'title:boats', 'since:2024', 'sails type:md', 'boat -keel'])(
    'are what each value leaves of %j as an operator',
    async (text) => {
      const kb = await filled();
      for (const { field, values } of (await facetsOf(kb, text)).fields)
        for (const { value, count } of values) {
          const operators = field === 'year' ? `since:${value} until:${value}` : `${field}:${value}`;
          const { documents } = await facetsOf(kb, `${text} ${operators}`);
          expect([operators, documents]).toEqual([operators, count]);
        }
    },
  );

  it('are there on request only, and are empty where nothing is found', async () => {
    const kb = await filled();
    expect((await kb.search.search({ text: 'boat' })).facets).toBeUndefined();
    expect(await facetsOf(kb, 'zeppelin')).toEqual({ documents: 0, complete: true, fields: [] });
  });

  it('say when there are more documents than were counted', async () => {
    const kb = await open();
    for (let at = 0; at < 1002; at++) await kb.add(`n/${at}.md`, `boat ${at}\n`);
    const facets = await facetsOf(kb, 'boat');
    expect(facets.complete).toBe(false);
    expect(facets.documents).toBe(1000);
  });
});
