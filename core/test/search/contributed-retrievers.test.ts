import { describe, expect, it } from 'vitest';
import { SearchResponseSchema } from '../../src/wire/search.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { FakeRetriever } from './fake-retriever.ts';

describe('a plugin retriever', () => {
  const open = openForTests();
  const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };

  async function openWith(
    grep: FakeRetriever,
    files: Readonly<Record<string, string>>,
    more: Record<string, string> = {},
  ) {
    const kb = await open({ contributions: { retriever: { grep } }, env: { ...env, ...more } });
    const idOf: Record<string, string> = {};
    for (const [path, text] of Object.entries(files)) idOf[path] = (await kb.add(path, text)).chunks[0]?.chunkId ?? '';
    return { kb, idOf: (path: string): string => idOf[path] ?? '' };
  }

  it('is a side of a hybrid search, and its results are reported', async () => {
    const grep = new FakeRetriever();
    const { kb, idOf } = await openWith(grep, { 'both.md': 'salt\n', 'only.md': 'brine\n' });
    grep.ranking = [idOf('only.md'), idOf('both.md')];
    const response = await kb.search.search({ text: 'salt' }, { explain: true });
    expect(SearchResponseSchema.parse(response)).toMatchObject({
      mode: 'hybrid',
      degraded: [{ stage: 'vector', reason: 'provider_none' }],
      hits: [
        {
          doc_path: 'both.md',
          score_kind: 'fused',
          retrieval: { lexical_rank: 1, retrievers: [{ id: 'grep', rank: 2, score: 8 }] },
        },
        {
          doc_path: 'only.md',
          score: 0.333333,
          retrieval: { lexical_rank: null, retrievers: [{ id: 'grep', rank: 1 }] },
        },
      ],
      trace: {
        retrievers: [{ id: 'grep', entries: [{ rank: 1 }, { rank: 2 }] }],
        fusion: { method: 'relevance', weight_lexical: 1, weight_vector: 0, weight_all_words: 1 },
      },
    });
    expect(response.hits.map(({ embedding_model }) => embedding_model)).toEqual([null, null]);
  });

  it('weighs a contributed retriever by search.weight_retrievers', async () => {
    const grep = new FakeRetriever();
    const files = { 'words.md': 'salt\n', 'only.md': 'brine\n' };
    const { kb, idOf } = await openWith(grep, files, { KEBAB_SEARCH_WEIGHT_RETRIEVERS: '3' });
    grep.ranking = [idOf('only.md')];
    const { hits } = await kb.search.search({ text: 'salt' });
    expect(hits).toMatchObject([
      { doc_path: 'only.md', score: 0.6 },
      { doc_path: 'words.md', score: 0.4 },
    ]);
  });

  it('takes no part in a lexical search', async () => {
    const grep = new FakeRetriever();
    const { kb, idOf } = await openWith(grep, { 'a.md': 'salt\n', 'b.md': 'brine\n' });
    grep.ranking = [idOf('b.md')];
    const { hits, mode, degraded } = await kb.search.search({ text: 'salt', mode: 'lexical' });
    expect([hits.map(({ doc_path }) => doc_path), mode, degraded]).toEqual([['a.md'], 'lexical', []]);
  });

  it.each([
    ['no list', 'nothing', 'it returned no list'],
    ['an entry without an id', [{ score: 1, rank: 1 }], 'without a chunk id'],
    ['a score that is not a number', [{ chunkId: 'a', score: Number.NaN, rank: 1 }], 'the score NaN'],
    ['a chunk twice', ['a', 'a'].map((chunkId) => ({ chunkId, score: 1, rank: 1 })), 'twice'],
    [
      'more than requested',
      Array.from({ length: 201 }, (_, n) => ({ chunkId: `${n}`, score: 1, rank: n + 1 })),
      '201 chunks where 200',
    ],
  ])('is left out, and its plugin reported, when it returns %s', async (_, answer, why) => {
    const grep = new FakeRetriever();
    grep.instead = async () => answer;
    const { kb } = await openWith(grep, { 'a.md': 'salt\n' });
    const { hits, mode, degraded } = await kb.search.search({ text: 'salt' });
    expect([hits.length, mode]).toEqual([1, 'lexical']);
    expect(degraded.at(-1)).toMatchObject({ stage: 'retriever', reason: 'plugin_failed' });
    expect(degraded.at(-1)?.hint).toMatch(new RegExp(`^fake@1\\.0\\.0/retrieve failed: .*${why}`));
  });

  it('is left out when it throws or never answers', async () => {
    const grep = new FakeRetriever();
    const { kb } = await openWith(grep, { 'a.md': 'salt\n' }, { KEBAB_SEARCH_RETRIEVER_TIMEOUT_S: '1' });
    grep.instead = () => Promise.reject(new Error('a defect'));
    expect((await kb.search.search({ text: 'salt' })).degraded.at(-1)?.hint).toContain('a defect');
    let stopped = false;
    grep.instead = (_, signal) =>
      new Promise(() => signal?.addEventListener('abort', () => (stopped = true), { once: true }));
    const { hits, degraded } = await kb.search.search({ text: 'salt' });
    expect(hits).toHaveLength(1);
    expect(degraded.at(-1)?.hint).toContain('did not answer within 1 s');
    expect(stopped).toBe(true);
  });

  it('does not delay a cancelled search', async () => {
    const grep = new FakeRetriever();
    const { kb } = await openWith(grep, { 'a.md': 'salt\n' });
    const cancel = new AbortController();
    grep.instead = () => {
      cancel.abort();
      return new Promise(() => {});
    };
    await expect(kb.search.search({ text: 'salt' }, { signal: cancel.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('cannot show chunks that no longer exist, or that filters, phrases and exclusions exclude', async () => {
    const grep = new FakeRetriever();
    const { kb, idOf } = await openWith(grep, { 'in/a.md': 'salt\n', 'out/b.md': 'salt brine\n' });
    grep.ranking = ['0'.repeat(32), idOf('out/b.md'), idOf('in/a.md')];
    const found = async (text: string, filters = {}): Promise<readonly string[]> =>
      (await kb.search.search({ text, filters })).hits.map(({ doc_path }) => doc_path);
    expect((await found('salt')).toSorted()).toEqual(['in/a.md', 'out/b.md']);
    expect(await found('salt', { pathGlob: ['in/**'] })).toEqual(['in/a.md']);
    expect(await found('salt -brine')).toEqual(['in/a.md']);
    expect(await found('"salt brine"')).toEqual(['out/b.md']);
  });

  it('makes a cursor stale when it is removed or ranks differently', async () => {
    const grep = new FakeRetriever();
    const { kb, idOf } = await openWith(grep, { 'a.md': 'salt\n', 'b.md': 'the salt\n' });
    grep.ranking = [idOf('b.md'), idOf('a.md')];
    const { search } = kb;
    const { next_cursor } = await search.search({ text: 'salt', k: 1 });
    const cursor = next_cursor ?? '';
    expect((await search.search({ text: 'salt', k: 1 }, { cursor })).hits).toHaveLength(1);
    grep.index = 'two';
    const stale = { code: 'stale_cursor', details: { reason: 'stages' } };
    await expect(search.search({ text: 'salt', k: 1 }, { cursor })).rejects.toMatchObject(stale);
    grep.index = 'one';
    grep.instead = () => Promise.reject(new Error('a defect'));
    await expect(kb.search.search({ text: 'salt', k: 1 }, { cursor })).rejects.toMatchObject(stale);
  });

  it('does not join a list that began without it', async () => {
    const grep = new FakeRetriever();
    grep.instead = () => Promise.reject(new Error('a defect'));
    const { kb, idOf } = await openWith(grep, { 'a.md': 'salt\n', 'b.md': 'the salt\n', 'c.md': 'brine\n' });
    const { next_cursor } = await kb.search.search({ text: 'salt', k: 1 });
    grep.instead = null;
    grep.ranking = [idOf('c.md')];
    const { hits, mode } = await kb.search.search({ text: 'salt', k: 5 }, { cursor: next_cursor ?? '' });
    expect([hits.map(({ doc_path }) => doc_path), mode]).toEqual([['b.md'], 'lexical']);
  });
});
