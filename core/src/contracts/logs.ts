import type { Mode } from '../domain/query.ts';

/** The record of one run of a golden suite. */
export interface EvalRunRow {
  readonly runId: string;
  /** Path of the suite. */
  readonly suite: string;
  /** What was asked for, and the settings, versions and corpus it was asked of. */
  readonly configSnapshotJson: string;
  /** The metrics as they were reported when the run ended. */
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

/** The record of one question: what was asked, what came of it, and from what. Refusals are answers too. */
export interface AnswerRow {
  readonly traceId: string;
  readonly query: string;
  readonly answer: string;
  readonly grounded: boolean;
  readonly refusalReason: string | null;
  readonly modelId: string;
  readonly modelProvider: string;
  readonly embeddingModelId: string | null;
  readonly embeddingDimensions: number | null;
  readonly promptTemplateVersion: string;
  readonly retrievalMode: Mode;
  readonly retrievalK: number;
  readonly scoreGate: number;
  readonly topScore: number;
  readonly chunksReturned: number;
  readonly chunksUsed: number;
  readonly citationsJson: string;
  /** The passages of the prompt by number, as JSON; null when there was no prompt. */
  readonly packedChunksJson: string | null;
  /** The whole answer.v1. */
  readonly answerJson: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly latencyMs: number;
  readonly createdAt: Date;
}

/** Keeps answers. Recording needs no writer's lock; a store opened read-only throws `readonly_mode`. */
export interface AnswerLog {
  record(answer: AnswerRow): void;
  /** The last `limit` answers, newest first. */
  latest(limit: number): readonly AnswerRow[];
}
