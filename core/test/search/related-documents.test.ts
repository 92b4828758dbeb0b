import { describe, expect, it } from 'vitest';
import type { CitedQuery } from '../../src/domain/query.ts';
import { relatedDocuments } from '../../src/search/related-documents.ts';
import { RelatedSchema } from '../../src/wire/inspect.ts';
import { itemAt } from '../kb/item-at.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const PLAIN =
  'The keel was scraped in spring, painted twice with red lead, and dried under the oak for nine warm days.\n';

describe('relatedDocuments', () => {
  const open = openForTests();

  async function related(kb: KnowledgeBase, query: CitedQuery | string, limit?: number) {
    const cited = typeof query === 'string' ? ({ kind: 'uri', uri: query } as const) : query;
    const { search } = kb.search;
    const answer = await relatedDocuments({ ...kb.ports, search }, cited, { limit });
    return RelatedSchema.parse(answer);
  }

  async function openBoats(): Promise<KnowledgeBase> {
    const kb = await open();
    await kb.add('boats/keel.md', '# Keel\n\nSee [[Mast Step]], [oars](oars.md#care-of-blades) and [[Lost Note]].\n');
    await kb.add('boats/mast.md', '# Mast step\n\nThe keel carries it: [keel](keel.md).\n', { title: 'Mast step' });
    await kb.add('boats/oars.md', '# Oars\n\nash\n\n# Care of blades\n\nvarnish\n');
    await kb.add('log/2026-01.md', 'Today the [[keel]] was wet.\n\nAgain [[keel]].\n');
    await kb.add('log/2026-02.md', 'The word keel alone is no link, nor is `[[keel]]` in code.\n');
    return kb;
  }

  it('resolves links by path, title and heading, and reports those that lead nowhere', async () => {
    const kb = await openBoats();
    const { links_out: out, unresolved } = await related(kb, 'boats/keel.md');
    expect(out.map(({ uri, line }) => [uri, line])).toEqual([
      ['boats/mast.md', 3],
      ['boats/oars.md#L5~ba18d186', 3],
    ]);
    expect(unresolved).toEqual([{ target: 'Lost Note', line: 3 }]);
  });

  it('lists each document that links here once, with the line of its first link', async () => {
    const kb = await openBoats();
    const { links_in: into, counts } = await related(kb, 'boats/keel.md');
    expect(into.map(({ uri }) => uri).toSorted()).toEqual(['boats/mast.md#L3~3589ec94', 'log/2026-01.md#L1~1253aa3c']);
    expect(counts.links_in).toBe(2);
  });

  it('names the source of a place', async () => {
    const kb = await open();
    await kb.add('keel.md', '# Keel\n\noak\n', { sourceId: 'work' });
    await kb.add('log.md', 'See [[keel#Keel]].\n', { sourceId: 'work' });
    const uri = (link: { readonly uri: string } | undefined) => link?.uri.replace(/~[0-9a-f]{8}$/, '~');
    expect(uri((await related(kb, 'work:log.md')).links_out[0])).toBe('work:keel.md#L1~');
    expect(uri((await related(kb, 'work:keel.md')).links_in[0])).toBe('work:log.md#L1~');
  });

  it('cuts its lists at the limit and counts all', async () => {
    const kb = await openBoats();
    const { links_in: into, counts } = await related(kb, 'boats/keel.md', 1);
    expect([into.length, counts.links_in]).toEqual([1, 2]);
  });

  it.each([
    ['another folder by its file name', 'x/note.md', 'deep/er/target.md', '[[target]]'],
    ['a name in other capitals', 'x/note.md', 'deep/Target.md', '[[TARGET]]'],
    ['a path with an encoded space', 'x/note.md', 'x/big target.md', '[t](big%20target.md)'],
    ['a path from the root of the source', 'x/y/note.md', 'z/target.md', '[t](/z/target.md)'],
    ['a path without ending', 'x/note.md', 'x/target.md', '[t](target)'],
    ['the document of a folder', 'x/note.md', 'x/guide/index.md', '[t](guide/)'],
    ['a page built from it', 'x/note.md', 'x/target.md', '[t](target.html)'],
    ['a page from the root of the pages', 'docs/x/note.rst', 'docs/how-to/target.rst', ':doc:`t </how-to/target>`'],
    ['a Korean name', 'x/note.md', 'x/회의 기록.md', '[[회의 기록]]'],
  ])('finds a link to %s from both of its ends', async (_, from, to, link) => {
    const kb = await open();
    await kb.add(from, `# Note\n\n${link}\n`);
    await kb.add(to, 'some words\n');
    expect((await related(kb, from)).links_out.map(({ uri }) => uri)).toEqual([to]);
    expect((await related(kb, to)).links_in.map(({ uri }) => uri.replace(/~.*/, ''))).toEqual([`${from}#L3`]);
  });

  it('finds a link by an alias from both of its ends', async () => {
    const kb = await open();
    const metadata = { aliases: ['the old lady'] };
    await kb.add('boats/1931.md', 'built of larch\n', { metadata });
    await kb.add('log.md', 'Sailed [[The Old Lady]].\n');
    expect((await related(kb, 'log.md')).links_out.map(({ uri }) => uri)).toEqual(['boats/1931.md']);
    expect((await related(kb, 'boats/1931.md')).links_in.map(({ uri }) => uri.replace(/~.*/, ''))).toEqual([
      'log.md#L1',
    ]);
  });

  it('finds a link by a label from both of its ends', async () => {
    const kb = await open();
    await kb.add('hull.rst', 'Hull\n====\n\n.. _`Dry Dock`:\n\nDock\n----\n\noak\n');
    await kb.add('dock.rst', 'Dock\n====\n\nNot the one.\n');
    await kb.add('log.rst', 'Log\n===\n\nWent to :ref:`the yard <dry dock>` and :ref:`nowhere`.\n');
    const { links_out: out, unresolved } = await related(kb, 'log.rst');
    expect(out.map(({ uri }) => uri)).toEqual(['hull.rst']);
    expect(unresolved).toEqual([{ target: 'nowhere', line: 4 }]);
    expect((await related(kb, 'hull.rst')).links_in.map(({ uri }) => uri.replace(/~.*/, ''))).toEqual(['log.rst#L4']);
  });

  it('prefers the document in the same folder where several have the name', async () => {
    const kb = await open();
    for (const folder of ['a', 'b']) await kb.add(`${folder}/target.md`, 'words\n');
    await kb.add('b/note.md', '[[target]]\n');
    expect((await related(kb, 'b/note.md')).links_out.map(({ uri }) => uri)).toEqual(['b/target.md']);
    expect((await related(kb, 'a/target.md')).links_in).toEqual([]);
  });

  it('lists near copies apart from the nearest', async () => {
    const kb = await open();
    await kb.add('a.md', PLAIN);
    await kb.add('copy/a.md', PLAIN.replace(',', ' '));
    await kb.add('b.md', 'Red lead paint keeps a keel dry in spring.\n');
    await kb.add('c.md', 'Bread rises slowly.\n');
    const { nearest, near_copies: copies } = await related(kb, 'a.md');
    expect(copies.map(({ uri }) => uri)).toEqual(['copy/a.md']);
    expect(nearest[0]?.uri).toContain('b.md');
    expect(nearest.some(({ uri }) => /(?:^|\/)a\.md/.test(uri))).toBe(false);
  });

  it('leaves out passages that share everyday words alone', async () => {
    const kb = await open();
    for (let at = 0; at < 40; at++) await kb.add(`days/${at}.md`, `Day ${at} was long, and the road was dry.\n`);
    await kb.add(
      'hull.md',
      `${PLAIN.trim()} The tiller, the thwart, the rudder and the gunwale followed one long day.\n`,
    );
    await kb.add('mast.md', 'A rudder and a tiller of oak.\n');
    const { nearest } = await related(kb, 'hull.md');
    expect(nearest.map(({ uri }) => uri.split('#')[0])).toEqual(['mast.md']);
  });

  it('takes the words of a passage, not of its document', async () => {
    const kb = await open();
    const { chunks } = await kb.add('a.md', '# Boats\n\nkeel and mast\n\n# Bread\n\nsourdough starter\n');
    await kb.add('baker.md', 'A sourdough starter needs flour.\n');
    await kb.add('yard.md', 'A keel and a mast need oak.\n');
    const bread = chunks.findIndex(({ text }) => text.includes('sourdough'));
    const around = await related(kb, { kind: 'chunk', chunkId: itemAt(chunks, bread).chunkId });
    expect(around.nearest[0]?.uri).toContain('baker.md');
    expect((await related(kb, 'a.md#L3')).nearest[0]?.uri).toContain('yard.md');
  });

  it('answers for a document without words', async () => {
    const kb = await open();
    await kb.add('empty.md', '');
    expect(await related(kb, 'empty.md')).toMatchObject({ links_out: [], links_in: [], near_copies: [] });
  });

  it('rejects a document that does not exist', async () => {
    const kb = await openBoats();
    await expect(related(kb, 'nothing.md')).rejects.toMatchObject({ code: 'doc_not_found' });
  });
});
