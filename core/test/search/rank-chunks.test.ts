import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { sampleWrite } from '@kebab/testing';
import { FakeRetriever } from './fake-retriever.ts';
import { foundIn } from './found-chunks.ts';
import { likelyStages, rankChunks, type RankRequest } from '../../src/search/rank-chunks.ts';

const ids = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

interface Lists {
  readonly lexical: FakeRetriever;
  readonly vector: FakeRetriever;
}

/** Lists with evenly spaced scores. */
const sides = (lexical: readonly string[], vector: readonly string[]): Lists => {
  const lists = { lexical: new FakeRetriever('bm25', lexical), vector: new FakeRetriever('cosine', vector) };
  for (const list of Object.values(lists)) list.scoreOf = (at) => 1 - at / (2 * list.ranking.length);
  return lists;
};

const SETTINGS: RankRequest['config']['search'] = {
  defaultK: 10,
  hybridFusion: 'rrf',
  rrfK: 60,
  weightLexical: 1,
  weightVector: 1,
  weightRetrievers: 1,
  retrieverTimeoutS: 10,
  candidates: 200,
  minRelevance: 0.0001,
  snippetChars: 220,
  staleThresholdDays: 30,
  refresh: 'auto',
  refreshBudgetMs: 150,
  refreshAfterMs: 2000,
};

interface Changes extends Partial<Pick<RankRequest, 'mode' | 'needed'>> {
  readonly withVectors?: boolean;
  readonly settings?: Partial<typeof SETTINGS>;
}

function request(
  text: string,
  { lexical, vector }: Lists,
  { withVectors = true, settings, ...changed }: Changes = {},
): RankRequest {
  const ready: NonNullable<RankRequest['sides']['vector']> = {
    kind: 'ready',
    retriever: vector,
    model: 'potion',
    languages: ['en'],
    degraded: null,
    scaleOf: () => Promise.resolve({ background: 0, matching: 0.5, spread: 0.1 }),
  };
  return {
    mode: 'hybrid',
    retrieval: { query: analyseQuery(text), filters: {} },
    needed: 11,
    sides: { vector: withVectors ? ready : null, contributed: [], reranker: null },
    config: {
      search: { ...SETTINGS, ...settings },
      models: { rerank: { provider: 'none' } } as RankRequest['config']['models'],
    },
    minRelevance: null,
    perDocument: 3,
    joins: true,
    index: {
      analyseQuery,
      search: (query, filters, limit) => lexical.retrieve({ query, filters, limit }),
      admitted: async () => null,
      termStats: async () => ({ chunks: 0, df: [] }),
    },
    store: {
      getPassages: async () => [],
      getChunks: async () => [foundIn(sampleWrite('lamp.md', 'how is the lamp lit at night\n'))],
      getDocuments: async () => [],
      documentIds: async () => new Set(),
    },
    passagesOf: async () => new Map(),
    ...changed,
  };
}

describe('rankChunks', () => {
  it('leaves out vectors that cannot read the query, without querying them, and reports it', async () => {
    const both = sides(ids('l', 20), ids('v', 20));
    const ranking = await rankChunks(request('서울의 날씨는 어떤가요', both));
    expect(ranking).toMatchObject({
      mode: 'lexical',
      stages: ['lexical'],
      fusion: null,
      degraded: [{ stage: 'vector', reason: 'language_unsupported', hint: expect.stringContaining('potion reads en') }],
    });
    expect(both.vector.limits).toEqual([]);
    const lexical = await rankChunks(request('서울의 날씨는 어떤가요', both, { mode: 'lexical', withVectors: false }));
    expect(ranking.entries).toEqual(lexical.entries);
  });

  it('uses vectors in vector mode, whatever the language', async () => {
    const both = sides([], ids('v', 3));
    const ranking = await rankChunks(request('서울의 날씨', both, { mode: 'vector' }));
    expect(ranking).toMatchObject({ mode: 'vector', degraded: [] });
    expect(ranking.entries).toHaveLength(3);
  });

  it('fuses by rank with the weights of the evidence, times the configured ones', async () => {
    const weightOf = async (cosine: number, weightVector: number): Promise<number> => {
      const both = sides(ids('l', 50), ids('v', 50));
      both.vector.scoreOf = (at) => cosine - at / 1000;
      const changed = { settings: { weightVector } };
      return (await rankChunks(request('how is the lamp lit at night', both, changed))).fusion?.vector ?? 0;
    };
    expect(await weightOf(0.3, 1)).toBeLessThan(await weightOf(0.8, 1));
    expect(await weightOf(0.8, 2)).toBeCloseTo(2 * (await weightOf(0.8, 1)));
  });

  it('requests from a single side all that is reordered, however small the page', async () => {
    const both = sides(ids('l', 100), []);
    await rankChunks(request('lamp', both, { mode: 'lexical', withVectors: false, needed: 2 }));
    await rankChunks(request('lamp', both, { mode: 'lexical', withVectors: false, needed: 90 }));
    expect(both.lexical.limits).toEqual([31, 90]);
  });
});

describe('likelyStages', () => {
  const both = sides([], []);

  it.each([
    ['how is the lamp lit', 'hybrid', ['lexical', 'vector']],
    ['서울의 날씨', 'hybrid', ['lexical']],
    ['서울의 날씨', 'vector', ['vector']],
    ['how is the lamp lit', 'lexical', ['lexical']],
  ] as const)('for "%s" in mode %s are %j', (text, mode, expected) => {
    expect(likelyStages(request(text, both, { mode }))).toEqual(expected);
  });

  it('are lexical only without vectors', () => {
    expect(likelyStages(request('lamp', both, { withVectors: false }))).toEqual(['lexical']);
  });
});
