/** The record of one run of a golden suite. */
export interface EvalRunRow {
  readonly runId: string;
  /** Path of the suite. */
  readonly suite: string;
  /** What was asked for, and the settings, versions and corpus it was asked of. */
  readonly configSnapshotJson: string;
  /** The metrics as they were told when the run ended. */
  readonly aggregateJson: string;
  /** What is checked out in the repository that the suite lies in; null outside of any. */
  readonly commitHash: string | null;
  readonly createdAt: Date;
}

/** What came of one query of a run. */
export interface EvalResultRow {
  readonly queryId: string;
  readonly resultJson: string;
}

/** Keeps runs of golden suites. Recording needs no writer's lock; a store opened read-only throws `readonly_mode`. */
export interface EvalLog {
  /** Keeps a run with all of its results, or nothing of it. */
  record(run: EvalRunRow, results: readonly EvalResultRow[]): void;
  /** Null when there is no run of that id. */
  find(runId: string): EvalRunRow | null;
  /** The results of a run in the order in which they were recorded; none for a run that is not there. */
  results(runId: string): readonly EvalResultRow[];
  /** The last `limit` runs, newest first. */
  latest(limit: number): readonly EvalRunRow[];
}
