import type { DocumentId } from '@kebab/core';
import type { Damage } from '@kebab/core/store';
import { sqlBuilder, statement } from '@kebab/sqlite-kit';
import { decodeBlocks } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { expressionBuilder, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { migrate, sqliteMigrations } from '../database/migrate.ts';
import { build, TABLES, type Database } from '../database/tables.ts';

const MAX_FINDINGS = 20;
const OF_FULL_TEXT = /fts5|inverted index|chunks_fts/i;

type Condition = Expression<SqlBool>;

const eb = expressionBuilder<Database & { readonly d: Database['documents'] }, 'd'>();

/** The chunks `c` in the range of a document `d`. */
function chunksInRange() {
  return eb
    .selectFrom('chunks as c')
    .whereRef('c.seq', '>=', 'd.first_chunk')
    .where('c.seq', '<', (chunk) => chunk('d.first_chunk', '+', chunk.ref('d.chunk_count')));
}

/** The segments `t` of a document `d`. */
function segments() {
  return eb.selectFrom('document_texts as t').whereRef('t.doc_seq', '=', 'd.seq');
}

/** Inconsistencies between the rows of a document `d`, worded to follow the number of documents. */
const ROW_FAULTS: readonly (readonly [table: string, problem: string, condition: () => Condition])[] = [
  [
    'assets',
    'documents have no asset',
    () =>
      eb.not(eb.exists(eb.selectFrom('assets as a').select('a.asset_id').whereRef('a.asset_id', '=', 'd.asset_id'))),
  ],
  [
    'document_texts',
    'documents lack their text',
    () =>
      eb.and([
        eb('d.text_length', '>', 0),
        eb.or([
          eb.not(eb.exists(segments().select('t.start').where('t.start', '=', 0))),
          eb(
            segments().select(({ fn }) => fn.max<number>('t.start').as('start')),
            '>=',
            eb.ref('d.text_length'),
          ),
        ]),
      ]),
  ],
  [
    'chunks',
    'documents lack chunks, or have chunks with wrong positions',
    () =>
      eb(
        'd.chunk_count',
        '<>',
        chunksInRange()
          .select(({ fn }) => fn.countAll<number>().as('chunks'))
          .whereRef('c.doc_seq', '=', 'd.seq')
          .where('c.ordinal', '=', (chunk) => chunk('c.seq', '-', chunk.ref('d.first_chunk')))
          .whereRef('c.text_start', '<=', 'c.text_end')
          .whereRef('c.text_end', '<=', 'd.text_length'),
      ),
  ],
  [
    'document_blocks',
    'documents lack blocks',
    () =>
      eb.and([
        eb.not(
          eb.exists(eb.selectFrom('document_blocks as b').select('b.doc_seq').whereRef('b.doc_seq', '=', 'd.seq')),
        ),
        eb.exists(chunksInRange().select('c.seq').where('c.first_block', '>=', 0)),
      ]),
  ],
];

const NUMBER_OF_CHUNKS = build.selectFrom('chunks').select(({ fn }) => fn.countAll<number>().as('chunks'));

/** Rows without which a database has no version, no identity or no count of its passages. */
const FACTS = [
  [
    'schema_meta',
    'the version of the schema is missing',
    build.selectFrom('schema_meta').select('key').where('key', '=', 'schema_version'),
  ],
  ['migrations', 'the list of migrations is empty', build.selectFrom('migrations').select('id')],
  [
    'kv',
    'the id of the knowledge base is missing',
    build.selectFrom('kv').select('key').where('key', '=', 'knowledge_base'),
  ],
  [
    'kv',
    'the revision of the corpus is missing',
    build.selectFrom('kv').select('key').where('key', '=', 'corpus_revision'),
  ],
  [
    'chunks_fts',
    'the full-text index has another number of rows than there are chunks',
    build
      .selectFrom('kv')
      .select('key')
      .where('key', '=', 'full_text_rows')
      .where((row) => row(row.cast<number>('value', 'integer'), '=', NUMBER_OF_CHUNKS)),
  ],
] as const;

/**
 * Finds what is missing or malformed in a database. If tables are missing, the rows of others are not checked. `deep` compares indexes with
 * their tables, and reads every block.
 */
export function findDamage(db: Connection, deep: boolean): readonly Damage[] {
  const pages = damagedPages(db, deep);
  const missing = missingObjects(db);
  const found = [...pages, ...missing].filter(isFirst);
  if (pages.some(({ table }) => table === null) || missing.length > 0) return found;
  return [...found, ...attempt(null, () => damagedRows(db, deep))];
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

function damagedRows(db: Connection, deep: boolean): readonly Damage[] {
  const count = (query: Rows): number =>
    statement(db, () => query.select(({ fn }) => fn.countAll<number>().as('rows'))).first({})?.rows ?? 0;
  const found: Damage[] = [];
  for (const [table, problem, query] of FACTS)
    if (statement<object, unknown>(db, () => query).first({}) === undefined) found.push({ table, problem });
  for (const [table, columns] of Object.entries(TABLES))
    for (const column of Object.keys(columns).filter((name) => name.endsWith('_json'))) {
      const unreadable = anyTable
        .selectFrom(table)
        .where(column, 'is not', null)
        .where((row) => row.not(row.fn<boolean>('json_valid', [column])));
      const rows = count(unreadable);
      if (rows > 0) found.push({ table, problem: `${rows} × ${column} cannot be read` });
    }
  for (const [table, problem, condition] of ROW_FAULTS) {
    const documents = count(anyTable.selectFrom('documents as d').where(condition()));
    if (documents > 0) found.push({ table, problem: `${documents} ${problem}` });
  }
  const unreadable = deep ? unreadableBlocks(db) : 0;
  if (unreadable > 0)
    found.push({ table: 'document_blocks', problem: `${unreadable} documents have blocks that cannot be read` });
  for (const table of ['chunks', 'document_texts', 'document_blocks', 'document_tags']) {
    const rows = count(
      anyTable.selectFrom(table).where('doc_seq', 'not in', build.selectFrom('documents').select('seq')),
    );
    if (rows > 0) found.push({ table, problem: `${rows} rows belong to no document` });
  }
  return found;
}

/** The tables are those of {@link TABLES}, or named here. */
const anyTable = sqlBuilder<Record<string, Record<string, unknown>>>();
type Rows = SelectQueryBuilder<Record<string, Record<string, unknown>>, string, object>;

function unreadableBlocks(db: Connection): number {
  const stored = statement(db, () =>
    build
      .selectFrom('document_blocks as b')
      .innerJoin('documents as d', 'd.seq', 'b.doc_seq')
      .select(['d.doc_id', 'b.blocks_json'])
      .where(({ fn }) => fn<boolean>('json_valid', ['b.blocks_json'])),
  );
  let unreadable = 0;
  for (const row of stored.each({}))
    try {
      decodeBlocks(row.doc_id as DocumentId, row.blocks_json);
    } catch {
      unreadable++;
    }
  return unreadable;
}

function isFirst(one: Damage, at: number, list: readonly Damage[]): boolean {
  return list.findIndex(({ table, problem }) => table === one.table && problem === one.problem) === at;
}

/** Runs a check, and turns an exception into a finding. */
function attempt(table: string | null, check: () => readonly Damage[]): readonly Damage[] {
  try {
    return check();
  } catch (error) {
    return [{ table, problem: error instanceof Error ? error.message : String(error) }];
  }
}
