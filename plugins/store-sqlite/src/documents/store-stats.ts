import type { StoreStats } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import type { Statements } from '../database/statements.ts';

/** The counts that `kebab schema` shows, from one snapshot. */
export function readStats(db: Connection, statements: Statements): StoreStats {
  const count = (sql: string): number => Number(statements.firstColumnOf(sql).get());
  const breakdown = (column: string, what = 'count(*)'): Readonly<Record<string, number>> => {
    const sql = `SELECT ${column} AS name, ${what} AS n FROM documents WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 1`;
    const rows = statements.of(sql).all() as readonly { readonly name: string; readonly n: number }[];
    return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
  };
  const lastIngest = statements.firstColumnOf('SELECT max(finished_at) FROM ingest_runs').get();
  return {
    documents: count('SELECT count(*) FROM documents'),
    chunks: count('SELECT count(*) FROM chunks'),
    assets: count('SELECT count(*) FROM assets'),
    lastIngestAt: typeof lastIngest === 'string' ? new Date(lastIngest) : null,
    media: breakdown('media'),
    langs: breakdown('lang'),
    codeLangs: breakdown('code_lang'),
    codeLangChunks: breakdown('code_lang', 'sum(chunk_count)'),
    repos: breakdown('repo'),
    sources: breakdown('source_id'),
    storedBytes: Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
  };
}
