import assert from 'node:assert/strict';
import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { DocumentWrite } from '../contracts/document-store.ts';
import type { RankedChunk, Retriever } from '../contracts/retriever.ts';
import type { SearchFilters } from '../domain/query.ts';
import { byPlace, type Place } from '../search/chunk-rank.ts';
import type { ContractCase, ContractSuite } from './contract-suite.ts';
import { sampleWrite } from './sample-write.ts';

/** A retriever over a corpus. */
export interface OpenRetriever {
  readonly retriever: Retriever;
  readonly analyse: (text: string) => AnalysedQuery;
  readonly close?: () => void | Promise<void>;
}

/** What {@link retrieverSuite} needs. */
export interface RetrieverSuiteOptions {
  /** Commits the documents to an empty knowledge base and opens the retriever over it. */
  readonly open: (documents: readonly DocumentWrite[]) => Promise<OpenRetriever>;
}

const NEEDLE = 'lighthouse';

/**
 * The promises of a retriever: filters before top-k, stable prefixes, ordered ties, nothing thrown by any query text. Phrases and
 * exclusions are none of them: what they rule out, kebab drops itself.
 */
export function retrieverSuite({ open }: RetrieverSuiteOptions): ContractSuite {
  const promise = (
    name: string,
    documents: readonly DocumentWrite[],
    check: (asked: Asked) => Promise<void>,
  ): ContractCase => ({
    name,
    run: async () => {
      const opened = await open(documents);
      try {
        await check(askedOf(opened, documents));
      } finally {
        await opened.close?.();
      }
    },
  });
  return {
    contract: 'Retriever',
    cases: [
      promise('ranks from 1 upwards with falling scores', CORPUS, async ({ ask }) => {
        const ranking = await ask(NEEDLE);
        assert.ok(ranking.length > 0, 'the corpus holds the word');
        assert.deepEqual(
          ranks(ranking),
          ranking.map((_, at) => at + 1),
        );
        assert.deepEqual(
          scores(ranking),
          scores(ranking).toSorted((a, b) => b - a),
        );
      }),
      promise('returns each chunk once, and only committed ones', CORPUS, async ({ ask, places }) => {
        const ids = (await ask(NEEDLE)).map(({ chunkId }) => chunkId);
        assert.equal(new Set(ids).size, ids.length);
        for (const id of ids) assert.ok(places.has(id), `${id} was committed`);
      }),
      promise('begins a longer list with the shorter one', CORPUS, async ({ ask }) => {
        const whole = await ask(NEEDLE);
        for (let limit = 0; limit <= whole.length; limit++)
          assert.deepEqual(await ask(NEEDLE, { limit }), whole.slice(0, limit), `limit ${limit}`);
      }),
      promise('gives the same list twice', CORPUS, async ({ ask }) => {
        assert.deepEqual(await ask(NEEDLE), await ask(NEEDLE));
      }),
      promise('orders equal scores by path, ordinal and source', TWINS, async ({ ask, places }) => {
        const ranking = await ask(NEEDLE);
        assert.equal(ranking.length, 2 * TWINS.length);
        const found = ranking.map(({ chunkId }) => places.get(chunkId) as Place);
        assert.deepEqual(found, found.toSorted(byPlace));
      }),
      promise('filters before it cuts the list', CORPUS, async ({ ask, places }) => {
        const everything = await ask(NEEDLE);
        const wanted = everything.at(-1);
        assert.ok(wanted !== undefined);
        const docPath = places.get(wanted.chunkId)?.docPath ?? '';
        const [first] = await ask(NEEDLE, { limit: 1, filters: { pathGlob: [docPath] } });
        assert.equal(places.get(first?.chunkId ?? '')?.docPath, docPath);
      }),
      promise('returns nothing when no document passes', CORPUS, async ({ ask }) => {
        assert.deepEqual(await ask(NEEDLE, { filters: { source: ['no-such-source'] } }), []);
      }),
      promise('throws at no query text', CORPUS, async ({ ask }) => {
        for (const text of HOSTILE_QUERIES) await ask(text);
      }),
      promise('answers from an empty knowledge base', [], async ({ ask }) => {
        assert.deepEqual(await ask(NEEDLE), []);
      }),
    ],
  };
}

interface Asked {
  readonly ask: (
    text: string,
    options?: { readonly limit?: number; readonly filters?: SearchFilters },
  ) => Promise<readonly RankedChunk[]>;
  readonly places: ReadonlyMap<string, Place>;
}

function askedOf({ retriever, analyse }: OpenRetriever, documents: readonly DocumentWrite[]): Asked {
  const places = documents.flatMap(({ document, chunks }) =>
    chunks.map(({ chunkId, ordinal }): readonly [string, Place] => [
      chunkId,
      { docPath: document.workspacePath, ordinal, sourceId: document.sourceId },
    ]),
  );
  return {
    ask: (text, { limit = 100, filters = {} } = {}) => retriever.retrieve({ query: analyse(text), filters, limit }),
    places: new Map(places),
  };
}

const ranks = (ranking: readonly RankedChunk[]): readonly number[] => ranking.map(({ rank }) => rank);
const scores = (ranking: readonly RankedChunk[]): readonly number[] => ranking.map(({ score }) => score);

const CORPUS: readonly DocumentWrite[] = [
  sampleWrite('coast.md', `# Coast\n\nThe old ${NEEDLE} stands on the northern rock.\n\nGulls nest below it.\n`),
  sampleWrite('keeper.md', `The keeper of the ${NEEDLE} wrote a letter every day, and the keeper kept every answer.\n`),
  sampleWrite('notes/storm.md', `In a storm the ${NEEDLE} is all there is.\n\nAn old ${NEEDLE} ${NEEDLE} ${NEEDLE}.\n`),
  sampleWrite('notes/bread.md', 'Flour, water, salt, and time.\n'),
];

/** Equal in everything that is searched. */
const TWINS: readonly DocumentWrite[] = [
  ['b/twin.md', 'default'],
  ['a/twin.md', 'second'],
  ['\u{1F600}/twin.md', 'default'],
  ['a/twin.md', 'default'],
  ['\uFFFD/twin.md', 'default'],
  ['a b/twin.md', 'default'],
].map(([path = '', sourceId = '']) => sampleWrite(path, `The ${NEEDLE}.\n\nThe ${NEEDLE}.\n`, { sourceId }));

const HOSTILE_QUERIES: readonly string[] = [
  '"',
  '""',
  '"unbalanced',
  '-',
  '--',
  '- -',
  'a AND',
  'NOT',
  'NEAR(a b',
  'x:y',
  'col : *',
  '*',
  '^a',
  "it's",
  '(((',
  '\0',
  '\uD800',
  'a'.repeat(5000),
  '서울의',
  '😀 "😀',
];
