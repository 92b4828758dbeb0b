import { KebabError } from '@kebab/core';
import type { AnswerLog, AnswerRow, ArchivePage, EvalLog, EvalResultRow, EvalRunRow } from '@kebab/core/store';
import { asPromise, columnsOf, sqliteCode, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { answerRow, evalRunRow, toAnswer, toEvalRun } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { storeFailure } from '../database/store-failure.ts';
import { build, columnsIn, ROW_ID, type NewRow } from '../database/tables.ts';

/** Runs of golden suites in the documents' database. Each is written in one transaction, so no lock is needed. */
export class SqliteEvalLog implements EvalLog {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof runStatements>;
  readonly #location: string;

  /** `location` appears in messages. */
  constructor(db: Connection, location: string) {
    this.#db = db;
    this.#statements = statementsOn(db, runStatements);
    this.#location = location;
  }

  record(run: EvalRunRow, results: readonly EvalResultRow[]): Promise<void> {
    const { add, addResult } = this.#statements;
    const record = this.#db.transaction(() => {
      add.run(evalRunRow(run));
      for (const { queryId, resultJson } of results)
        addResult.run({ run_id: run.runId, query_id: queryId, result_json: resultJson });
    });
    return recorded(() => record.immediate(), { command: 'eval run', location: this.#location });
  }

  find(runId: string): Promise<EvalRunRow | null> {
    return asPromise(() => {
      const row = this.#statements.find.first({ run_id: runId });
      return row === undefined ? null : toEvalRun(row);
    });
  }

  results(runId: string): Promise<readonly EvalResultRow[]> {
    return asPromise(() =>
      this.#statements.results
        .all({ run_id: runId })
        .map((row) => ({ queryId: row.query_id, resultJson: row.result_json })),
    );
  }

  latest(limit: number): Promise<readonly EvalRunRow[]> {
    return asPromise(() => this.#statements.latest.all({ limit }).map(toEvalRun));
  }

  /** Runs in the order in which they were recorded. */
  recorded(page: ArchivePage): Promise<readonly EvalRunRow[]> {
    return asPromise(() => this.#statements.recorded.all(page).map(toEvalRun));
  }
}

interface OfRun {
  readonly run_id: string;
}

interface Newest {
  readonly limit: number;
}

function runStatements(db: Connection) {
  return {
    add: statement(db, (value: Placeholder<NewRow<'eval_runs'>>) =>
      build.insertInto('eval_runs').values(columnsOf(value, columnsIn('eval_runs'))),
    ),
    addResult: statement(db, (value: Placeholder<NewRow<'eval_query_results'>>) =>
      build.insertInto('eval_query_results').values(columnsOf(value, columnsIn('eval_query_results'))),
    ),
    find: statement(db, (value: Placeholder<OfRun>) =>
      build.selectFrom('eval_runs').selectAll().where('run_id', '=', value('run_id')),
    ),
    results: statement(db, (value: Placeholder<OfRun>) =>
      build
        .selectFrom('eval_query_results')
        .select(['query_id', 'result_json'])
        .where('run_id', '=', value('run_id'))
        .orderBy(ROW_ID),
    ),
    latest: statement(db, (value: Placeholder<Newest>) =>
      build
        .selectFrom('eval_runs')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy(ROW_ID, 'desc')
        .limit(value('limit')),
    ),
    recorded: statement(db, (value: Placeholder<ArchivePage>) =>
      build.selectFrom('eval_runs').selectAll().orderBy(ROW_ID).limit(value('limit')).offset(value('offset')),
    ),
  };
}

function answerStatements(db: Connection) {
  return {
    add: statement(db, (value: Placeholder<NewRow<'answers'>>) =>
      build.insertInto('answers').values(columnsOf(value, columnsIn('answers'))),
    ),
    latest: statement(db, (value: Placeholder<Newest>) =>
      build
        .selectFrom('answers')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy(ROW_ID, 'desc')
        .limit(value('limit')),
    ),
    recorded: statement(db, (value: Placeholder<ArchivePage>) =>
      build.selectFrom('answers').selectAll().orderBy(ROW_ID).limit(value('limit')).offset(value('offset')),
    ),
  };
}

/** Answers in the documents' database. Each is written by one statement, so no lock is needed. */
export class SqliteAnswerLog implements AnswerLog {
  readonly #statements: ReturnType<typeof answerStatements>;
  readonly #location: string;

  /** `location` appears in messages. */
  constructor(db: Connection, location: string) {
    this.#statements = statementsOn(db, answerStatements);
    this.#location = location;
  }

  record(answer: AnswerRow): Promise<void> {
    return recorded(
      () => {
        this.#statements.add.run(answerRow(answer));
      },
      { command: 'ask', location: this.#location },
    );
  }

  latest(limit: number): Promise<readonly AnswerRow[]> {
    return asPromise(() => this.#statements.latest.all({ limit }).map(toAnswer));
  }

  /** Answers in the order in which they were recorded. */
  recorded(page: ArchivePage): Promise<readonly AnswerRow[]> {
    return asPromise(() => this.#statements.recorded.all(page).map(toAnswer));
  }
}

/** Adds a record of a command. A store that was opened read-only is a refusal that names the command. */
function recorded(
  record: () => void,
  { command, location }: { readonly command: string; readonly location: string },
): Promise<void> {
  return asPromise(() => {
    try {
      record();
    } catch (error) {
      if (sqliteCode(error) === 'SQLITE_READONLY')
        throw new KebabError('readonly_mode', `${location} was opened for reading`, {
          details: { command },
          cause: error,
        });
      throw storeFailure(error, location) satisfies unknown;
    }
  });
}
