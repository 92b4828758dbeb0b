import { KebabError } from '@kebab/core';
import { type EvalLog, type EvalResultRow, type EvalRunRow } from '@kebab/core/store';
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

/** How the log stands in its surroundings. */
export interface SqliteEvalLogOptions {
  readonly db: Connection;
  readonly statements: Statements;
  /** Named in messages. */
  readonly location: string;
}

/** Runs of golden suites in the database of the documents. One transaction writes one, so that no lock is needed. */
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
