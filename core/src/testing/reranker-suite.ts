import assert from 'node:assert/strict';
import type { Reranker } from '../contracts/reranker.ts';
import type { ChunkId } from '../domain/ids.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ContractCase, ContractSuite } from './contract-suite.ts';

/** A reranker that is open. */
export interface OpenReranker {
  readonly reranker: Reranker;
  readonly close?: () => void | Promise<void>;
}

/** What {@link rerankerSuite} needs. */
export interface RerankerSuiteOptions {
  readonly open: () => Promise<OpenReranker>;
  /** A passage that answers a query, and one that does not: the first must score higher. Default: an English pair. */
  readonly telling?: { readonly query: string; readonly answer: string; readonly other: string };
  /** How far the scores of one passage may differ between calls. Default 1e-6. */
  readonly tolerance?: number;
}

type Items = Parameters<Reranker['rerank']>[1];

/** The promises of a reranker: a permutation of its input, scores from 0 to 1, no matter in which order passages come. */
export function rerankerSuite({ open, telling = TELLING, tolerance = 1e-6 }: RerankerSuiteOptions): ContractSuite {
  const promise = (name: string, check: (reranker: Reranker) => Promise<void>): ContractCase => ({
    name,
    run: async () => {
      const { reranker, close } = await open();
      try {
        await check(reranker);
      } finally {
        await close?.();
      }
    },
  });
  return {
    contract: 'Reranker',
    cases: [
      promise('returns every passage once', async (reranker) => {
        const ids = (await reranker.rerank(QUERY, PASSAGES)).map(({ chunkId }) => chunkId);
        assert.deepEqual(ids.toSorted(), PASSAGES.map(({ chunkId }) => chunkId).toSorted());
      }),
      promise('gives scores from 0 to 1', async (reranker) => {
        for (const { score } of await reranker.rerank(QUERY, PASSAGES))
          assert.ok(score >= 0 && score <= 1, `${score} is not a score`);
      }),
      promise('gives a passage the same score wherever it stands', async (reranker) => {
        const forwards = scoresOf(await reranker.rerank(QUERY, PASSAGES));
        const backwards = scoresOf(await reranker.rerank(QUERY, PASSAGES.toReversed()));
        assertSame(forwards, backwards, tolerance);
      }),
      promise('gives a passage the same score whatever stands beside it', async (reranker) => {
        const together = scoresOf(await reranker.rerank(QUERY, PASSAGES));
        for (const passage of PASSAGES)
          assertSame(scoresOf(await reranker.rerank(QUERY, [passage])), together, tolerance);
      }),
      promise('gives the same answer twice', async (reranker) => {
        assertSame(
          scoresOf(await reranker.rerank(QUERY, PASSAGES)),
          scoresOf(await reranker.rerank(QUERY, PASSAGES)),
          tolerance,
        );
      }),
      promise('ranks what answers above what does not', async (reranker) => {
        const [answer, other] = passages([telling.answer, telling.other]);
        assert.ok(answer !== undefined && other !== undefined);
        const scores = scoresOf(await reranker.rerank(telling.query, [other, answer]));
        assert.ok((scores.get(answer.chunkId) ?? 0) > (scores.get(other.chunkId) ?? 1));
      }),
      promise('answers an empty list with an empty list', async (reranker) => {
        assert.deepEqual(await reranker.rerank(QUERY, []), []);
      }),
      promise('takes any query and any passage', async (reranker) => {
        for (const text of ['', ' ', '"', '\0', '\uD800', '서울의 😀', 'word '.repeat(5000)]) {
          const [passage] = passages([text]);
          assert.ok(passage !== undefined);
          assert.equal((await reranker.rerank(QUERY, [passage])).length, 1);
          assert.equal((await reranker.rerank(text, PASSAGES)).length, PASSAGES.length);
        }
      }),
      promise('stops when the signal has fired', async (reranker) => {
        const signal = AbortSignal.abort();
        await assert.rejects(
          async () => reranker.rerank(QUERY, PASSAGES, { signal }),
          (error) => isAbort(error) || isKebabError(error, 'cancelled'),
        );
      }),
    ],
  };
}

function passages(texts: readonly string[]): Items {
  return texts.map((text, at) => ({ chunkId: String(at).padStart(32, '0') as ChunkId, text }));
}

function scoresOf(answer: Awaited<ReturnType<Reranker['rerank']>>): ReadonlyMap<ChunkId, number> {
  return new Map(answer.map(({ chunkId, score }) => [chunkId, score]));
}

function assertSame(some: ReadonlyMap<ChunkId, number>, all: ReadonlyMap<ChunkId, number>, tolerance: number): void {
  for (const [id, score] of some) {
    const other = all.get(id) ?? Number.NaN;
    assert.ok(Math.abs(score - other) <= tolerance, `${score} and ${other} are not the same score`);
  }
}

const QUERY = 'How is the lighthouse lit at night?';
const PASSAGES = passages([
  'The lighthouse is lit at night by a lamp of four hundred watts.',
  'Bread is made of flour, water, salt and time.',
  'The keeper of the lighthouse wrote a letter every day.',
  'At night the harbour is closed.',
]);
const TELLING = {
  query: 'How is bread made?',
  answer: 'Bread is made of flour, water, salt and time.',
  other: 'The harbour is closed at night.',
};
