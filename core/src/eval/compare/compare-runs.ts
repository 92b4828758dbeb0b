import path from 'node:path';
import { throwIfCancelled } from '../../errors/abort.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { Ports } from '../../ports.ts';
import {
  type Judged,
  type JudgedBy,
  aggregateResults,
  judgeResult,
  rankedBy,
  firstRelevantRank,
  roundMetric,
  CUTOFFS,
  FAILED_QUERIES,
  METRICS,
  metricsOf,
  nameAtK,
} from '../metrics/ranking-metrics.ts';
import { type EvalCompareOptions, notify, type QueryResult } from '../query-result.ts';
import type { RunVersions, RunSnapshot } from '../run/run-suite.ts';
import type { EvalAggregate, EvalCompare } from '../../wire/index.ts';
import type { EvalLog, EvalRunRow } from '../../contracts/logs.ts';

/** The metrics of a run, recomputed from its results. Throws `invalid_input` for an unknown run, `not_indexed`. */
export async function aggregateRun({ documents }: Pick<Ports, 'documents'>, runId: string): Promise<EvalAggregate> {
  const { row, results } = await loadRun((await documents.read()).evals, runId);
  return { schema_version: 'eval_aggregate.v1', run_id: row.runId, metrics: aggregateResults(results) };
}

/**
 * Compares two stored runs by the ids of their queries. Throws `invalid_input` for an unknown run and, in strict mode, for runs whose
 * documents were chunked by different chunkers.
 */
export async function compareStoredRuns(
  { documents, config }: Pick<Ports, 'documents' | 'config'>,
  ids: { readonly a: string; readonly b: string },
  options: EvalCompareOptions = {},
): Promise<EvalCompare> {
  const { signal, onNotice, strictChunkerVersion = false, writeReport = false } = options;
  throwIfCancelled(signal, 'eval compare');
  const log = (await documents.read()).evals;
  const [a, b] = [await loadRun(log, ids.a), await loadRun(log, ids.b)];
  const compared = compareRuns(a, b, strictChunkerVersion);
  for (const notice of compared.notices) notify(onNotice, notice);
  if (writeReport) {
    const { runsDir } = config.storage;
    const file = path.join(runsDir, b.row.runId, 'report.md');
    makeOwnFolder(runsDir);
    writeAtomically(file, renderReport(compared, a, b));
    notify(onNotice, `report: ${file}`);
  }
  return compared.compare;
}

/** The comparison of two runs, with notices for the user, one per line. */
export interface ComparedRuns {
  readonly compare: EvalCompare;
  readonly judgedBy: JudgedBy;
  readonly notices: readonly string[];
}

const DEEPEST_CUTOFF = 10;

/** Compares two runs: by chunk, or by document when documents were chunked differently. With `strict` the latter throws `invalid_input`. */
export function compareRuns(a: StoredRun, b: StoredRun, strict: boolean): ComparedRuns {
  const differences = chunkerDifferences(a.snapshot.versions.chunkers, b.snapshot.versions.chunkers);
  if (strict && differences.length > 0)
    throw invalidInput(`${a.row.runId} and ${b.row.runId} differ in their chunkers: ${differences.join('; ')}`, {
      field: 'strict_chunker_version',
      hint: 'without --strict-chunker-version they are compared by document',
    });
  const judgedBy = differences.length > 0 ? 'document' : 'chunk';
  return {
    compare: {
      schema_version: 'eval_compare.v1',
      a: a.row.runId,
      b: b.row.runId,
      ...compareResults(a.results, b.results, judgedBy),
    },
    judgedBy,
    notices: [...chunkerNotice(differences), ...unmatchedNotice(a, b), ...depthNotice(a, b)],
  };
}

function chunkerNotice(differences: readonly string[]): readonly string[] {
  if (differences.length === 0) return [];
  return [`compared by document, because the chunkers differ: ${differences.join('; ')}`];
}

function unmatchedNotice(a: StoredRun, b: StoredRun): readonly string[] {
  const [ofA, ofB] = [idsOf(a), idsOf(b)];
  const onlyA = [...ofA].filter((id) => !ofB.has(id)).length;
  const onlyB = [...ofB].filter((id) => !ofA.has(id)).length;
  if (onlyA + onlyB === 0) return [];
  return [`queries of one run only are left out: ${onlyA} of ${a.row.runId}, ${onlyB} of ${b.row.runId}`];
}

function idsOf({ results }: StoredRun): ReadonlySet<string> {
  return new Set(results.map(({ query_id: id }) => id));
}

function depthNotice(a: StoredRun, b: StoredRun): readonly string[] {
  const [ofA, ofB] = [a.snapshot.k, b.snapshot.k];
  if (ofA === ofB || Math.min(ofA, ofB) >= DEEPEST_CUTOFF) return [];
  return [`the runs looked at different depths: k = ${ofA} and k = ${ofB}`];
}

/** One query in both runs. */
interface Pair {
  readonly id: string;
  readonly a: Side;
  readonly b: Side;
}

/** A query in one run. */
interface Side {
  readonly metrics: ReadonlyMap<string, number | null>;
  readonly rank: number | null;
  readonly failed: boolean;
}

type Compared = EvalCompare['metrics'][string];

/**
 * Compares two runs over the queries that both contain, in the order of the first. A metric is compared over the pairs that have it on both
 * sides: a and b are their means, delta is b − a as reported.
 */
export function compareResults(
  a: readonly QueryResult[],
  b: readonly QueryResult[],
  judgedBy: JudgedBy,
): Pick<EvalCompare, 'metrics' | 'queries'> {
  const others = new Map(b.map((result) => [result.query_id, result]));
  const pairs = a.flatMap((result): readonly Pair[] => {
    const other = others.get(result.query_id);
    if (other === undefined) return [];
    return [{ id: result.query_id, a: sideOf(result, judgedBy), b: sideOf(other, judgedBy) }];
  });
  return {
    metrics: {
      ...Object.fromEntries(metricNames().map((name) => [name, compareMetric(name, pairs)])),
      [FAILED_QUERIES]: compareFailures(pairs),
    },
    queries: pairs.map(({ id, a: { rank: rankA }, b: { rank: rankB } }) => ({
      id,
      outcome: outcomeOf(rankA, rankB),
      rank_a: rankA,
      rank_b: rankB,
    })),
  };
}

function metricNames(): readonly string[] {
  return METRICS.flatMap(({ kind, name }) => (kind === 'plain' ? [name] : CUTOFFS.map((k) => nameAtK(name, k))));
}

function sideOf(result: QueryResult, judgedBy: JudgedBy): Side {
  const judged = judgeResult(result, judgedBy);
  return { metrics: metricsOf(judged), rank: rankOf(judged), failed: result.error !== null };
}

function rankOf(judged: Judged | null): number | null {
  const ranking = judged === null ? null : rankedBy(judged);
  return ranking === null ? null : firstRelevantRank(ranking);
}

function compareMetric(name: string, pairs: readonly Pair[]): Compared {
  const values = pairs.flatMap(({ a, b }) => {
    const [ofA, ofB] = [a.metrics.get(name) ?? null, b.metrics.get(name) ?? null];
    return ofA === null || ofB === null ? [] : [{ ofA, ofB }];
  });
  if (values.length === 0) return { a: null, b: null, delta: null, ci95: null };
  const a = roundMetric(mean(values.map(({ ofA }) => ofA)));
  const b = roundMetric(mean(values.map(({ ofB }) => ofB)));
  const interval = bootstrapInterval(values.map(({ ofA, ofB }) => ofB - ofA));
  return {
    a,
    b,
    delta: roundMetric(b - a),
    ci95: interval === null ? null : [roundMetric(interval[0]), roundMetric(interval[1])],
  };
}

/** A count, which has no confidence interval. */
function compareFailures(pairs: readonly Pair[]): Compared {
  const a = pairs.filter((pair) => pair.a.failed).length;
  const b = pairs.filter((pair) => pair.b.failed).length;
  return { a, b, delta: b - a, ci95: null };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The outcome of a query in the second run relative to the first. */
export type Outcome = EvalCompare['queries'][number]['outcome'];

/**
 * Determines the outcome of the second run from the ranks of the first relevant hit: `win` when it ranks higher or is newly found, `loss`
 * when it ranks lower, `regression` when it is no longer found, else `draw`. Null means no relevant hit.
 */
export function outcomeOf(rankA: number | null, rankB: number | null): Outcome {
  if (rankA === rankB) return 'draw';
  if (rankB === null) return 'regression';
  return rankA === null || rankB < rankA ? 'win' : 'loss';
}

/** The number of bootstrap samples. */
export const RESAMPLES = 10_000;
/** The seed of the samples; two comparisons of the same runs give the same interval. */
export const SEED = 20_240_601;

const TAIL = 0.025;
const FEWEST_PAIRS = 2;

/**
 * The 95 % confidence interval of the mean of paired differences, by the percentile bootstrap: {@link RESAMPLES} samples of the same size
 * are drawn with replacement. Null for fewer than two pairs, which do not show any variance.
 */
export function bootstrapInterval(deltas: readonly number[]): readonly [low: number, high: number] | null {
  if (deltas.length < FEWEST_PAIRS) return null;
  const draw = random(SEED);
  const means = new Float64Array(RESAMPLES);
  for (let at = 0; at < RESAMPLES; at++) {
    let sum = 0;
    for (let drawn = 0; drawn < deltas.length; drawn++) sum += deltas[Math.floor(draw() * deltas.length)] ?? 0;
    means[at] = sum / deltas.length;
  }
  means.sort();
  const low = means[Math.floor(TAIL * RESAMPLES)] ?? 0;
  const high = means[Math.ceil((1 - TAIL) * RESAMPLES) - 1] ?? 0;
  return [low, high];
}

/** A seeded sequence of numbers in [0, 1) (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Chunkers = RunVersions['chunkers'];

/** The media that were chunked differently in two runs, one text each; media that only one run has do not count. */
function chunkerDifferences(a: Chunkers, b: Chunkers): readonly string[] {
  return Object.entries(a).flatMap(([media, labels]) => {
    const others = Object.hasOwn(b, media) ? (b[media] ?? labels) : labels;
    return labels.join(', ') === others.join(', ') ? [] : [`${media} (${labels.join(', ')} and ${others.join(', ')})`];
  });
}

/** A run as it was recorded. */
export interface StoredRun {
  readonly row: EvalRunRow;
  readonly snapshot: RunSnapshot;
  /** In the order of the suite. */
  readonly results: readonly QueryResult[];
}

/** How many run ids an error lists as suggestions. */
const NAMED_RUNS = 5;

/** Reads a run with its results. Throws `invalid_input` for an unknown id, listing the latest ones. */
export async function loadRun(log: EvalLog, runId: string): Promise<StoredRun> {
  const row = await log.find(runId);
  if (row === null) {
    const known = (await log.latest(NAMED_RUNS)).map((run) => run.runId);
    throw invalidInput(`there is no evaluation run ${JSON.stringify(runId)}`, {
      field: 'run',
      value: runId,
      allowed: known,
      hint: known.length === 0 ? 'make one with `kebab eval run`' : `the latest runs are ${known.join(', ')}`,
    });
  }
  return {
    row,
    snapshot: JSON.parse(row.configSnapshotJson) as RunSnapshot,
    results: (await log.results(runId)).map(({ resultJson }) => JSON.parse(resultJson) as QueryResult),
  };
}

const OUTCOMES: readonly Outcome[] = ['regression', 'loss', 'win', 'draw'];

/** Renders the comparison of two runs as a Markdown page: their settings, the metrics, and the queries that changed. */
export function renderReport({ compare, judgedBy, notices }: ComparedRuns, a: StoredRun, b: StoredRun): string {
  return [
    `# ${a.row.runId} and ${b.row.runId}`,
    table(
      ['', 'A', 'B'],
      factsOf(a).map(([label, value], at) => [label, value, factsOf(b)[at]?.[1] ?? '']),
    ),
    ...notices.map((notice) => `> ${inline(notice)}`),
    '## Metrics',
    `Judged by ${judgedBy}, over the queries that both runs have. The interval is that of B − A: paired bootstrap, 95 %, ` +
      `${RESAMPLES} resamples, seed ${SEED}.`,
    table(['metric', 'A', 'B', 'B − A', '95 % interval'], Object.entries(compare.metrics).flatMap(metricRow)),
    '## Queries',
    `${OUTCOMES.map((outcome) => `${countOf(compare, outcome)} ${outcome}`).join(', ')}.`,
    ...changedQueries(compare, a),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function factsOf({ row, snapshot, results }: StoredRun): readonly (readonly [label: string, value: string])[] {
  const { versions } = snapshot;
  return [
    ['run', row.runId],
    ['at', row.createdAt.toISOString()],
    ['suite', row.suite],
    ['commit', row.commitHash ?? '–'],
    ['queries', `${results.length}, ${results.filter(({ error }) => error !== null).length} failed`],
    ['mode, k', `${snapshot.mode}, ${snapshot.k}${snapshot.with_rag ? ', with answers' : ''}`],
    ['corpus', `${snapshot.documents} documents, revision ${snapshot.corpus_revision}`],
    ['kebab, index', `${versions.kebab}, ${versions.index_version}`],
    ['embedder', versions.embedding ?? '–'],
    ['reranker', versions.reranker ?? '–'],
    [
      'chunkers',
      Object.entries(versions.chunkers)
        .map(([media, labels]) => `${media}: ${labels.join(', ')}`)
        .join('; '),
    ],
    ['model, template', snapshot.with_rag ? `${versions.llm}, ${versions.prompt_template_version}` : '–'],
  ];
}

function metricRow([name, { a, b, delta, ci95 }]: [string, EvalCompare['metrics'][string]]): readonly string[][] {
  if (a === null || b === null || delta === null) return [];
  return [[name, text(a), text(b), signed(delta), ci95 === null ? '–' : `${signed(ci95[0])} … ${signed(ci95[1])}`]];
}

function changedQueries(compare: EvalCompare, a: StoredRun): readonly string[] {
  const texts = new Map(a.results.map(({ query_id: id, query }) => [id, query]));
  const rows = OUTCOMES.filter((outcome) => outcome !== 'draw').flatMap((outcome) =>
    compare.queries
      .filter((query) => query.outcome === outcome)
      .map(({ id, rank_a, rank_b }) => [outcome, id, rankText(rank_a), rankText(rank_b), texts.get(id) ?? '']),
  );
  return rows.length === 0 ? [] : [table(['outcome', 'query', 'rank in A', 'rank in B', 'text'], rows)];
}

function countOf({ queries }: EvalCompare, outcome: Outcome): number {
  return queries.filter((query) => query.outcome === outcome).length;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), tableRow(head.map(() => '---')), ...rows.map(tableRow)].join('\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(inline).join(' | ')} |`;
}

/** Escapes a text for a table cell: content of a suite or a path must not break out of it. */
function inline(value: string): string {
  return value.replaceAll(/\s+/g, ' ').replaceAll(/[\\|<>`]/g, String.raw`\$&`);
}

function text(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

function signed(value: number): string {
  return value > 0 ? `+${text(value)}` : text(value);
}

function rankText(rank: number | null): string {
  return rank === null ? '–' : String(rank);
}
