import type { ErrorCode, QuarantinedFile, StoreStats } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { rowsOf, valuesOf, type Statements } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';

/** The counts that `kebab schema` shows, from one snapshot. */
export function readStats(db: Connection, statements: Statements): StoreStats {
  const count = (sql: string): number => statements.value(valuesOf<number>(sql)) ?? 0;
  const breakdown = (column: string, what = 'count(*)'): Readonly<Record<string, number>> => {
    const groups = rowsOf<{ readonly name: string; readonly n: number }>(
      `SELECT ${column} AS name, ${what} AS n FROM documents WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
    return Object.fromEntries(statements.all(groups).map(({ name, n }) => [name, n]));
  };
  const lastIngest = statements.value(valuesOf<string | null>('SELECT max(finished_at) FROM ingest_runs')) ?? null;
  return {
    documents: count('SELECT count(*) FROM documents'),
    chunks: count('SELECT count(*) FROM chunks'),
    assets: count('SELECT count(*) FROM assets'),
    lastIngestAt: lastIngest === null ? null : new Date(lastIngest),
    media: breakdown('media'),
    langs: breakdown('lang'),
    codeLangs: breakdown('code_lang'),
    codeLangChunks: breakdown('code_lang', 'sum(chunk_count)'),
    repos: breakdown('repo'),
    sources: breakdown('source_id'),
    storedBytes: Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
  };
}

const QUARANTINE = rowsOf<Row<'quarantined_files'>>(
  'SELECT * FROM quarantined_files ORDER BY source_id, workspace_path',
);

/** The files that could not be taken in, by source and path. */
export function readQuarantine(statements: Statements): readonly QuarantinedFile[] {
  return statements.all(QUARANTINE).map((row) => ({
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    reason: row.reason,
    code: row.code as ErrorCode,
    agent: row.agent,
    attempts: row.attempts,
    lastFailedAt: new Date(row.last_failed_at),
  }));
}

const SENTENCES = {
  without_full_text: 'chunks have no full-text row',
  without_chunk: 'full-text rows have no chunk',
  misplaced: 'chunks are not where their document says',
  missing: 'chunks of documents are missing',
} as const;

/** FTS5 keeps one row for each indexed row in its table of sizes. */
const CHUNKS_AND_FULL_TEXT = rowsOf<Readonly<Record<keyof typeof SENTENCES, number>>>(`
  SELECT (SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT id FROM chunks_fts_docsize)) AS without_full_text,
         (SELECT count(*) FROM chunks_fts_docsize WHERE id NOT IN (SELECT seq FROM chunks)) AS without_chunk,
         (SELECT count(*) FROM chunks c LEFT JOIN documents d ON d.seq = c.doc_seq
          WHERE d.seq IS NULL OR c.seq != d.first_chunk + c.ordinal OR c.ordinal >= d.chunk_count) AS misplaced,
         (SELECT coalesce(sum(chunk_count), 0) FROM documents) - (SELECT count(*) FROM chunks) AS missing`);

/** What is wrong with a database: its pages, its references, its chunks and their full-text rows. */
export function checkIntegrity(db: Connection, statements: Statements): readonly string[] {
  const pages = (db.pragma('integrity_check') as readonly { readonly integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((finding) => finding !== 'ok');
  if (pages.length > 0) return pages;
  const references = db.pragma('foreign_key_check') as readonly { readonly table: string; readonly parent: string }[];
  const counts = statements.first(CHUNKS_AND_FULL_TEXT);
  return [
    ...references.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`),
    ...Object.entries(SENTENCES).flatMap(([name, sentence]) => {
      const count = counts?.[name as keyof typeof SENTENCES] ?? 0;
      return count === 0 ? [] : [`${count} ${sentence}`];
    }),
  ];
}
