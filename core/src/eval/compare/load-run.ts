import type { EvalLog, EvalRunRow } from '../../contracts/eval-log.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import type { QueryResult } from '../query-result.ts';
import type { RunSnapshot } from '../run/run-snapshot.ts';

/** A run as it was recorded. */
export interface StoredRun {
  readonly row: EvalRunRow;
  readonly snapshot: RunSnapshot;
  /** In the order of the suite. */
  readonly results: readonly QueryResult[];
}

/** How many runs are named to somebody who named none of them. */
const NAMED_RUNS = 5;

/** Reads a run with its results. Throws `invalid_input` when there is none of that id, naming the latest ones. */
export function loadRun(log: EvalLog, runId: string): StoredRun {
  const row = log.find(runId);
  if (row === null) {
    const known = log.latest(NAMED_RUNS).map((run) => run.runId);
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
    results: log.results(runId).map(({ resultJson }) => JSON.parse(resultJson) as QueryResult),
  };
}
