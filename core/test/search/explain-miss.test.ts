import { describe, expect, it } from 'vitest';
import type { SearchQuery } from '../../src/requests/search.ts';
import { SearchResponseSchema } from '../../src/wire/search.ts';
import type { Expectation } from '../../src/wire/index.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

async function expected(
  kb: KnowledgeBase,
  target: string,
  query: Partial<SearchQuery> = {},
): Promise<Expectation | undefined> {
  const asked = { text: 'salt', mode: 'lexical', ...query } as const;
  return SearchResponseSchema.parse(await kb.search.search(asked, { expect: target })).expect;
}

describe('explainMiss', () => {
  const open = openForTests();
  const withNotes = async (): Promise<KnowledgeBase> => {
    const kb = await open();
    for (let at = 0; at < 5; at++)
      await kb.add(`notes/${at}.md`, `${'salt '.repeat(5 - at)}number ${at}\n\nwater ${at}\n`);
    return kb;
  };

  it('returns nothing unless requested', async () => {
    const kb = await withNotes();
    expect(await kb.search.search({ text: 'salt' })).not.toHaveProperty('expect');
  });

  it('reports the rank of a place that is on the page', async () => {
    expect(await expected(await withNotes(), 'notes/0.md#L1')).toMatchObject({
      outcome: 'on_page',
      reason: 'it is hit 1',
      hint: null,
      rank: 1,
      lexical_rank: 1,
      vector_rank: null,
      has_vector: null,
      filters: [],
    });
  });

  it('accepts an absolute path, as an editor provides it', async () => {
    const kb = await withNotes();
    for (const target of [`${kb.root}/notes/0.md#L1`, `${kb.root}/notes/0.md`])
      expect(await expected(kb, target)).toMatchObject({ target, outcome: 'on_page', rank: 1 });
    expect(await expected(kb, `${kb.root}/notes/9.md`)).toMatchObject({
      outcome: 'not_indexed',
      reason: 'no document has the path notes/9.md',
    });
    await expect(expected(kb, '/elsewhere/0.md')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('lies in no folder that kebab reads') as string,
    });
  });

  it('reports the rank of a place beyond the page, and how to see it', async () => {
    expect(await expected(await withNotes(), 'notes/3.md', { k: 2 })).toMatchObject({
      outcome: 'other_page',
      rank: 4,
      lexical_rank: 4,
      hint: 'ask for 4 hits, or follow the cursor',
    });
  });

  it('reports that no word of the query is in it', async () => {
    expect(await expected(await withNotes(), 'notes/0.md#L3')).toMatchObject({
      outcome: 'no_match',
      rank: null,
      lexical_rank: null,
      reason: 'no word of the query is in it',
    });
  });

  it('names the filters that exclude it', async () => {
    const kb = await withNotes();
    const filters = { pathGlob: ['notes/1.md'], media: ['markdown', 'text'] } as const;
    expect(await expected(kb, 'notes/0.md', { filters })).toMatchObject({
      outcome: 'excluded_by_filter',
      filters: ['path_glob'],
      reason: 'it is indexed, but left out by path_glob',
    });
  });

  it('names the query when its fields exclude it, and the requirement of its operators', async () => {
    const kb = await withNotes();
    expect(await expected(kb, 'notes/0.md', { text: 'path:notes/1.md salt' })).toMatchObject({
      outcome: 'excluded_by_filter',
      filters: ['query'],
    });
    expect(await expected(kb, 'notes/1.md', { text: 'salt NEAR/1 pepper' })).toMatchObject({
      outcome: 'not_admitted',
      reason: 'it does not hold "salt NEAR/1 pepper"',
    });
  });

  it('reports that a phrase is missing, or an excluded word is present', async () => {
    const kb = await withNotes();
    expect(await expected(kb, 'notes/1.md', { text: '"number 0" salt' })).toMatchObject({
      outcome: 'not_admitted',
      reason: 'it does not hold "number 0"',
    });
    expect(await expected(kb, 'notes/1.md#L1', { text: 'salt -number' })).toMatchObject({
      reason: 'it holds "number", which the query excludes',
    });
  });

  it('reports that nothing is indexed under the path, with a suggestion', async () => {
    const kb = await withNotes();
    expect(await expected(kb, 'papers/0.md')).toMatchObject({
      outcome: 'not_indexed',
      chunk_id: null,
      hint: 'did you mean notes/0.md?',
    });
    expect(await expected(kb, 'papers/unknown.md')).toMatchObject({ hint: expect.stringContaining('kebab ingest') });
  });

  it('reports that the document has no such place', async () => {
    expect(await expected(await withNotes(), 'notes/0.md#L99')).toMatchObject({ outcome: 'no_such_place' });
  });

  it('reports that it nearly equals a better hit', async () => {
    const kb = await open();
    const text = `salt ${Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')}\n`;
    await kb.add('a.md', text);
    await kb.add('b.md', `the ${text}`);
    await kb.add('c.md', 'the salt\n');
    expect(await expected(kb, 'b.md', { k: 2 })).toMatchObject({
      outcome: 'set_back',
      rank: 3,
      reason: expect.stringMatching(/^it nearly equals hit [12], and so stands behind all others as hit 3$/),
    });
  });

  it('rejects a target that is not a citation URI', async () => {
    await expect(expected(await withNotes(), 'notes/0.md#nowhere')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('counts the explanation of a miss towards the token budget', async () => {
    const kb = await withNotes();
    const { search } = kb;
    const response = await search.search({ text: 'salt' }, { expect: 'notes/0.md', maxTokens: 900 });
    expect(JSON.stringify(response).length / 4).toBeLessThanOrEqual(900);
  });
});
