import type { Database as Connection, RunResult } from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
} from 'kysely';
import { Statements } from './statements.ts';
import type { Database } from './tables.ts';

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * Runs queries that Kysely builds and types, at once and on a connection that others use too: Kysely's own drivers answer
 * later, which a contract of plain values cannot.
 */
export class TypedQueries {
  /** Builds queries; it executes none. */
  readonly from = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  readonly #statements: Statements;

  constructor(db: Connection) {
    this.#statements = new Statements(db);
  }

  all<Row>(query: Compilable<Row>): readonly Row[] {
    const { sql, parameters } = query.compile();
    return this.#statements.of(sql).all(...parameters) as readonly Row[];
  }

  first<Row>(query: Compilable<Row>): Row | undefined {
    return this.all(query)[0];
  }

  /** Performs a change. */
  run(query: Compilable<unknown>): RunResult {
    const { sql, parameters } = query.compile();
    return this.#statements.of(sql).run(...parameters);
  }
}
