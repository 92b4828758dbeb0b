import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import type { RankedChunk } from '../../src/contracts/retriever.ts';
import type { ChunkId } from '../../src/domain/ids.ts';
import { type EvidenceLists, type EvidenceRequest, fuseEvidence } from '../../src/search/fuse-evidence.ts';

/** A list of chunks with their scores, best first. */
const list = (scores: Readonly<Record<string, number>>): readonly RankedChunk[] =>
  Object.entries(scores)
    .toSorted(([, a], [, b]) => b - a)
    .map(([id, score], at) => ({ chunkId: id as ChunkId, rank: at + 1, score }));

/** A match is 5.5 spreads above the background: at a cosine of 0.75. */
const scale = { background: 0.2, matching: 0.5, spread: 0.1 };

const lists = (
  lexical: Readonly<Record<string, number>>,
  vector: Readonly<Record<string, number>> | null = null,
): EvidenceLists => ({
  lexical: list(lexical),
  vector: vector === null ? null : { ranking: list(vector), scale },
  contributed: [],
});

interface Asked {
  readonly text?: string;
  readonly method?: EvidenceRequest['method'];
  readonly weights?: Partial<EvidenceRequest['weights']>;
  /** The chunks that contain every word. */
  readonly whole?: readonly string[];
}

function fuse(of: EvidenceLists, { text = 'it is so', method = 'relevance', weights, whole = [] }: Asked = {}) {
  return fuseEvidence(of, {
    method,
    retrieval: { query: analyseQuery(text), filters: {}, limit: 200 },
    weights: { lexical: 1, vector: 1, retrievers: 1, ...weights },
    rrfK: 60,
    index: {
      analyseQuery,
      search: async () => whole.map((id) => ({ chunkId: id as ChunkId, score: 1 })),
      termStats: async (tokens) => ({ chunks: 10, df: tokens.map(() => 1) }),
    },
    store: { getChunks: async () => [] },
  });
}

const scoresOf = async (fused: ReturnType<typeof fuse>): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries((await fused).entries.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(4))]));

describe('fuseEvidence', () => {
  it('scores 1 for the best on every side', async () => {
    const fused = fuse(lists({ a: 12, b: 6 }, { a: 0.75, c: 0.3 }));
    expect(await scoresOf(fused)).toMatchObject({ a: 1 });
    expect((await fused).weights).toMatchObject({ lexical: 1, allWords: null, why: 'evidence' });
    expect((await fused).weights.vector).toBeCloseTo(1);
  });

  it('uses scores, not ranks: a distant second counts little, a close one nearly as much as the first', async () => {
    const distant = await scoresOf(fuse(lists({ a: 16.2, b: 4.6 }, { b: 0.62, a: 0.58 })));
    expect(distant['a']).toBeGreaterThan(distant['b'] ?? 1);
    const close = await scoresOf(fuse(lists({ a: 16.2, b: 15.9 }, { b: 0.62, a: 0.5 })));
    expect(close['b']).toBeGreaterThan(close['a'] ?? 1);
  });

  it('gives no weight to cosines at chance level', async () => {
    const { weights, entries } = await fuse(lists({ a: 5 }, { b: 0.25, c: 0.21 }));
    expect(weights.vector).toBeLessThan(0.01);
    expect(entries[0]).toMatchObject({ chunkId: 'a' });
  });

  it('ranks passages with every word of a short query above all others, however near those are in meaning', async () => {
    const of = lists({ whole: 3, part: 2.9 }, { near: 0.95, part: 0.9 });
    const { entries, weights } = await fuse(of, { text: 'exponential backoff', whole: ['whole'] });
    expect(entries[0]).toMatchObject({ chunkId: 'whole', holdsAllWords: true });
    expect(weights.allWords).toBeCloseTo(weights.lexical + weights.vector);
    expect((await fuse(of, { text: 'exponential backoff' })).entries[0]).not.toMatchObject({ chunkId: 'whole' });
    expect(
      (await fuse(of, { text: 'exponential backoff jitter retries', whole: ['whole'] })).weights.allWords,
    ).toBeNull();
  });

  it('applies the configured weights', async () => {
    const fused = fuse(lists({ a: 3 }, { b: 0.75 }), { weights: { lexical: 3 } });
    expect(await scoresOf(fused)).toEqual({ a: 0.75, b: 0.25 });
    expect(await scoresOf(fuse(lists({ a: 3 }), { weights: { lexical: 0 } }))).toEqual({ a: 0 });
  });

  it('caps vectors for names from code, unless words find nothing', async () => {
    const named = await fuse(lists({ a: 3 }, { b: 0.9 }), { text: 'rankChunks' });
    expect(named.weights).toMatchObject({ lexical: 1, vector: 0.25, why: 'identifiers' });
    expect((await fuse(lists({}, { b: 0.9 }), { text: 'rankChunks' })).weights.why).toBe('evidence');
  });

  it('uses the ranks of a plugin retriever, whose scores are not comparable', async () => {
    const contributed = [{ id: 'grep', ranking: list({ b: 9, a: 8 }) }];
    const { entries } = await fuse({ ...lists({ a: 4 }), contributed });
    expect(entries.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(4))])).toEqual([
      ['a', Number(((1 + 61 / 62) / 2).toFixed(4))],
      ['b', 0.5],
    ]);
    expect(entries[0]?.contributed?.get('grep')).toEqual({ rank: 2, score: 8 });
  });

  it('fuses by rank with the same weights, whatever the scores are', async () => {
    const of = lists({ a: 12, b: 11.9 }, { a: 0.75, c: 0.3 });
    const fused = fuse(of, { method: 'rrf', text: 'exponential backoff', whole: ['b'] });
    expect((await fused).weights).toEqual((await fuse(of, { text: 'exponential backoff' })).weights);
    expect((await fused).entries[0]).toMatchObject({ chunkId: 'a', lexical: { rank: 1, score: 12 }, score: 1 });
    expect(await scoresOf(fused)).toEqual({ a: 1, b: 0.4919, c: 0.4919 });
    expect(await scoresOf(fuse(lists({ a: 3 }), { method: 'rrf', weights: { lexical: 0 } }))).toEqual({ a: 0 });
  });

  it('orders ties as the lists do, what words found first', async () => {
    const of = lists({ z: 9, c: 8, a: 7 }, { z: 0.75, b: 0.7, x: 0.6 });
    const { entries } = await fuse(of, { method: 'rrf' });
    expect(entries.map(({ chunkId }) => chunkId)).toEqual(['z', 'c', 'b', 'a', 'x']);
  });

  it('returns each chunk once, with decreasing scores between 0 and 1, for any lists', async () => {
    const scores = fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.double({ min: -1, max: 30, noNaN: true }));
    const method = fc.constantFrom('relevance' as const, 'rrf' as const);
    await fc.assert(
      fc.asyncProperty(scores, scores, fc.boolean(), method, async (lexical, cosines, isShort, by) => {
        const words = Object.fromEntries(Object.entries(lexical).map(([id, score]) => [id, Math.abs(score)]));
        const of = lists(words, Object.fromEntries(Object.entries(cosines).map(([id, score]) => [id, score / 30])));
        const { entries } = await fuse(of, { method: by, text: isShort ? 'salt' : 'it is so', whole: ['a', 'b'] });
        const found = entries.map(({ score }) => score);
        expect(new Set(entries.map(({ chunkId }) => chunkId))).toEqual(
          new Set([...Object.keys(words), ...Object.keys(cosines)]),
        );
        expect(found).toEqual(found.toSorted((a, b) => b - a));
        expect(found.every((score) => score >= 0 && score <= 1 + 1e-12)).toBe(true);
      }),
    );
  });
});
