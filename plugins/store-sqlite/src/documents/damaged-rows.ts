import type { DocumentId } from '@kebab/core';
import { allTags, type DocumentPlace, type Damage } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { decodeBlocks } from './blocks-column.ts';
import { decodeMetadata, type MetadataColumns } from './columns.ts';
import { fullTextProblems } from './rebuild-full-text.ts';
import { missingFacts, missingObjects, strangeTables, type WholeSchema } from './whole-schema.ts';

/** A JSON column with its type, and the replacement for values that cannot be read; undefined deletes the row. */
interface JsonColumn {
  readonly table: string;
  readonly column: string;
  readonly type: 'object' | 'array' | 'any';
  readonly instead: string | null | undefined;
}

const json = (
  table: string,
  column: string,
  type: JsonColumn['type'],
  instead: string | null | undefined,
): JsonColumn => ({
  table,
  column,
  type,
  instead,
});

const JSON_COLUMNS: readonly JsonColumn[] = [
  json('documents', 'metadata_json', 'object', '{}'),
  json('documents', 'provenance_json', 'array', '[]'),
  json('documents', 'pages_json', 'array', '[]'),
  json('chunks', 'heading_path_json', 'array', '[]'),
  json('chunks', 'source_spans_json', 'array', null), // recomputed as lines
  json('document_blocks', 'blocks_json', 'array', undefined),
  json('ingest_runs', 'scope_json', 'object', '{}'),
  json('ingest_runs', 'items_json', 'any', null),
  json('answers', 'citations_json', 'array', '[]'),
  json('answers', 'packed_chunks_json', 'any', null),
  json('answers', 'answer_json', 'object', undefined),
  json('eval_runs', 'config_snapshot_json', 'object', undefined),
  json('eval_runs', 'aggregate_json', 'object', undefined),
  json('eval_query_results', 'result_json', 'object', undefined),
  json('chat_sessions', 'config_snapshot_json', 'object', '{}'),
  json('chat_turns', 'citations_json', 'array', '[]'),
  json('chat_turns', 'items_json', 'array', '[]'),
];

function isBad({ column, type }: JsonColumn): string {
  const wrong = type === 'any' ? '0' : `json_type(${column}) <> '${type}'`;
  return `${column} IS NOT NULL AND CASE WHEN json_valid(${column}) THEN ${wrong} ELSE 1 END`;
}

/** The columns with JSON that cannot be read, and the number of such rows. */
export function damagedJson(db: Connection): readonly (JsonColumn & { readonly rows: number })[] {
  return JSON_COLUMNS.flatMap((column) => {
    const rows = Number(
      db
        .prepare(`SELECT count(*) FROM ${column.table} WHERE ${isBad(column)}`)
        .pluck()
        .get(),
    );
    return rows === 0 ? [] : [{ ...column, rows }];
  });
}

/** A document, by its row and its place. */
export interface PlacedDocument extends DocumentPlace {
  readonly seq: number;
}

const PLACE = 'd.seq, d.source_id AS sourceId, d.workspace_path AS workspacePath';

/** The documents that damaged JSON belongs to. */
export function documentsOfJson(db: Connection, column: JsonColumn): readonly PlacedDocument[] {
  const { table } = column;
  const owner = table === 'documents' ? 'seq' : 'doc_seq';
  if (!['documents', 'chunks', 'document_blocks'].includes(table)) return [];
  return db
    .prepare(`SELECT ${PLACE} FROM documents d WHERE d.seq IN (SELECT ${owner} FROM ${table} WHERE ${isBad(column)})`)
    .all() as readonly PlacedDocument[];
}

/** Replaces damaged JSON with something readable. */
export function replaceJson(db: Connection, column: JsonColumn): void {
  const { table, column: name, instead } = column;
  if (name === 'source_spans_json') replaceSpans(db, column);
  else if (instead === undefined) db.exec(`DELETE FROM ${table} WHERE ${isBad(column)}`);
  else db.prepare(`UPDATE ${table} SET ${name} = ? WHERE ${isBad(column)}`).run(instead);
}

/** Replaces damaged spans with line spans, counted in the document's text. Spans of other kinds cannot be recovered. */
function replaceSpans(db: Connection, column: JsonColumn): void {
  const rows = db
    .prepare(`SELECT seq, doc_seq, text_start, text_end FROM chunks WHERE ${isBad(column)} ORDER BY doc_seq`)
    .all() as readonly { seq: number; doc_seq: number; text_start: number; text_end: number }[];
  const segments = db.prepare('SELECT text FROM document_texts WHERE doc_seq = ? ORDER BY start').pluck();
  const put = db.prepare('UPDATE chunks SET source_spans_json = ? WHERE seq = ?');
  let opened: { readonly seq: number; readonly text: string } | undefined;
  for (const { seq, doc_seq, text_start, text_end } of rows) {
    if (opened?.seq !== doc_seq) opened = { seq: doc_seq, text: segments.all(doc_seq).join('') };
    const first = linesIn(opened.text.slice(0, text_start));
    put.run(`[${first},${first + linesIn(opened.text.slice(text_start, text_end)) - 1}]`, seq);
  }
}

function linesIn(text: string): number {
  return text.split('\n').length;
}

/** An inconsistency between the rows of documents. */
export interface RowFault {
  readonly table: string;
  /** Worded to follow the number of documents. */
  readonly problem: string;
  readonly documents: readonly PlacedDocument[];
}

const FAULTS: readonly (readonly [table: string, problem: string, condition: string])[] = [
  ['assets', 'documents have no asset', 'NOT EXISTS (SELECT 1 FROM assets a WHERE a.asset_id = d.asset_id)'],
  [
    'document_texts',
    'documents lack text',
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

/** Finds inconsistent documents, by table; `deep` reads every text and every block. */
export function rowFaults(db: Connection, deep: boolean): readonly RowFault[] {
  const found = FAULTS.map(([table, problem, condition]): RowFault => {
    const documents = db.prepare(`SELECT ${PLACE} FROM documents d WHERE ${condition}`).all();
    return { table, problem, documents: documents as readonly PlacedDocument[] };
  });
  return [...found, ...(deep ? [incompleteTexts(db), unreadableBlocks(db)] : [])].filter(
    ({ documents }) => documents.length > 0,
  );
}

/** Documents whose text segments are not contiguous, or do not add up to the length of the text. */
function incompleteTexts(db: Connection): RowFault {
  const segments = db.prepare('SELECT start, text FROM document_texts WHERE doc_seq = ? ORDER BY start');
  const documents = all(db).filter(({ seq, text_length }) => {
    let end = 0;
    for (const { start, text } of segments.iterate(seq) as Iterable<{ start: number; text: string }>) {
      if (start !== end || typeof text !== 'string') return true;
      end += text.length;
    }
    return end !== text_length;
  });
  return { table: 'document_texts', problem: 'documents have a text with gaps', documents };
}

function unreadableBlocks(db: Connection): RowFault {
  const stored = db
    .prepare('SELECT blocks_json FROM document_blocks WHERE doc_seq = ? AND json_valid(blocks_json)')
    .pluck();
  const documents = all(db).filter(({ seq, doc_id }) => {
    const blocks = stored.get(seq);
    if (typeof blocks !== 'string') return false;
    try {
      decodeBlocks(doc_id, blocks);
      return false;
    } catch {
      return true;
    }
  });
  return { table: 'document_blocks', problem: 'documents have blocks that cannot be read', documents };
}

function all(
  db: Connection,
): readonly (PlacedDocument & { readonly doc_id: DocumentId; readonly text_length: number })[] {
  return db.prepare(`SELECT ${PLACE}, d.doc_id, d.text_length FROM documents d ORDER BY d.seq`).all() as never;
}

/** The number of rows whose document is gone, by table. */
export function orphans(db: Connection): readonly (readonly [table: string, rows: number])[] {
  return ['chunks', 'document_texts', 'document_blocks', 'document_tags'].flatMap((table) => {
    const count = `SELECT count(*) FROM ${table} WHERE doc_seq NOT IN (SELECT seq FROM documents)`;
    const rows = Number(db.prepare(count).pluck().get());
    return rows === 0 ? [] : [[table, rows] as const];
  });
}

/** Deletes the rows that {@link orphans} finds. */
export function removeOrphans(db: Connection): void {
  for (const [table] of orphans(db)) db.exec(`DELETE FROM ${table} WHERE doc_seq NOT IN (SELECT seq FROM documents)`);
}

type TaggedDocument = MetadataColumns & { readonly seq: number; readonly metadata_json: string; readonly tags: string };

/** The number of documents whose tags in `document_tags` differ from their metadata. With `repair` it corrects the table. */
export function mistagged(db: Connection, repair: boolean): number {
  const rows = db
    .prepare(
      `SELECT seq, metadata_json, created_at, updated_at, source_type, trust_level, repo, code_lang,
        (SELECT json_group_array(tag) FROM document_tags t WHERE t.doc_seq = d.seq) AS tags
      FROM documents d WHERE json_valid(metadata_json)`,
    )
    .all() as readonly TaggedDocument[];
  const remove = db.prepare('DELETE FROM document_tags WHERE doc_seq = ?');
  const add = db.prepare('INSERT OR IGNORE INTO document_tags VALUES (?, ?)');
  const wrong = rows.filter((row) => {
    const wanted = new Set(allTags(decodeMetadata(row.metadata_json, row)));
    const found = JSON.parse(row.tags) as readonly string[];
    if (found.length === wanted.size && found.every((tag) => wanted.has(tag))) return false;
    if (!repair) return true;
    remove.run(row.seq);
    for (const tag of wanted) add.run(row.seq, tag);
    return true;
  });
  return wrong.length;
}

/** Makes the next ingest read documents again, by clearing their fingerprints. */
export function markForReading(db: Connection, documents: readonly PlacedDocument[]): void {
  const mark = db.prepare("UPDATE documents SET parser_fingerprint = '', chunker_fingerprint = '' WHERE seq = ?");
  for (const { seq } of documents) mark.run(seq);
}

/** Deletes documents with everything that belongs to them. The full-text index must be rebuilt afterwards. */
export function takeOut(db: Connection, documents: readonly PlacedDocument[]): void {
  const seqs = JSON.stringify(documents.map(({ seq }) => seq));
  const where = 'IN (SELECT value FROM json_each(?))';
  db.prepare(`DELETE FROM chunks WHERE doc_seq ${where}`).run(seqs);
  db.prepare(`UPDATE documents SET first_chunk = 0, chunk_count = 0 WHERE seq ${where}`).run(seqs);
  db.prepare(`DELETE FROM documents WHERE seq ${where}`).run(seqs);
}

/** Keeps documents whose files are gone, without their damaged part; those with a damaged text are deleted. */
export function keepRest(db: Connection, { table, documents }: RowFault): void {
  const seqs = JSON.stringify(documents.map(({ seq }) => seq));
  const where = 'IN (SELECT value FROM json_each(?))';
  if (table === 'assets')
    db.prepare(
      `INSERT OR IGNORE INTO assets SELECT asset_id, workspace_path, workspace_path, media, coalesce(file_size, 0), '', 'reference',
        workspace_path, committed_at FROM documents WHERE seq ${where}`,
    ).run(seqs);
  else if (table === 'document_blocks') db.prepare(`DELETE FROM document_blocks WHERE doc_seq ${where}`).run(seqs);
  else {
    db.prepare(`DELETE FROM chunks WHERE doc_seq ${where}`).run(seqs);
    db.prepare(`UPDATE documents SET first_chunk = 0, chunk_count = 0 WHERE seq ${where}`).run(seqs);
  }
  if (table === 'document_texts') takeOut(db, documents);
  else markForReading(db, documents);
}

const MAX_FINDINGS = 20;
const OF_FULL_TEXT = /fts5|inverted index|chunks_fts/i;

/**
 * Finds what is missing or malformed in a database, in the order in which it must be repaired. If tables are missing, the rows of others
 * are not checked. `deep` compares indexes with their tables, and reads every text and every block.
 */
export function findDamage(db: Connection, schema: WholeSchema, deep: boolean): readonly Damage[] {
  const pages = damagedPages(db, deep);
  if (pages.some(({ table }) => table === null)) return pages;
  const missing = missingObjects(db, schema);
  const found: Damage[] = missing.map(({ type, name }) => ({
    table: name === 'chunks_fts' ? name : tableOf(type, name, schema),
    problem: type === 'table' ? 'the table is missing, or a part of it' : `the ${type} ${name} is missing`,
  }));
  for (const table of strangeTables(db, schema))
    found.push({ table, problem: 'the table has other columns than it should' });
  if (missing.some(({ type }) => type === 'table')) return [...pages, ...found].filter(isFirst);
  for (const [table, problem] of missingFacts(db, schema)) found.push({ table, problem });
  for (const { table, column, rows } of damagedJson(db))
    found.push({ table, problem: `${counted(rows, 'row has', 'rows have')} a ${column} that cannot be read` });
  for (const { table, problem, documents } of rowFaults(db, deep))
    found.push({ table, problem: `${documents.length} ${problem}` });
  for (const [table, rows] of orphans(db))
    found.push({ table, problem: `${counted(rows, 'row belongs', 'rows belong')} to no document` });
  const tags = mistagged(db, false);
  if (tags > 0)
    found.push({ table: 'document_tags', problem: `the tags of ${counted(tags, 'document', 'documents')} differ` });
  if (!pages.some(({ table }) => table === 'chunks_fts'))
    for (const problem of attempt(() => fullTextProblems(db))) found.push({ table: 'chunks_fts', problem });
  return [...pages, ...found];
}

/** The damage that SQLite finds in its pages, and FTS5 in the full-text index. */
function damagedPages(db: Connection, deep: boolean): readonly Damage[] {
  const check = deep ? 'integrity_check' : 'quick_check';
  const lines = attempt(() =>
    (db.pragma(`${check}(${MAX_FINDINGS})`) as readonly Readonly<Record<string, string>>[]).map((row) =>
      String(Object.values(row)[0]),
    ),
  ).filter((line) => line !== 'ok');
  const problems = lines.flatMap((line) => line.split('\n'));
  const found = problems.map((problem): Damage => {
    if (OF_FULL_TEXT.test(problem)) return { table: 'chunks_fts', problem: 'the full-text index is malformed' };
    return { table: ofIndex(problem), problem };
  });
  return found.filter(isFirst).filter(({ problem }) => !/^NULL value in|^non-unique entry in/.test(problem));
}

/** The name of an index that does not agree with its table and can be rebuilt; null for damage of pages. */
function ofIndex(problem: string): string | null {
  return /(?:missing from|wrong # of entries in) index (\w+)/.exec(problem)?.[1] ?? null;
}

function tableOf(type: string, name: string, { empty }: WholeSchema): string {
  if (type === 'table') return name;
  return String(empty.prepare('SELECT tbl_name FROM sqlite_schema WHERE name = ?').pluck().get(name));
}

function isFirst(one: Damage, at: number, list: readonly Damage[]): boolean {
  return list.findIndex(({ table, problem }) => table === one.table && problem === one.problem) === at;
}

/** Runs a check, and turns an exception into a finding. */
function attempt(check: () => readonly string[]): readonly string[] {
  try {
    return check();
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
