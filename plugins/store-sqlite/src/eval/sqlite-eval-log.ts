import { KebabError, type EvalLog, type EvalResultRow, type EvalRunRow } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import type { Statements } from '../database/statements.ts';
import { sqliteCode, storeFailure } from '../database/store-failure.ts';
import type { Row } from '../database/tables.ts';

const INSERT_RUN = `INSERT INTO eval_runs (run_id, suite, config_snapshot_json, aggregate_json, commit_hash, created_at)
  VALUES (@run_id, @suite, @config_snapshot_json, @aggregate_json, @commit_hash, @created_at)`;
const INSERT_RESULT = 'INSERT INTO eval_query_results (run_id, query_id, result_json) VALUES (?, ?, ?)';
const FIND = 'SELECT * FROM eval_runs WHERE run_id = ?';
const RESULTS = 'SELECT query_id, result_json FROM eval_query_results WHERE run_id = ? ORDER BY rowid';
const LATEST = 'SELECT * FROM eval_runs ORDER BY created_at DESC, rowid DESC LIMIT ?';

/** How the log stands in its surroundings. */
export interface SqliteEvalLogOptions {
  readonly db: Connection;
  readonly statements: Statements;
  /** Told in messages. */
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
        statements.of(INSERT_RUN).run(toRow(run));
        const insert = statements.of(INSERT_RESULT);
        for (const { queryId, resultJson } of results) insert.run(run.runId, queryId, resultJson);
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
    const row = this.#options.statements.of(FIND).get(runId) as Row<'eval_runs'> | undefined;
    return row === undefined ? null : toRun(row);
  }

  results(runId: string): readonly EvalResultRow[] {
    const rows = this.#options.statements.of(RESULTS).all(runId) as readonly Row<'eval_query_results'>[];
    return rows.map((row) => ({ queryId: row.query_id, resultJson: row.result_json }));
  }

  latest(limit: number): readonly EvalRunRow[] {
    return (this.#options.statements.of(LATEST).all(limit) as readonly Row<'eval_runs'>[]).map(toRun);
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
