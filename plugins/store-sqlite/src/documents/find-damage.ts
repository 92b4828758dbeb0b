import type { DocumentId } from '@kebab/core';
import type { Damage } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { migrate, shippedMigrations } from '../database/migrate.ts';
import { TABLES } from '../database/tables.ts';
import { decodeBlocks } from './blocks-column.ts';

const MAX_FINDINGS = 20;
const OF_FULL_TEXT = /fts5|inverted index|chunks_fts/i;

/** Inconsistencies between the rows of a document `d`, worded to follow the number of documents. */
const ROW_FAULTS: readonly (readonly [table: string, problem: string, condition: string])[] = [
  ['assets', 'documents have no asset', 'NOT EXISTS (SELECT 1 FROM assets a WHERE a.asset_id = d.asset_id)'],
  [
    'document_texts',
    'documents lack their text',
    `d.text_length > 0 AND (NOT EXISTS (SELECT 1 FROM document_texts t WHERE t.doc_seq = d.seq AND t.start = 0)
      OR (SELECT max(start) FROM document_texts t WHERE t.doc_seq = d.seq) >= d.text_length)`,
  ],
  [
    'chunks',
    'documents lack chunks, or have chunks with wrong positions',
    `d.chunk_count <> (SELECT count(*) FROM chunks c WHERE c.seq >= d.first_chunk AND c.seq < d.first_chunk + d.chunk_count
      AND c.doc_seq = d.seq AND c.ordinal = c.seq - d.first_chunk AND c.text_start <= c.text_end AND c.text_end <= d.text_length)`,
  ],
  [
    'document_blocks',
    'documents lack blocks',
    `NOT EXISTS (SELECT 1 FROM document_blocks b WHERE b.doc_seq = d.seq) AND EXISTS (SELECT 1 FROM chunks c
      WHERE c.seq >= d.first_chunk AND c.seq < d.first_chunk + d.chunk_count AND c.first_block >= 0)`,
  ],
];

/** Rows without which a database has no version, no identity or no count of its passages. */
const FACTS: readonly (readonly [table: string, problem: string, query: string])[] = [
  ['schema_meta', 'the version of the schema is missing', "SELECT 1 FROM schema_meta WHERE key = 'schema_version'"],
  ['migrations', 'the list of migrations is empty', 'SELECT 1 FROM migrations'],
  ['kv', 'the id of the knowledge base is missing', "SELECT 1 FROM kv WHERE key = 'knowledge_base'"],
  ['kv', 'the revision of the corpus is missing', "SELECT 1 FROM kv WHERE key = 'corpus_revision'"],
  [
    'chunks_fts',
    'the full-text index has another number of rows than there are chunks',
    "SELECT 1 FROM kv WHERE key = 'full_text_rows' AND CAST(value AS INTEGER) = (SELECT count(*) FROM chunks)",
  ],
];

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

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

/** What differs from the schema that the migrations make. */
function missingObjects(db: Connection): readonly Damage[] {
  const Sqlite = db.constructor as new (file: string) => Connection;
  const empty = new Sqlite(':memory:');
  try {
    migrate(empty, { migrations: shippedMigrations(), now: () => new Date(0) });
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

function objectsOf(db: Connection): readonly SchemaObject[] {
  const all = 'SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL';
  return db.prepare(all).all() as readonly SchemaObject[];
}

function damagedRows(db: Connection, deep: boolean): readonly Damage[] {
  const count = (sql: string): number => Number(db.prepare(sql).pluck().get());
  const found: Damage[] = [];
  for (const [table, problem, query] of FACTS)
    if (db.prepare(query).get() === undefined) found.push({ table, problem });
  for (const [table, columns] of Object.entries(TABLES))
    for (const column of Object.keys(columns).filter((name) => name.endsWith('_json'))) {
      const rows = count(`SELECT count(*) FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`);
      if (rows > 0) found.push({ table, problem: `${rows} × ${column} cannot be read` });
    }
  for (const [table, problem, condition] of ROW_FAULTS) {
    const documents = count(`SELECT count(*) FROM documents d WHERE ${condition}`);
    if (documents > 0) found.push({ table, problem: `${documents} ${problem}` });
  }
  const unreadable = deep ? unreadableBlocks(db) : 0;
  if (unreadable > 0)
    found.push({ table: 'document_blocks', problem: `${unreadable} documents have blocks that cannot be read` });
  for (const table of ['chunks', 'document_texts', 'document_blocks', 'document_tags']) {
    const rows = count(`SELECT count(*) FROM ${table} WHERE doc_seq NOT IN (SELECT seq FROM documents)`);
    if (rows > 0) found.push({ table, problem: `${rows} rows belong to no document` });
  }
  return found;
}

function unreadableBlocks(db: Connection): number {
  const stored = db.prepare(
    `SELECT d.doc_id, b.blocks_json FROM document_blocks b JOIN documents d ON d.seq = b.doc_seq WHERE json_valid(b.blocks_json)`,
  );
  let unreadable = 0;
  for (const row of stored.iterate() as Iterable<{ readonly doc_id: DocumentId; readonly blocks_json: string }>)
    try {
      decodeBlocks(row.doc_id, row.blocks_json);
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
