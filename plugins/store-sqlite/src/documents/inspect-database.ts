import type { ErrorCode, QuarantinedFile, StoreStats } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { rowsOf, valuesOf, type Statements } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';

/** In order of recording: the clock may have been set back since an earlier run. */
const LAST_INGEST = valuesOf<string>('SELECT finished_at FROM ingest_runs ORDER BY rowid DESC LIMIT 1');

/** Reads the counts that `kebab schema` shows, from one snapshot. */
export function readStats(db: Connection, statements: Statements): StoreStats {
  const count = (sql: string): number => statements.value(valuesOf<number>(sql)) ?? 0;
  const breakdown = (column: string, what = 'count(*)'): Readonly<Record<string, number>> => {
    const groups = rowsOf<{ readonly name: string; readonly n: number }>(
      `SELECT ${column} AS name, ${what} AS n FROM documents WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
    return Object.fromEntries(statements.all(groups).map(({ name, n }) => [name, n]));
  };
  const lastIngest = statements.value(LAST_INGEST) ?? null;
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

/** Reads the files that could not be ingested, ordered by source and path. */
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
