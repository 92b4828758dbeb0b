import type { Database as Connection, Statement } from 'better-sqlite3';
import {
  DefaultQueryExecutor,
  QueryCreator,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
  type ColumnType,
  type CompiledQuery,
  type RawBuilder,
} from 'kysely';

/** Bytes: any array may be written, a buffer is read. */
type Blob = ColumnType<Buffer, Uint8Array, Uint8Array>;

/** The tables that `vector-schema.ts` creates, and SQLite's own list of tables. */
interface VectorTables {
  readonly sqlite_schema: { readonly type: string; readonly name: string };
  readonly vector_meta: { key: string; value: number };
  readonly vector_collections: {
    collection: number;
    name: string | null;
    dimensions: number;
    version: number;
    vectors: number;
  };
  readonly vector_segments: {
    segment: number;
    version: number;
    codes_version: number;
    vectors: number;
    live: Blob;
    scales: Blob;
    ids: Blob;
  };
  readonly vector_codes: { segment: number; codes: Blob };
  readonly vector_rows: { slot: number; embedding_id: Blob; chunk_id: Blob; doc_id: Blob; vector: Blob };
  readonly vector_slots: { collection: number; embedding_id: Blob; slot: number };
}

/** Builds and types queries but does not execute them: Kysely's drivers are asynchronous, and our transactions are synchronous. */
export const build = new QueryCreator<VectorTables>({
  executor: new DefaultQueryExecutor(new SqliteQueryCompiler(), new SqliteAdapter(), {
    provideConnection: () => Promise.reject(new Error('a statement runs on its own connection')),
  }),
});

/** A placeholder in a query for the value of this name, which is passed when the statement runs. */
export interface Placeholder<Values> {
  <Name extends keyof Values & string>(name: Name): RawBuilder<Values[Name]>;
}

/** Declares a statement: it is compiled and prepared when it first runs, since a file may not have tables before that. */
export function statement<Values extends object, Row>(
  db: Connection,
  query: (value: Placeholder<Values>) => { compile(): CompiledQuery<Row> },
): BuiltStatement<Values, Row> {
  return new BuiltStatement(db, query);
}

/** A statement of {@link statement}, which runs with values by name. */
export class BuiltStatement<Values extends object, Row> {
  readonly #db: Connection;
  readonly #query: (value: Placeholder<Values>) => { compile(): CompiledQuery<Row> };
  #prepared: { readonly statement: Statement<unknown[], Row>; readonly constants: readonly unknown[] } | undefined;

  constructor(db: Connection, query: (value: Placeholder<Values>) => { compile(): CompiledQuery<Row> }) {
    this.#db = db;
    this.#query = query;
  }

  run(values: Values): void {
    const { statement: prepared, constants } = this.#prepare();
    prepared.run(...constants, values);
  }

  first(values: Values): Row | undefined {
    const { statement: prepared, constants } = this.#prepare();
    return prepared.get(...constants, values);
  }

  all(values: Values): readonly Row[] {
    const { statement: prepared, constants } = this.#prepare();
    return prepared.all(...constants, values);
  }

  #prepare(): { readonly statement: Statement<unknown[], Row>; readonly constants: readonly unknown[] } {
    if (this.#prepared === undefined) {
      const { sql: text, parameters } = this.#query((name) => sql`${sql.raw(`@${name}`)}`).compile();
      this.#prepared = { statement: this.#db.prepare<unknown[], Row>(text), constants: parameters };
    }
    return this.#prepared;
  }
}
