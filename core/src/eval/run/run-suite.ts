import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { throwIfCancelled } from '../../errors/abort.ts';
import { makeOwnFolder } from '../../files/own-folder.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { gitFactsFor } from '../../git/git-facts.ts';
import { mintRunId } from '../../domain/run-id.ts';
import type { EvalRun } from '../../wire/index.ts';
import type { EvalOptions, EvalRequest } from '../eval-request.ts';
import { aggregateResults } from '../metrics/aggregate-results.ts';
import { openSuite } from '../suite/open-suite.ts';
import { tell } from '../tell.ts';
import type { EvalSources } from './eval-sources.ts';
import { perQueryLines } from './per-query-lines.ts';
import type { QueryResult } from '../query-result.ts';
import { runNotices } from './run-notices.ts';
import { runQuery } from './run-query.ts';
import { runSettings } from './run-settings.ts';
import { takeSnapshot } from './run-snapshot.ts';

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
