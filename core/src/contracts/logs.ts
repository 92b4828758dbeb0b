import type { Mode } from '../domain/query.ts';

/** The record of one run of a golden suite. */
export interface EvalRunRow {
  readonly runId: string;
  /** Path of the suite. */
  readonly suite: string;
  /** The requested run, and the settings, versions and corpus it ran against. */
  readonly configSnapshotJson: string;
  /** The metrics reported at the end of the run. */
  readonly aggregateJson: string;
  /** The commit checked out in the repository that contains the suite; null outside any repository. */
  readonly commitHash: string | null;
  readonly createdAt: Date;
}

/** The result of one query of a run. */
export interface EvalResultRow {
  readonly queryId: string;
  readonly resultJson: string;
}

/** Keeps runs of golden suites. Recording does not need the writer lock; a store opened read-only throws `readonly_mode`. */
export interface EvalLog {
  /** Records a run with all of its results, or nothing. */
  record(run: EvalRunRow, results: readonly EvalResultRow[]): Promise<void>;
  /** Null when no run has that id. */
  find(runId: string): Promise<EvalRunRow | null>;
  /** The results of a run in the order they were recorded; empty for an unknown run. */
  results(runId: string): Promise<readonly EvalResultRow[]>;
  /** The last `limit` runs, newest first. */
  latest(limit: number): Promise<readonly EvalRunRow[]>;
}

/** The record of one question: the question, its result, and the evidence. Refusals are recorded too. */
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
  /** The passages in the prompt by number, as JSON; null when there was no prompt. */
  readonly packedChunksJson: string | null;
  /** The complete answer.v1. */
  readonly answerJson: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly latencyMs: number;
  readonly createdAt: Date;
}

/** Keeps answers. Recording does not need the writer lock; a store opened read-only throws `readonly_mode`. */
export interface AnswerLog {
  record(answer: AnswerRow): Promise<void>;
  /** The last `limit` answers, newest first. */
  latest(limit: number): Promise<readonly AnswerRow[]>;
}
