import type { Database as Connection, Statement } from 'better-sqlite3';

/** Prepares each text once for one connection. */
export class Statements {
  readonly #db: Connection;
  readonly #rows = new Map<string, Statement>();
  readonly #values = new Map<string, Statement>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The rows of a query, or what a change did. */
  of(sql: string): Statement {
    return this.#prepared(this.#rows, sql, (statement) => statement);
  }

  /** The first column of a query's rows. */
  firstColumnOf(sql: string): Statement {
    return this.#prepared(this.#values, sql, (statement) => statement.pluck());
  }

  #prepared(known: Map<string, Statement>, sql: string, adapt: (statement: Statement) => Statement): Statement {
    let statement = known.get(sql);
    if (statement === undefined) {
      statement = adapt(this.#db.prepare(sql));
      known.set(sql, statement);
    }
    return statement;
  }
}
