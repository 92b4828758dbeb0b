import { describe, expect, it } from 'vitest';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { SearchResponseSchema } from '../../src/wire/search.ts';
import type { Mode } from '../../src/domain/query.ts';
import type { Ports } from '../../src/ports.ts';
import { openSearcher } from '../../src/search/search-documents.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { FakeRetriever } from './fake-retriever.ts';

/** Ranks given chunks by made-up cosines, or fails. */
function fakeVectors(failure: Error | null = null): FakeRetriever {
  const vectors = new FakeRetriever('cosine');
  vectors.scoreOf = (at) => 0.9 - at / 100;
  vectors.instead = failure === null ? null : () => Promise.reject(failure);
  return vectors;
}

const unreachable = new KebabError('model_unreachable', 'it is down', {
  details: { endpoint: 'http://127.0.0.1:1', model: 'm', cause: 'ECONNREFUSED' },
});

describe('search modes', () => {
  const open = openForTests();

  it.each(['transformers', 'none'])('searches by words and reports it when %s embeds nothing', async (provider) => {
    const kb = await open({ env: { KEBAB_MODELS_EMBEDDING_PROVIDER: provider } });
    await kb.add('a.md', 'salt\n');
    const response = await kb.search.search({ text: 'salt', mode: 'hybrid' });
    expect(SearchResponseSchema.parse(response)).toMatchObject({
      mode: 'lexical',
      hits: [{ score_kind: 'relevance' }],
    });
    expect(response.degraded).toEqual([
      { stage: 'vector', reason: 'provider_none', hint: expect.stringContaining('--mode lexical') },
    ]);
  });

  it('does not mention vectors in a lexical search', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    expect((await kb.search.search({ text: 'salt', mode: 'lexical' })).degraded).toEqual([]);
  });

  it('fails in vector mode without vectors', async () => {
    const kb = await open();
    await expect(kb.search.search({ text: 'salt', mode: 'vector' })).rejects.toMatchObject({
      code: 'not_indexed',
      details: { expected: 'vectors', found: 'provider_none' },
    });
  });

  it('fuses both sides, and reports the results of each', async () => {
    const vectors = fakeVectors();
    const kb = await open({ contributions: { retriever: { vectors } } });
    const both = await kb.add('both.md', 'salt and water\n');
    const meant = await kb.add('meant.md', 'brine\n');
    vectors.ranking = [both, meant].map(({ chunks }) => chunks[0]?.chunkId ?? '');
    const response = await kb.search.search({ text: 'salt' });
    expect(SearchResponseSchema.parse(response)).toMatchObject({ mode: 'hybrid', degraded: [] });
    expect(response.hits).toMatchObject([
      {
        doc_path: 'both.md',
        score: 1,
        score_kind: 'relevance',
        embedding_model: expect.any(String),
        retrieval: { method: 'hybrid', lexical_rank: 1, vector_rank: 1, vector_score: 0.9, fusion_score: 1 },
      },
      { doc_path: 'meant.md', retrieval: { lexical_rank: null, lexical_score: null, vector_rank: 2 } },
    ]);
  });

  it('ranks a passage with all words of a short query first, however near another is in meaning', async () => {
    const vectors = fakeVectors();
    const kb = await open({ contributions: { retriever: { vectors } } });
    const files = {
      'guide.md': 'The client retries with exponential backoff.\n',
      'maths.md': 'Exponential growth, exponential decay and exponential series.\n',
      'waiting.md': 'Wait longer after each failure.\n',
      'growth.md': 'It doubles each time.\n',
    };
    const idOf: Record<string, string> = {};
    for (const [path, text] of Object.entries(files)) idOf[path] = (await kb.add(path, text)).chunks[0]?.chunkId ?? '';
    vectors.ranking = ['maths.md', 'waiting.md', 'growth.md', 'guide.md'].map((path) => idOf[path] ?? '');
    const { hits, trace } = await kb.search.search({ text: 'exponential backoff' }, { explain: true });
    expect(hits[0]).toMatchObject({ doc_path: 'guide.md', retrieval: { lexical_rank: 1, vector_rank: 4 } });
    expect(trace?.fusion).toMatchObject({ method: 'relevance', weight_all_words: expect.any(Number) });
    expect(trace?.rrf_inputs.filter(({ holds_all_words }) => holds_all_words)).toMatchObject([
      { chunk_id: idOf['guide.md'] },
    ]);
  });

  it('fuses by rank when configured', async () => {
    const vectors = fakeVectors();
    const env = { KEBAB_SEARCH_HYBRID_FUSION: 'rrf' };
    const kb = await open({ contributions: { retriever: { vectors } }, env });
    const both = await kb.add('both.md', 'salt and water\n');
    const meant = await kb.add('meant.md', 'brine\n');
    vectors.ranking = [meant, both].map(({ chunks }) => chunks[0]?.chunkId ?? '');
    const { hits, trace } = await kb.search.search({ text: 'salt' }, { explain: true });
    expect(hits).toMatchObject([
      { doc_path: 'both.md', score_kind: 'rrf' },
      { doc_path: 'meant.md', score_kind: 'rrf' },
    ]);
    const { weight_lexical: ofWords = 0, weight_vector: ofVectors = 0 } = trace?.fusion ?? {};
    expect(trace?.fusion).toMatchObject({ method: 'rrf', rrf_k: 60, weight_lexical: 1, reason: 'evidence' });
    expect(hits[0]?.score).toBeCloseTo((61 * (ofWords / 61 + ofVectors / 62)) / (ofWords + ofVectors), 5);
  });

  it.each(['!!! ???', '*', '"', '- -', '😀', '\u0301'])('finds nothing for %j in any mode', async (text) => {
    const vectors = fakeVectors();
    const kb = await open({ contributions: { retriever: { vectors } } });
    const { chunks } = await kb.add('a.md', 'salt!!! ??? * "- -" 😀\n');
    vectors.ranking = chunks.map(({ chunkId }) => chunkId);
    for (const mode of ['vector', 'hybrid'] as const)
      expect(await kb.search.search({ text, mode })).toMatchObject({ hits: [], next_cursor: null, mode, degraded: [] });
  });

  it('ranks by vectors alone in vector mode', async () => {
    const vectors = fakeVectors();
    const kb = await open({ contributions: { retriever: { vectors } } });
    const { chunks } = await kb.add('meant.md', 'brine\n');
    vectors.ranking = chunks.map(({ chunkId }) => chunkId);
    const response = await kb.search.search({ text: 'salt', mode: 'vector' });
    expect(response).toMatchObject({
      mode: 'vector',
      hits: [
        { score: 0.9, score_kind: 'cosine', retrieval: { method: 'vector', fusion_score: null, lexical_rank: null } },
      ],
    });
  });

  it.each<[string, Error, string]>([
    ['fails', unreachable, 'model_unreachable'],
    [
      'rejects its input',
      new KebabError('invalid_input', 'the server refused embed with m: no', {
        details: { field: 'models.embedding.model', value: 'm', allowed: null, suggestion: null },
      }),
      'plugin_failed',
    ],
  ])('continues with words when the vector side %s, but not in vector mode', async (_, failure, reason) => {
    const kb = await open({ contributions: { retriever: { vectors: fakeVectors(failure) } } });
    await kb.add('a.md', 'salt\n');
    const response = await kb.search.search({ text: 'salt' });
    expect(response).toMatchObject({ mode: 'lexical', degraded: [{ stage: 'vector', reason }] });
    await expect(kb.search.search({ text: 'salt', mode: 'vector' })).rejects.toBe(failure);
  });

  it('passes on a failure that does not concern vectors', async () => {
    const defect = new TypeError('a defect');
    const kb = await open({ contributions: { retriever: { vectors: fakeVectors(defect) } } });
    await expect(kb.search.search({ text: 'salt' })).rejects.toBe(defect);
  });

  it('rejects a cursor of both sides when one has since failed', async () => {
    const vectors = fakeVectors();
    const kb = await open({ contributions: { retriever: { vectors } } });
    for (const name of ['a.md', 'b.md']) await kb.add(name, `salt ${name}\n`);
    const { next_cursor } = await kb.search.search({ text: 'salt', k: 1 });
    vectors.instead = () => Promise.reject(unreachable);
    await expect(kb.search.search({ text: 'salt', k: 1 }, { cursor: next_cursor ?? '' })).rejects.toMatchObject({
      code: 'stale_cursor',
      details: { reason: 'stages', expected: 'lexical', found: 'lexical+vector' },
    });
  });

  it('continues without vectors through a list that began without them', async () => {
    const vectors = fakeVectors(unreachable);
    const kb = await open({ contributions: { retriever: { vectors } } });
    for (const name of ['a.md', 'b.md']) await kb.add(name, `salt ${name}\n`);
    const { next_cursor } = await kb.search.search({ text: 'salt', k: 1 });
    vectors.instead = null;
    const next = await kb.search.search({ text: 'salt', k: 1 }, { cursor: next_cursor ?? '' });
    expect(next).toMatchObject({ mode: 'lexical', hits: [{ rank: 2 }] });
  });

  describe('a cursor of a list with vectors', () => {
    const whole = { code: 'stale_cursor', hint: expect.stringContaining('without --cursor') };

    async function begun(mode: Mode): Promise<{ kb: KnowledgeBase; vectors: FakeRetriever; cursor: string }> {
      const vectors = fakeVectors();
      const kb = await open({ contributions: { retriever: { vectors } } });
      for (const name of ['a.md', 'b.md', 'c.md'])
        vectors.ranking = [...vectors.ranking, (await kb.add(name, `salt ${name}\n`)).chunks[0]?.chunkId ?? ''];
      const { next_cursor } = await kb.search.search({ text: 'salt', mode, k: 1 });
      return { kb, vectors, cursor: next_cursor ?? '' };
    }

    it('is stale once there is no embedder', async () => {
      const { kb, cursor } = await begun('hybrid');
      const { search } = openSearcher({ ...kb.ports, config: withProvider(kb, 'none'), retrievers: NO_RETRIEVERS });
      await expect(search({ text: 'salt', mode: 'hybrid', k: 1 }, { cursor })).rejects.toMatchObject({
        ...whole,
        message: 'the cursor continues a list ranked with vectors, but vector search is now off (provider_none)',
        details: { reason: 'stages' },
      });
    });

    it('is stale once another model ranks, in the same process too', async () => {
      const { kb, vectors, cursor } = await begun('hybrid');
      const { search } = kb.search;
      expect((await search({ text: 'salt', k: 1 }, { cursor })).hits).toMatchObject([{ rank: 2 }]);
      vectors.index = 'two';
      await expect(search({ text: 'salt', k: 1 }, { cursor })).rejects.toMatchObject({
        ...whole,
        message: expect.stringContaining('with a different embedding model than the one now in use'),
        details: {
          expected: expect.stringMatching(/^lexical\+vector@\w+$/),
          found: expect.stringContaining('vector@'),
        },
      });
    });
  });

  it('continues a list ranked by words, whatever embedder is configured meanwhile', async () => {
    const kb = await open();
    for (const name of ['a.md', 'b.md']) await kb.add(name, `salt ${name}\n`);
    for (const mode of ['lexical', 'hybrid'] as const) {
      const { next_cursor } = await kb.search.search({ text: 'salt', mode, k: 1 });
      const { search } = openSearcher({ ...kb.ports, config: withProvider(kb, 'none') });
      const next = await search({ text: 'salt', mode, k: 1 }, { cursor: next_cursor ?? '' });
      expect(next.hits).toMatchObject([{ rank: 2 }]);
    }
  });
});

const NO_RETRIEVERS: Ports['retrievers'] = {
  names: () => [],
  get: () => Promise.reject(new Error('there is none')),
  all: () => Promise.resolve([]),
};

function withProvider(kb: KnowledgeBase, provider: string): KnowledgeBase['config'] {
  const { models } = kb.config;
  return { ...kb.config, models: { ...models, embedding: { ...models.embedding, provider } } };
}
