import { KebabError } from '@kebab/core';
import type { EvalLog, EvalResultRow, EvalRunRow, AnswerLog, AnswerRow, Mode } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { rowsOf, type Statements } from '../database/statements.ts';
import { sqliteCode, storeFailure } from '../database/store-failure.ts';
import type { Row } from '../database/tables.ts';

const INSERT_RUN = `INSERT INTO eval_runs (run_id, suite, config_snapshot_json, aggregate_json, commit_hash, created_at)
  VALUES (@run_id, @suite, @config_snapshot_json, @aggregate_json, @commit_hash, @created_at)`;
const INSERT_RESULT = `INSERT INTO eval_query_results (run_id, query_id, result_json)
  VALUES (@run_id, @query_id, @result_json)`;
const FIND = rowsOf<Row<'eval_runs'>>('SELECT * FROM eval_runs WHERE run_id = @run_id');
const RESULTS = rowsOf<Pick<Row<'eval_query_results'>, 'query_id' | 'result_json'>>(
  'SELECT query_id, result_json FROM eval_query_results WHERE run_id = @run_id ORDER BY rowid',
);
const LATEST = rowsOf<Row<'eval_runs'>>('SELECT * FROM eval_runs ORDER BY created_at DESC, rowid DESC LIMIT @limit');

/** Options of the log. */
interface SqliteEvalLogOptions {
  readonly db: Connection;
  readonly statements: Statements;
  /** The database, for messages. */
  readonly location: string;
}

/** Runs of golden suites in the documents' database. Each is written in one transaction, so no lock is needed. */
export class SqliteEvalLog implements EvalLog {
  readonly #options: SqliteEvalLogOptions;

  constructor(options: SqliteEvalLogOptions) {
    this.#options = options;
  }

  record(run: EvalRunRow, results: readonly EvalResultRow[]): void {
    const { db, statements, location } = this.#options;
    try {
      db.transaction(() => {
        statements.run(INSERT_RUN, toRow(run));
        for (const { queryId, resultJson } of results)
          statements.run(INSERT_RESULT, { run_id: run.runId, query_id: queryId, result_json: resultJson });
      }).immediate();
    } catch (error) {
      if (sqliteCode(error) === 'SQLITE_READONLY')
        throw new KebabError('readonly_mode', `${location} was opened for reading`, {
          details: { command: 'eval run' },
          cause: error,
        });
      throw storeFailure(error, location) satisfies unknown;
    }
  }

  find(runId: string): EvalRunRow | null {
    const row = this.#options.statements.first(FIND, { run_id: runId });
    return row === undefined ? null : toRun(row);
  }

  results(runId: string): readonly EvalResultRow[] {
    return this.#options.statements
      .all(RESULTS, { run_id: runId })
      .map((row) => ({ queryId: row.query_id, resultJson: row.result_json }));
  }

  latest(limit: number): readonly EvalRunRow[] {
    return this.#options.statements.all(LATEST, { limit }).map(toRun);
  }
}

function toRow(run: EvalRunRow): Row<'eval_runs'> {
  return {
    run_id: run.runId,
    suite: run.suite,
    config_snapshot_json: run.configSnapshotJson,
    aggregate_json: run.aggregateJson,
    commit_hash: run.commitHash,
    created_at: run.createdAt.toISOString(),
  };
}

function toRun(row: Row<'eval_runs'>): EvalRunRow {
  return {
    runId: row.run_id,
    suite: row.suite,
    configSnapshotJson: row.config_snapshot_json,
    aggregateJson: row.aggregate_json,
    commitHash: row.commit_hash,
    createdAt: new Date(row.created_at),
  };
}

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
const LATEST_ANSWERS = rowsOf<Row<'answers'>>(
  'SELECT * FROM answers ORDER BY created_at DESC, rowid DESC LIMIT @limit',
);

/** Answers in the documents' database. Each is written by one statement, so no lock is needed. */
export class SqliteAnswerLog implements AnswerLog {
  readonly #statements: Statements;
  readonly #location: string;

  /** `location` appears in messages. */
  constructor(statements: Statements, location: string) {
    this.#statements = statements;
    this.#location = location;
  }

  record(answer: AnswerRow): void {
    try {
      this.#statements.run(INSERT, answerRow(answer));
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
    return this.#statements.all(LATEST_ANSWERS, { limit }).map(toAnswer);
  }
}

function answerRow(answer: AnswerRow): Row<'answers'> {
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
