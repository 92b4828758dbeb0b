import assert from 'node:assert/strict';
import type {
  AnalysedQuery,
  AbortOptions,
  AnswerJudgement,
  Entailment,
  GroundednessChecker,
  Reranker,
  Retriever,
  ChunkId,
  SearchFilters,
} from '@kebab/core';
import type { DocumentWrite } from '@kebab/core/store';
import { type RankedChunk, byPlace, type ChunkPlace } from '@kebab/core/suites';
import { assertIdentified, casesOn, isCancelled, type ContractCase, type ContractSuite } from './contract-suite.ts';
import { answerToJudge } from './answer-to-judge.ts';
import { HOSTILE_QUERIES } from './hostile-texts.ts';
import { sampleWrite } from './sample-documents.ts';

/** A retriever over a corpus. */
export interface OpenRetriever {
  readonly retriever: Retriever;
  readonly analyse: (text: string) => AnalysedQuery;
  /** Commits further documents while the retriever is open; without it, that promise is not tested. */
  readonly commit?: (documents: readonly DocumentWrite[]) => void | Promise<void>;
  readonly close?: () => void | Promise<void>;
}

/** Options of {@link retrieverSuite}. */
export interface RetrieverSuiteOptions {
  /** Commits the documents to an empty knowledge base and opens the retriever over it. */
  readonly open: (documents: readonly DocumentWrite[]) => Promise<OpenRetriever>;
}

const NEEDLE = 'lighthouse';

/**
 * The contract suite of a retriever: filters before top-k, stable prefixes, ordered ties, no query text that throws. Phrases and exclusions
 * are not included: kebab itself drops what they exclude.
 */
export function retrieverSuite({ open }: RetrieverSuiteOptions): ContractSuite {
  const promise = (
    name: string,
    documents: readonly DocumentWrite[],
    check: (asked: Asked) => Promise<void>,
  ): ContractCase => casesOn(() => open(documents))(name, (opened) => check(askedOf(opened, documents)));
  return {
    contract: 'Retriever',
    cases: [
      promise('ranks from 1 upwards with decreasing scores', CORPUS, async ({ ask }) => {
        const ranking = await ask(NEEDLE);
        assert.ok(ranking.length > 0, 'the corpus contains the word');
        assert.deepEqual(
          ranks(ranking),
          ranking.map((_, at) => at + 1),
        );
        assert.deepEqual(
          scoreList(ranking),
          scoreList(ranking).toSorted((a, b) => b - a),
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
        const found = ranking.map(({ chunkId }) => places.get(chunkId) as ChunkPlace);
        assert.deepEqual(found, found.toSorted(byPlace));
      }),
      promise('filters before the limit', CORPUS, async ({ ask, places }) => {
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
      promise('throws for no query text', CORPUS, async ({ ask }) => {
        for (const text of HOSTILE_QUERIES) await ask(text);
      }),
      promise('answers from an empty knowledge base', [], async ({ ask }) => {
        assert.deepEqual(await ask(NEEDLE), []);
      }),
      promise('reaches every document of a large knowledge base', MANY, async ({ ask, places }) => {
        const found = new Set((await ask(NEEDLE, { limit: places.size })).map(({ chunkId }) => chunkId as string));
        const missed = [...places].find(([id]) => !found.has(id));
        assert.equal(found.size, places.size, `${missed?.[1].docPath} is not found; ${PAGES}`);
      }),
      promise('finds what is committed after its first search', CORPUS, async ({ ask, commit }) => {
        if (commit === undefined) return;
        const before = await ask(NEEDLE);
        const [added] = LATER;
        assert.ok(added !== undefined);
        await commit(LATER);
        const after = (await ask(NEEDLE)).map(({ chunkId }) => chunkId);
        assert.equal(after.length, before.length + added.chunks.length, 'it reads the documents again');
        assert.ok(added.chunks.every(({ chunkId }) => after.includes(chunkId)));
      }),
      promise('stops when the signal has fired', CORPUS, async ({ ask }) => {
        await assert.rejects(() => ask(NEEDLE, { signal: AbortSignal.abort() }), isCancelled);
      }),
    ],
  };
}

interface Asked {
  readonly ask: (
    text: string,
    options?: { readonly limit?: number; readonly filters?: SearchFilters; readonly signal?: AbortSignal },
  ) => Promise<readonly RankedChunk[]>;
  readonly commit: OpenRetriever['commit'];
  readonly places: ReadonlyMap<string, ChunkPlace>;
}

function askedOf({ retriever, analyse, commit }: OpenRetriever, documents: readonly DocumentWrite[]): Asked {
  const places = documents.flatMap(({ document, chunks }) =>
    chunks.map(({ chunkId, ordinal }): readonly [string, ChunkPlace] => [
      chunkId,
      { docPath: document.workspacePath, ordinal, sourceId: document.sourceId },
    ]),
  );
  return {
    ask: async (text, { limit = 100, filters = {}, signal } = {}) =>
      retriever.retrieve({ query: analyse(text), filters, limit }, { signal }),
    commit,
    places: new Map(places),
  };
}

const ranks = (ranking: readonly RankedChunk[]): readonly number[] => ranking.map(({ rank }) => rank);
const scoreList = (ranking: readonly RankedChunk[]): readonly number[] => ranking.map(({ score }) => score);

const CORPUS: readonly DocumentWrite[] = [
  sampleWrite('coast.md', `# Coast\n\nThe old ${NEEDLE} stands on the northern rock.\n\nGulls nest below it.\n`),
  sampleWrite('keeper.md', `The keeper of the ${NEEDLE} wrote a letter every day, and the keeper kept every answer.\n`),
  sampleWrite('notes/storm.md', `In a storm the ${NEEDLE} is all there is.\n\nAn old ${NEEDLE} ${NEEDLE} ${NEEDLE}.\n`),
  sampleWrite('notes/bread.md', 'Flour, water, salt, and time.\n'),
];

/** More than fit on a page of documents, however large an implementation makes its pages; not a multiple of any round number. */
const MANY: readonly DocumentWrite[] = Array.from({ length: 1043 }, (_, n) =>
  sampleWrite(`many/${n}.md`, `The ${NEEDLE} number ${n}.\n`),
);
const PAGES = 'does it read all pages, the last one included?';

/** Committed while a retriever is open. */
const LATER: readonly DocumentWrite[] = [sampleWrite('later.md', `A ${NEEDLE} that was built later.\n`)];

/** Equal in everything that is searched. */
const TWINS: readonly DocumentWrite[] = [
  ['b/twin.md', 'default'],
  ['a/twin.md', 'second'],
  ['\u{1F600}/twin.md', 'default'],
  ['a/twin.md', 'default'],
  ['\uFFFD/twin.md', 'default'],
  ['a b/twin.md', 'default'],
].map(([path = '', sourceId = '']) => sampleWrite(path, `The ${NEEDLE}.\n\nThe ${NEEDLE}.\n`, { sourceId }));

/** An opened reranker. */
export interface OpenReranker {
  readonly reranker: Reranker;
  readonly close?: () => void | Promise<void>;
}

/** Options of {@link rerankerSuite}. */
export interface RerankerSuiteOptions {
  readonly open: () => Promise<OpenReranker>;
  /** A passage that answers a query, and one that does not: the first must score higher. Default: an English pair. */
  readonly telling?: { readonly query: string; readonly answer: string; readonly other: string };
  /** How far the scores of one passage may differ between calls. Default 1e-6. */
  readonly tolerance?: number;
}

type Items = Parameters<Reranker['rerank']>[1];

/** The contract suite of a reranker: a permutation of its input, scores from 0 to 1, regardless of the order of passages. */
export function rerankerSuite({ open, telling = TELLING, tolerance = 1e-6 }: RerankerSuiteOptions): ContractSuite {
  const opening = casesOn(open);
  const promise = (name: string, check: (reranker: Reranker) => Promise<void>): ContractCase =>
    opening(name, ({ reranker }) => check(reranker));
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
      promise('gives a passage the same score in any position', async (reranker) => {
        const forwards = scoresOf(await reranker.rerank(QUERY, PASSAGES));
        const backwards = scoresOf(await reranker.rerank(QUERY, PASSAGES.toReversed()));
        assertSame(forwards, backwards, tolerance);
      }),
      promise('gives a passage the same score next to any others', async (reranker) => {
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
      promise('ranks an answer above an unrelated passage', async (reranker) => {
        const [answer, other] = passages([telling.answer, telling.other]);
        assert.ok(answer !== undefined && other !== undefined);
        const scores = scoresOf(await reranker.rerank(telling.query, [other, answer]));
        assert.ok((scores.get(answer.chunkId) ?? 0) > (scores.get(other.chunkId) ?? 1));
      }),
      promise('answers an empty list with an empty list', async (reranker) => {
        assert.deepEqual(await reranker.rerank(QUERY, []), []);
      }),
      promise('accepts any query and any passage', async (reranker) => {
        for (const text of ['', ' ', '"', '\0', '\uD800', '서울의 😀', 'word '.repeat(5000)]) {
          const [passage] = passages([text]);
          assert.ok(passage !== undefined);
          assert.equal((await reranker.rerank(QUERY, [passage])).length, 1);
          assert.equal((await reranker.rerank(text, PASSAGES)).length, PASSAGES.length);
        }
      }),
      promise('stops when the signal has fired', async (reranker) => {
        const signal = AbortSignal.abort();
        await assert.rejects(async () => reranker.rerank(QUERY, PASSAGES, { signal }), isCancelled);
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

/** Options of {@link groundednessSuite}. */
export interface GroundednessSuiteOptions {
  readonly make: () => GroundednessChecker | Promise<GroundednessChecker>;
  /** Whether it must distinguish what a passage repeats from what no passage says; false for a test double. */
  readonly judges?: boolean;
}

const PASSAGE = 'The lighthouse on the northern rock was built in 1871 and is painted white.';
const CLAIM = 'The lighthouse on the northern rock was built in 1871.';
const FOREIGN = 'Sourdough bread needs flour, water, salt and time.';
const TEXTS = ['', ' \n', '한국어 문장입니다.', '😀', '\u0000', '\uD800', 'one word '.repeat(4000)];
const ABORTED = { signal: AbortSignal.abort() };

type Check = NonNullable<GroundednessChecker['check']>;
type JudgeRaw = (raw: string, options?: AbortOptions) => Promise<AnswerJudgement>;

/**
 * The contract suite of a groundedness checker. Of `check`: one triple that sums to 1 per claim and passage, and no text that causes an
 * error. Of `judge`: what a passage says is supported, offsets are inside the text, and the same answer is judged alike. The cases of a
 * method that it does not implement hold.
 */
export function groundednessSuite({ make, judges = true }: GroundednessSuiteOptions): ContractSuite {
  const promise = casesOn(make);
  const checking = (name: string, run: (check: Check, other: () => Promise<Check>) => Promise<void>): ContractCase => {
    const bound = (checker: GroundednessChecker): Check | undefined => checker.check?.bind(checker);
    return promise(`check: ${name}`, async (checker) => {
      const check = bound(checker);
      if (check !== undefined) await run(check, async () => bound(await make()) ?? check);
    });
  };
  const judging = (name: string, run: (judge: JudgeRaw, other: JudgeRaw) => Promise<void>): ContractCase => {
    const judgeRaw =
      (checker: GroundednessChecker): JudgeRaw =>
      async (raw, options) => {
        const judgement = await checker.judge?.(answerToJudge(raw, [PASSAGE, FOREIGN]), options);
        assert.ok(judgement !== undefined, 'it judges');
        return judgement;
      };
    return promise(`judge: ${name}`, async (checker) => {
      if (checker.judge !== undefined) await run(judgeRaw(checker), judgeRaw(await make()));
    });
  };
  const telling = (one: ContractCase): ContractCase => ({ ...one, ...(judges ? {} : { skip: 'it does not judge' }) });
  return {
    contract: 'GroundednessChecker',
    cases: [
      promise('has an id, a version, the same fingerprint, and check or judge', async (checker) => {
        assertIdentified(checker, await make());
        assert.ok(checker.check !== undefined || checker.judge !== undefined, 'it has check() or judge()');
      }),
      checking('returns one triple per claim and passage, in order', async (check) => {
        const judged = await check([CLAIM, FOREIGN], [PASSAGE, FOREIGN, PASSAGE]);
        assert.deepEqual(
          judged.map((row) => row.length),
          [3, 3],
        );
        for (const triple of judged.flat()) assertTriple(triple);
        for (const [first, , third] of judged) assertNear(first, third, 'the same passage gets the same judgement');
        assertNear(judged[0]?.[0], (await check([CLAIM], [PASSAGE]))[0]?.[0], 'alone and with others');
      }),
      checking('is deterministic, in every instance', async (check, other) => {
        const first = await check([CLAIM], [PASSAGE]);
        assert.deepEqual(await check([CLAIM], [PASSAGE]), first);
        assert.deepEqual(await (await other())([CLAIM], [PASSAGE]), first);
      }),
      checking('returns nothing for no claims', async (check) => {
        assert.deepEqual(await check([], [PASSAGE]), []);
        assert.deepEqual(await check([CLAIM], []), [[]]);
      }),
      checking('accepts any text, of any length', async (check) => {
        for (const text of TEXTS)
          for (const triple of (await check([text, CLAIM], [text])).flat()) assertTriple(triple);
      }),
      telling(
        checking(
          'gives a claim a higher entailment by a passage that states it than by an unrelated one',
          async (check) => {
            const [[there, elsewhere] = []] = await check([CLAIM], [PASSAGE, FOREIGN]);
            assert.ok((there?.entailment ?? 0) > (elsewhere?.entailment ?? 1), `${there?.entailment} is the larger`);
          },
        ),
      ),
      checking('stops when the signal has fired', async (check) => {
        await assert.rejects(() => check([CLAIM], [PASSAGE], ABORTED), isCancelled);
      }),
      judging('keeps ranges inside the text, and changes nothing but citations', async (judge) => {
        for (const raw of [`${CLAIM} ${FOREIGN}`, `${CLAIM.slice(0, -1)} [#1][#9]. "Never" [2] in 1872.`, ...TEXTS]) {
          const { text, sentences, findings } = await judge(raw);
          for (const { start, end } of [...sentences, ...findings])
            assert.ok(start >= 0 && start <= end && end <= text.length, `${start} to ${end} is in the text`);
          for (const finding of findings.filter(({ start, end }) => start < end))
            assert.equal(text.slice(finding.start, finding.end), finding.text);
          assert.equal(withoutMarkers(text), withoutMarkers(answerToJudge(raw, [PASSAGE, FOREIGN]).text));
        }
      }),
      judging('is deterministic, in every instance, with plain data', async (judge, other) => {
        const first = await judge(`${CLAIM} ${FOREIGN}`);
        assert.deepEqual(await judge(`${CLAIM} ${FOREIGN}`), first);
        assert.deepEqual(await other(`${CLAIM} ${FOREIGN}`), first);
        assert.deepEqual(structuredClone(first), first);
      }),
      telling(
        judging('supports a sentence copied from the passage that it cites', async (judge) => {
          const { sentences, reason, cited } = await judge(`${CLAIM.slice(0, -1)} [1].`);
          assert.deepEqual([sentences.map(({ verdict }) => verdict), reason, cited], [['supported'], null, [1]]);
        }),
      ),
      telling(
        judging('contradicts a sentence with another number', async (judge) => {
          const { sentences, reason, findings } = await judge(`${CLAIM.slice(0, -1).replace('1871', '1872')} [1].`);
          assert.deepEqual(
            sentences.map(({ verdict }) => verdict),
            ['contradicted'],
          );
          assert.ok(reason !== null && findings.some(({ level }) => level === 'failed'), 'it is not grounded');
        }),
      ),
      telling(
        judging('does not ground an answer that claims nothing', async (judge) => {
          const { sentences, reason } = await judge('Hello!');
          assert.ok(sentences.every(({ verdict }) => verdict === null) && reason !== null, 'nothing is grounded');
        }),
      ),
      judging('stops when the signal has fired', async (judge) => {
        await assert.rejects(() => judge(CLAIM, ABORTED), isCancelled);
      }),
    ],
  };
}

function withoutMarkers(text: string): string {
  return text.replaceAll(/\s*\[\d+\]/g, '');
}

function assertTriple({ entailment, neutral, contradiction }: Entailment): void {
  for (const share of [entailment, neutral, contradiction])
    assert.ok(share >= 0 && share <= 1, `${share} is a probability`);
  const sum = entailment + neutral + contradiction;
  assert.ok(Math.abs(sum - 1) < 1e-3, `the three sum to ${sum}`);
}

/** Batches of quantised models differ slightly. */
function assertNear(one: Entailment | undefined, other: Entailment | undefined, what: string): void {
  assert.ok(one !== undefined && other !== undefined, what);
  for (const share of ['entailment', 'neutral', 'contradiction'] as const)
    assert.ok(Math.abs(one[share] - other[share]) < 0.02, `${what}: ${share} ${one[share]} and ${other[share]}`);
}
