import { analyseChunk, type SourceSpan } from '@kebab/core';
import { searchExtras } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { Statements, rowsOf } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';
import { decodeHeadingPath, decodeMetadata, decodeSectionLabel, decodeSpans } from './columns.ts';
import { readText } from './text-segments.ts';
import type { WholeSchema } from './whole-schema.ts';

/** FTS5 has one row in its docsize table for each indexed row. */
const UNMATCHED = `SELECT (SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT id FROM chunks_fts_docsize)) AS without_row,
  (SELECT count(*) FROM chunks_fts_docsize WHERE id NOT IN (SELECT seq FROM chunks)) AS without_chunk`;

/** Describes what is wrong with the full-text index, one sentence per problem. Its internal consistency is part of the page check. */
export function fullTextProblems(db: Connection): readonly string[] {
  const { without_row, without_chunk } = db.prepare(UNMATCHED).get() as Readonly<Record<string, number>>;
  const problems: string[] = [];
  if (without_row !== 0) problems.push(`${without_row} chunks have no full-text row`);
  if (without_chunk !== 0) problems.push(`${without_chunk} full-text rows have no chunk`);
  if (!holdsItsWords(db)) problems.push('words of full-text rows are missing');
  return problems;
}

/** Whether the index has at least as many words as its rows have together; removed rows may have left words behind. */
function holdsItsWords(db: Connection): boolean {
  db.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunks_words USING fts5vocab(main, chunks_fts, row)');
  const held = Number(db.prepare('SELECT coalesce(sum(cnt), 0) FROM temp.chunks_words').pluck().get());
  let counted = 0;
  for (const size of db.prepare('SELECT sz FROM chunks_fts_docsize').pluck().iterate() as Iterable<Uint8Array>) {
    let value = 0;
    for (const byte of size) {
      value = value * 128 + (byte & 127);
      if (byte > 127) continue;
      counted += value;
      value = 0;
    }
  }
  return held >= counted;
}

/** Recreates the full-text index without rows. Missing tables of a damaged one are created first, so that it can be dropped. */
export function emptyFullText(db: Connection, { empty }: WholeSchema): void {
  const parts = empty
    .prepare("SELECT name, sql FROM sqlite_schema WHERE name LIKE 'chunks\\_fts\\_%' ESCAPE '\\' AND sql IS NOT NULL")
    .all() as readonly { readonly name: string; readonly sql: string }[];
  // FTS5 accepts only integers here, which better-sqlite3 binds for a bigint.
  const settings = empty.prepare('SELECT k, v FROM chunks_fts_config').safeIntegers().all() as readonly {
    readonly k: string;
    readonly v: unknown;
  }[];
  const isThere = (name: string): boolean =>
    db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
  db.exec('DROP TABLE IF EXISTS temp.chunks_words; DROP TABLE IF EXISTS temp.chunks_vocab');
  if (isThere('chunks_fts')) {
    for (const { name, sql } of parts) if (!isThere(name)) db.exec(sql);
    const put = db.prepare('INSERT OR REPLACE INTO chunks_fts_config VALUES (@k, @v)');
    for (const setting of settings) put.run(setting);
    db.exec('DROP TABLE chunks_fts');
  }
  for (const { name } of parts) db.exec(`DROP TABLE IF EXISTS ${name}`);
  db.exec(String(empty.prepare("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'").pluck().get()));
  const configure = db.prepare('INSERT INTO chunks_fts(chunks_fts, rank) VALUES (@k, @v)');
  for (const setting of settings) if (setting.k !== 'version') configure.run(setting);
}

type StoredDocument = Pick<
  Row<'documents'>,
  | 'seq'
  | 'title'
  | 'workspace_path'
  | 'media'
  | 'first_chunk'
  | 'chunk_count'
  | 'metadata_json'
  | 'text_length'
  | 'created_at'
  | 'updated_at'
  | 'source_type'
  | 'trust_level'
  | 'repo'
  | 'code_lang'
>;
type StoredChunk = Pick<
  Row<'chunks'>,
  'seq' | 'ordinal' | 'text_start' | 'text_end' | 'heading_path_json' | 'section_label' | 'source_spans_json'
>;

const DOCUMENTS =
  rowsOf<StoredDocument>(`SELECT seq, title, workspace_path, media, first_chunk, chunk_count, metadata_json,
  text_length, created_at, updated_at, source_type, trust_level, repo, code_lang FROM documents ORDER BY seq`);
const CHUNKS =
  rowsOf<StoredChunk>(`SELECT seq, ordinal, text_start, text_end, heading_path_json, section_label, source_spans_json
  FROM chunks WHERE seq >= @from AND seq < @to ORDER BY seq`);

/** Fills an empty full-text index from the stored chunks, without the prefixes of plugins, which are not stored. */
export function fillFullText(db: Connection, onDocument: () => void): void {
  const statements = new Statements(db);
  const add = db.prepare(
    'INSERT INTO chunks_fts(rowid, text, heading, symbol, cjk) VALUES (@rowid, @text, @heading, @symbol, @cjk)',
  );
  for (const document of statements.all(DOCUMENTS)) {
    onDocument();
    const { first_chunk, chunk_count, title, workspace_path, seq, media, text_length } = document;
    const extras = searchExtras(decodeMetadata(document.metadata_json, document));
    const text = readText(statements, seq, 0, text_length);
    for (const chunk of statements.all(CHUNKS, { from: first_chunk, to: first_chunk + chunk_count })) {
      const headingPath = decodeHeadingPath(chunk.heading_path_json, title);
      const analysed = analyseChunk({
        text: text.slice(chunk.text_start, chunk.text_end),
        title,
        headingPath,
        workspacePath: workspace_path,
        symbol: symbolOf(
          media,
          decodeSpans(chunk.source_spans_json),
          decodeSectionLabel(chunk.section_label, headingPath),
        ),
        extra: chunk.ordinal === 0 ? extras : [],
        prefix: null,
      });
      add.run({ rowid: chunk.seq, ...analysed });
    }
  }
}

function symbolOf(media: string, spans: readonly SourceSpan[], label: string | null): string | null {
  const [span] = spans;
  if (span?.kind === 'code') return span.symbol;
  return media === 'code' ? label : null;
}
