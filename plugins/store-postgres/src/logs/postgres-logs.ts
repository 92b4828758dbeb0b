import { KebabError } from '@kebab/core';
import type { AnswerLog, AnswerRow, EvalLog, EvalResultRow, EvalRunRow } from '@kebab/core/store';
import { ANSWER_COLUMNS, answerRow, evalRunRow, toAnswer, toEvalRun } from '@kebab/store-kit';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';

/** Runs of golden suites on the server. Each is written in one transaction, so no lock is needed. */
export class PostgresEvalLog implements EvalLog {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  record(run: EvalRunRow, results: readonly EvalResultRow[]): Promise<void> {
    return recorded(this.#database, 'eval run', async (tx) => {
      await tx.insertInto('eval_runs').values(evalRunRow(run)).execute();
      for (const { queryId, resultJson } of results)
        await tx
          .insertInto('eval_query_results')
          .values({ run_id: run.runId, query_id: queryId, result_json: resultJson })
          .execute();
    });
  }

  async find(runId: string): Promise<EvalRunRow | null> {
    const row = await this.#database.statement((db) =>
      db.selectFrom('eval_runs').selectAll().where('run_id', '=', runId).executeTakeFirst(),
    );
    return row === undefined ? null : toEvalRun(row);
  }

  async results(runId: string): Promise<readonly EvalResultRow[]> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('eval_query_results')
        .select(['query_id', 'result_json'])
        .where('run_id', '=', runId)
        .orderBy('recorded')
        .execute(),
    );
    return rows.map((row) => ({ queryId: row.query_id, resultJson: row.result_json }));
  }

  async latest(limit: number): Promise<readonly EvalRunRow[]> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('eval_runs')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('recorded', 'desc')
        .limit(limit)
        .execute(),
    );
    return rows.map(toEvalRun);
  }
}

/** Answers on the server. Each is written by one statement, so no lock is needed. */
export class PostgresAnswerLog implements AnswerLog {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  record(answer: AnswerRow): Promise<void> {
    return recorded(this.#database, 'ask', async (tx) => {
      await tx.insertInto('answers').values(answerRow(answer)).execute();
    });
  }

  async latest(limit: number): Promise<readonly AnswerRow[]> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('answers')
        .select(ANSWER_COLUMNS)
        .orderBy('created_at', 'desc')
        .orderBy('recorded', 'desc')
        .limit(limit)
        .execute(),
    );
    return rows.map(toAnswer);
  }
}

/** Adds a record of a command. A store that was opened read-only is a refusal that names the command. */
function recorded(database: PostgresDatabase, command: string, record: (tx: Db) => Promise<void>): Promise<void> {
  if (!database.readonly) return database.change(record);
  return Promise.reject(
    new KebabError('readonly_mode', `${database.address.shown} was opened for reading`, { details: { command } }),
  );
}
