import type { Mode } from '../domain/query.ts';

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
