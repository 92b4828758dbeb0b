import { KebabError } from '@kebab/core';
import { type AnswerLog, type AnswerRow, type Mode } from '@kebab/core/store';
import { rowsOf, type Statements } from '../database/statements.ts';
import { sqliteCode, storeFailure } from '../database/store-failure.ts';
import type { Row } from '../database/tables.ts';

const COLUMNS = [
  'trace_id',
  'query',
  'answer',
  'grounded',
  'refusal_reason',
  'model_id',
  'model_provider',
  'embedding_model_id',
  'embedding_dimensions',
  'prompt_template_version',
  'retrieval_mode',
  'retrieval_k',
  'score_gate',
  'top_score',
  'chunks_returned',
  'chunks_used',
  'citations_json',
  'packed_chunks_json',
  'answer_json',
  'prompt_tokens',
  'completion_tokens',
  'latency_ms',
  'created_at',
] as const satisfies readonly (keyof Row<'answers'>)[];

const INSERT = `INSERT INTO answers (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `@${name}`).join(', ')})`;
const LATEST = rowsOf<Row<'answers'>>('SELECT * FROM answers ORDER BY created_at DESC, rowid DESC LIMIT @limit');

/** Answers in the database of the documents. One statement writes one, so that no lock is needed. */
export class SqliteAnswerLog implements AnswerLog {
  readonly #statements: Statements;
  readonly #location: string;

  /** `location` is named in messages. */
  constructor(statements: Statements, location: string) {
    this.#statements = statements;
    this.#location = location;
  }

  record(answer: AnswerRow): void {
    try {
      this.#statements.run(INSERT, toRow(answer));
    } catch (error) {
      if (sqliteCode(error) === 'SQLITE_READONLY')
        throw new KebabError('readonly_mode', `${this.#location} was opened for reading`, {
          details: { command: 'ask' },
          cause: error,
        });
      throw storeFailure(error, this.#location) satisfies unknown;
    }
  }

  latest(limit: number): readonly AnswerRow[] {
    return this.#statements.all(LATEST, { limit }).map(toAnswer);
  }
}

function toRow(answer: AnswerRow): Row<'answers'> {
  return {
    trace_id: answer.traceId,
    query: answer.query,
    answer: answer.answer,
    grounded: answer.grounded ? 1 : 0,
    refusal_reason: answer.refusalReason,
    model_id: answer.modelId,
    model_provider: answer.modelProvider,
    embedding_model_id: answer.embeddingModelId,
    embedding_dimensions: answer.embeddingDimensions,
    prompt_template_version: answer.promptTemplateVersion,
    retrieval_mode: answer.retrievalMode,
    retrieval_k: answer.retrievalK,
    score_gate: answer.scoreGate,
    top_score: answer.topScore,
    chunks_returned: answer.chunksReturned,
    chunks_used: answer.chunksUsed,
    citations_json: answer.citationsJson,
    packed_chunks_json: answer.packedChunksJson,
    answer_json: answer.answerJson,
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    latency_ms: answer.latencyMs,
    created_at: answer.createdAt.toISOString(),
  };
}

function toAnswer(row: Row<'answers'>): AnswerRow {
  return {
    traceId: row.trace_id,
    query: row.query,
    answer: row.answer,
    grounded: row.grounded === 1,
    refusalReason: row.refusal_reason,
    modelId: row.model_id,
    modelProvider: row.model_provider,
    embeddingModelId: row.embedding_model_id,
    embeddingDimensions: row.embedding_dimensions,
    promptTemplateVersion: row.prompt_template_version,
    retrievalMode: row.retrieval_mode as Mode,
    retrievalK: row.retrieval_k,
    scoreGate: row.score_gate,
    topScore: row.top_score,
    chunksReturned: row.chunks_returned,
    chunksUsed: row.chunks_used,
    citationsJson: row.citations_json,
    packedChunksJson: row.packed_chunks_json,
    answerJson: row.answer_json,
    promptTokens: row.prompt_tokens ?? 0,
    completionTokens: row.completion_tokens ?? 0,
    latencyMs: row.latency_ms ?? 0,
    createdAt: new Date(row.created_at),
  };
}
