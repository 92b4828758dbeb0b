import type { AnswerLog, AnswerRow, ArchivePage, EvalLog, EvalResultRow, EvalRunRow } from '@kebab/core/store';
import { sql } from 'kysely';
import { changesOf, rowsOf, type Engine } from './engine.ts';
import { ANSWER_COLUMNS, answerRow, evalRunRow, toAnswer, toEvalRun } from './record-rows.ts';

/** Runs of golden suites. Each is written in one transaction, so no lock is needed. */
export class SqlEvalLog implements EvalLog {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  record(run: EvalRunRow, results: readonly EvalResultRow[]): Promise<void> {
    return this.#engine.change(function* (build) {
      yield build.insertInto('eval_runs').values(evalRunRow(run));
      for (const { queryId, resultJson } of results)
        yield build
          .insertInto('eval_query_results')
          .values({ run_id: run.runId, query_id: queryId, result_json: resultJson });
    }, 'eval run');
  }

  async find(runId: string): Promise<EvalRunRow | null> {
    const [row] = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('eval_runs').selectAll().where('run_id', '=', runId)),
    );
    return row === undefined ? null : toEvalRun(row);
  }

  async results(runId: string): Promise<readonly EvalResultRow[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('eval_query_results')
          .select(['query_id', 'result_json'])
          .where('run_id', '=', runId)
          .orderBy(sql.ref(this.#engine.recorded)),
      ),
    );
    return rows.map((row) => ({ queryId: row.query_id, resultJson: row.result_json }));
  }

  async latest(limit: number): Promise<readonly EvalRunRow[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('eval_runs')
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy(sql.ref(this.#engine.recorded), 'desc')
          .limit(limit),
      ),
    );
    return rows.map(toEvalRun);
  }

  /** Runs in the order in which they were recorded. */
  async recorded({ offset, limit }: ArchivePage): Promise<readonly EvalRunRow[]> {
    const order = sql.ref(this.#engine.recorded);
    const rows = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('eval_runs').selectAll().orderBy(order).limit(limit).offset(offset)),
    );
    return rows.map(toEvalRun);
  }
}

/** Answers. Each is written by one statement, so no lock is needed. */
export class SqlAnswerLog implements AnswerLog {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async record(answer: AnswerRow): Promise<void> {
    await this.#engine.change((build) => changesOf(build.insertInto('answers').values(answerRow(answer))), 'ask');
  }

  async latest(limit: number): Promise<readonly AnswerRow[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('answers')
          .select(ANSWER_COLUMNS)
          .orderBy('created_at', 'desc')
          .orderBy(sql.ref(this.#engine.recorded), 'desc')
          .limit(limit),
      ),
    );
    return rows.map(toAnswer);
  }

  /** Answers in the order in which they were recorded. */
  async recorded({ offset, limit }: ArchivePage): Promise<readonly AnswerRow[]> {
    const order = sql.ref(this.#engine.recorded);
    const rows = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('answers').select(ANSWER_COLUMNS).orderBy(order).limit(limit).offset(offset)),
    );
    return rows.map(toAnswer);
  }
}
