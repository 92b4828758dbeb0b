import { sqlBuilder, statement, type Placeholder } from '@kebab/sqlite-kit';
import { TABLES as SHARED, type ColumnKind, type Table, type Tables } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { DynamicModule, type Insertable } from 'kysely';

const { seq, ...chunk } = SHARED.chunks;

/** Every table and column after the last migration; a test compares it with the migrated database. */
export const TABLES = {
  ...SHARED,
  // Keys of half the size of the ids; the statements name the ids.
  chunks: { seq, chunk_key: 'blob', ...chunk, chunk_id: 'text generated' },
} as const satisfies Record<string, Record<string, ColumnKind>>;

/** The full-text index; only `rowid` can be read, because it is contentless. */
export interface FullText {
  readonly rowid: number;
  readonly text: string;
  readonly heading: string;
  readonly symbol: string;
  readonly cjk: string;
}

/** SQLite's own list of what the database contains. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** The database type for Kysely. */
export type Database = Omit<Tables, 'chunks'> & {
  readonly chunks: Table<(typeof TABLES)['chunks']>;
  readonly chunks_fts: FullText;
  readonly sqlite_schema: SchemaObject;
};

/** A row to insert into a table. */
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;

/** The columns of a table in which a new row has values: all but those named, which the database fills in. */
export function columnsIn<T extends keyof typeof TABLES, Filled extends keyof (typeof TABLES)[T] & string = never>(
  table: T,
  ...filled: readonly Filled[]
): readonly Exclude<keyof (typeof TABLES)[T] & string, Filled>[] {
  const names: readonly string[] = filled;
  return Object.keys(TABLES[table]).filter((name) => !names.includes(name)) as never;
}

/** Builds the queries of this database. */
export const build = sqlBuilder<Database>();

/** The number of a row, in order of insertion: every table has this column, and `*` does not include it. */
export const ROW_ID = new DynamicModule<Database>().ref('rowid');

/** The number of the newest migration, which readers require without reading the migrations. */
export const SCHEMA_VERSION = 1;

/** The schema version of a database; null if it has no schema of kebab. */
export function readSchemaVersion(db: Connection): number | null {
  const table = statement(db, () =>
    build.selectFrom('sqlite_schema').select('name').where('type', '=', 'table').where('name', '=', 'schema_meta'),
  );
  if (table.first({}) === undefined) return null;
  const version = statement(db, () =>
    build.selectFrom('schema_meta').select('value').where('key', '=', 'schema_version'),
  ).first({});
  return version === undefined ? null : Number(version.value);
}

/** The statements that read and set a fact about the database. */
export function factStatements(db: Connection) {
  return {
    fact: statement(db, (value: Placeholder<{ readonly key: string }>) =>
      build.selectFrom('kv').select('value').where('key', '=', value('key')),
    ),
    setFact: statement(db, (value: Placeholder<NewRow<'kv'>>) =>
      build
        .insertInto('kv')
        .values({ key: value('key'), value: value('value') })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: value('value') })),
    ),
  };
}

/** The corpus revision, incremented by one. */
export const GROW_REVISION = build
  .updateTable('kv')
  .set((eb) => ({ value: eb.cast<string>(eb(eb.cast<number>('value', 'integer'), '+', eb.lit(1)), 'text') }))
  .where('key', '=', 'corpus_revision');
