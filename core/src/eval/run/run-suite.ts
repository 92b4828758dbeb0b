import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { Mode } from '../../domain/query.ts';
import { mintRunId } from '../../domain/minted-ids.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { type EvalOptions, type EvalRequest, tell, type QueryResult } from '../query-result.ts';
import {
  aggregateResults,
  metricsOf,
  firstRelevantRank,
  judgeResult,
  rankedBy,
  roundMetric,
} from '../metrics/ranking-metrics.ts';
import { runQuery } from './run-query.ts';
import { takeSnapshot } from './run-snapshot.ts';
import { openSuite } from '../suite/resolve-expectations.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { gitFactsFor } from '../../git/git-facts.ts';
import type { Ports } from '../../ports.ts';
import { type AskRequest, checkAsk } from '../../requests/ask.ts';
import type { SearchQuery } from '../../requests/search.ts';
import type { Answer, CitationCheck, EvalRun, SearchResponse } from '../../wire/index.ts';

/**
 * Runs a golden suite and records it: in the database, and as `per_query.jsonl` in the folder of the run. A query that fails
 * is counted and the run goes on. Errors: `not_indexed` without a database, `invalid_input` for settings out of range and a
 * suite with mistakes, `io_error`, and `cancelled`, when nothing is recorded.
 */
export async function runSuite(
  sources: EvalSources,
  request: EvalRequest,
  options: EvalOptions = {},
): Promise<EvalRun> {
  const { documents, config, clock } = sources;
  const { signal, onProgress, onNotice } = options;
  const settings = runSettings(request, config);
  const createdAt = clock.now();
  const store = await documents.read();
  const queries = await openSuite(request.suite, store);
  const snapshot = await takeSnapshot(sources, { store, settings });
  const run = { settings, ...(signal === undefined ? {} : { signal }) };
  const results: QueryResult[] = [];
  for (const query of queries) {
    results.push(await runQuery(sources, query, run));
    tell(onProgress, { done: results.length, total: queries.length, queryId: query.query.id });
  }
  throwIfCancelled(signal, 'eval run');
  const aggregate = aggregateResults(results);
  const runId = mintRunId(createdAt, randomBytes(5));
  const { commit = null } = (await gitFactsFor(path.dirname(request.suite))) ?? {};
  const log = (await documents.write()).evals;
  log.record(
    {
      runId,
      suite: request.suite,
      configSnapshotJson: JSON.stringify(snapshot),
      aggregateJson: JSON.stringify(aggregate),
      commitHash: commit,
      createdAt,
    },
    results.map((result) => ({ queryId: result.query_id, resultJson: JSON.stringify(result) })),
  );
  const file = path.join(config.storage.runsDir, runId, 'per_query.jsonl');
  makeOwnFolder(config.storage.runsDir);
  writeAtomically(file, perQueryLines(results));
  for (const notice of runNotices(results)) tell(onNotice, notice);
  tell(onNotice, `every query by itself: ${file}`);
  return {
    schema_version: 'eval_run.v1',
    run_id: runId,
    suite: request.suite,
    queries: results.length,
    failed: results.filter(({ error }) => error !== null).length,
    aggregate,
    created_at: createdAt.toISOString(),
  };
}

/** What is evaluated, and what the evaluation needs besides. */
export interface EvalSources extends Pick<
  Ports,
  'documents' | 'lexicalIndex' | 'embedders' | 'vectorStores' | 'config' | 'clock'
> {
  readonly search: (query: SearchQuery, options: AbortOptions) => Promise<SearchResponse>;
  readonly ask: (request: AskRequest, options: AbortOptions) => Promise<Answer>;
  readonly verify: (uri: string, options: CitedText & AbortOptions) => Promise<CitationCheck>;
}

/** What an answer says of a text that it cites. */
interface CitedText {
  readonly hash: string;
  readonly source: string;
}

/** The text of `per_query.jsonl`: each result with its rank and its own metrics, a JSON object a line. */
function perQueryLines(results: readonly QueryResult[]): string {
  return results.map((result) => `${JSON.stringify(lineOf(result))}\n`).join('');
}

function lineOf(result: QueryResult): object {
  const judged = judgeResult(result);
  const ranking = judged === null ? null : rankedBy(judged);
  const metrics = [...metricsOf(judged)].map(([name, value]) => [name, value === null ? null : roundMetric(value)]);
  return {
    ...result,
    first_relevant_rank: ranking === null ? null : firstRelevantRank(ranking),
    metrics: Object.fromEntries(metrics) as unknown,
  };
}

/** What people should know of a run beside its metrics, a line each: queries that failed, and stages that were skipped. */
function runNotices(results: readonly QueryResult[]): readonly string[] {
  return [...failures(results), ...skipped(results)];
}

function failures(results: readonly QueryResult[]): readonly string[] {
  const failed = results.filter(({ error }) => error !== null);
  const [first] = failed;
  if (first?.error === undefined || first.error === null) return [];
  const { code, message } = first.error;
  const others = failed.length === 1 ? '' : `${failed.length} queries failed; the first: `;
  return [`${others}query ${first.query_id} failed: ${code}: ${message}`];
}

function skipped(results: readonly QueryResult[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { retrieval } of results)
    for (const stage of retrieval?.degraded ?? []) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return [...counts].map(([stage, count]) => `${count} of ${results.length} queries skipped a stage (${stage})`);
}

/** How every query of one run is searched and asked. */
export interface RunSettings {
  readonly mode: Mode;
  readonly k: number;
  readonly withRag: boolean;
  readonly temperature: number;
  readonly seed: number;
}

const DEFAULT_K = 10;

/** Fills in defaults. Throws `invalid_input` for what is out of range, before anything runs. */
function runSettings(request: EvalRequest, config: ResolvedConfig): RunSettings {
  const { mode, temperature, seed, withRag = false } = request;
  const checked = checkAsk(
    {
      question: 'any',
      k: request.k ?? DEFAULT_K,
      ...(mode === undefined ? {} : { mode }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
    },
    config,
  );
  return { mode: checked.mode, k: checked.k, temperature: checked.temperature, seed: checked.seed, withRag };
}
