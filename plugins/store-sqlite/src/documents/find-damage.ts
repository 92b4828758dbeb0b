import type { Damage } from '@kebab/core/store';
import { sqlBuilder, statement } from '@kebab/sqlite-kit';
import { damagedRows } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { perform } from '../database/engine.ts';
import { migrate, sqliteMigrations } from '../database/migrate.ts';
import { build, TABLES } from '../database/tables.ts';

const MAX_FINDINGS = 20;
const OF_FULL_TEXT = /fts5|inverted index|chunks_fts/i;
const NUMBER_OF_CHUNKS = build.selectFrom('chunks').select(({ fn }) => fn.countAll<number>().as('chunks'));
/** For columns by name. */
const anyTable = sqlBuilder<Record<string, Record<string, unknown>>>();

/**
 * Finds what is missing or malformed in a database. If tables are missing, the rows of others are not checked. `deep` compares indexes with
 * their tables, and reads every block.
 */
export function findDamage(db: Connection, deep: boolean): readonly Damage[] {
  const pages = damagedPages(db, deep);
  const missing = missingObjects(db);
  const found = [...pages, ...missing].filter(
    ({ table, problem }, at, all) => at === all.findIndex((one) => one.table === table && one.problem === problem),
  );
  if (pages.some(({ table }) => table === null) || missing.length > 0) return found;
  return [...found, ...attempt(null, () => faultyRows(db, deep))];
}

/** The damage that SQLite finds in its pages, and FTS5 in the full-text index. */
function damagedPages(db: Connection, deep: boolean): readonly Damage[] {
  const check = deep ? 'integrity_check' : 'quick_check';
  return attempt(null, () => {
    const rows = db.pragma(`${check}(${MAX_FINDINGS})`) as readonly Readonly<Record<string, string>>[];
    return rows
      .flatMap((row) => String(Object.values(row)[0]).split('\n'))
      .filter((problem) => problem !== 'ok' && !/^NULL value in|^non-unique entry in/.test(problem))
      .map((problem) =>
        OF_FULL_TEXT.test(problem)
          ? { table: 'chunks_fts', problem: 'the full-text index is malformed' }
          : { table: /(?:missing from|wrong # of entries in) index (\w+)/.exec(problem)?.[1] ?? null, problem },
      );
  });
}

/** What differs from the schema that the migrations make. */
function missingObjects(db: Connection): readonly Damage[] {
  const Sqlite = db.constructor as new (file: string) => Connection;
  const empty = new Sqlite(':memory:');
  try {
    migrate(empty, { migrations: sqliteMigrations(), now: () => new Date(0) });
    return attempt(null, () => {
      const sqlOf = new Map(objectsOf(db).map(({ name, sql }) => [name, sql]));
      return objectsOf(empty)
        .filter(({ name, sql }) => sqlOf.get(name) !== sql)
        .map(({ type, name, tbl_name }) => {
          if (name.startsWith('chunks_fts'))
            return { table: 'chunks_fts', problem: 'a part of the full-text index is missing' };
          const what = type === 'table' ? 'the table' : `the ${type} ${name}`;
          return { table: tbl_name, problem: `${what} is ${sqlOf.has(name) ? 'not as it should be' : 'missing'}` };
        });
    });
  } finally {
    empty.close();
  }
}

function objectsOf(db: Connection) {
  return statement(db, () =>
    build.selectFrom('sqlite_schema').select(['type', 'name', 'tbl_name', 'sql']).where('sql', 'is not', null),
  ).all({});
}

/** Rows that the tables of every store may have, and what SQLite alone does not check: JSON, and the number of indexed passages. */
function faultyRows(db: Connection, deep: boolean): readonly Damage[] {
  const found = [...perform(db, (builder) => damagedRows(builder, deep))];
  const indexed = statement(db, () =>
    build
      .selectFrom('kv')
      .select('key')
      .where('key', '=', 'full_text_rows')
      .where((row) => row(row.cast<number>('value', 'integer'), '=', NUMBER_OF_CHUNKS)),
  );
  if (indexed.first({}) === undefined)
    found.push({
      table: 'chunks_fts',
      problem: 'the full-text index has another number of rows than there are chunks',
    });
  for (const [table, columns] of Object.entries(TABLES))
    for (const column of Object.keys(columns).filter((name) => name.endsWith('_json'))) {
      if (deep && column === 'blocks_json') continue; // all of them have been decoded
      const unreadable = statement(db, () =>
        anyTable
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('rows'))
          .where(column, 'is not', null)
          .where((row) => row.not(row.fn<boolean>('json_valid', [column]))),
      );
      const rows = unreadable.first({})?.rows ?? 0;
      if (rows > 0) found.push({ table, problem: `${rows} × ${column} cannot be read` });
    }
  return found;
}

/** Runs a check, and turns an exception into a finding. */
function attempt(table: string | null, check: () => readonly Damage[]): readonly Damage[] {
  try {
    return check();
  } catch (error) {
    return [{ table, problem: error instanceof Error ? error.message : String(error) }];
  }
}
