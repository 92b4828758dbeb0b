import type { ErrorCode, QuarantinedFile, StoreStats } from '@kebab/core/store';
import { statement } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build, ROW_ID } from '../database/tables.ts';

/** Reads the counts that `kebab schema` shows, from one snapshot. */
export function readStats(db: Connection): StoreStats {
  const count = (table: 'documents' | 'chunks' | 'assets'): number =>
    statement(db, () => build.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('n'))).first({})?.n ?? 0;
  const breakdown = (
    column: 'media' | 'lang' | 'code_lang' | 'repo' | 'source_id',
    of: 'documents' | 'chunks' = 'documents',
  ): Readonly<Record<string, number>> => {
    const groups = statement(db, () =>
      build
        .selectFrom('documents')
        .select((eb) => [
          eb.ref(column).$notNull().as('name'),
          (of === 'chunks' ? eb.fn.sum<number>('chunk_count') : eb.fn.countAll<number>()).as('n'),
        ])
        .where(column, 'is not', null)
        .groupBy(column)
        .orderBy(column),
    );
    return Object.fromEntries(groups.all({}).map(({ name, n }) => [name, n]));
  };
  const lastIngest = lastIngestOf(db);
  return {
    documents: count('documents'),
    chunks: count('chunks'),
    assets: count('assets'),
    lastIngestAt: lastIngest === null ? null : new Date(lastIngest),
    media: breakdown('media'),
    langs: breakdown('lang'),
    codeLangs: breakdown('code_lang'),
    codeLangChunks: breakdown('code_lang', 'chunks'),
    repos: breakdown('repo'),
    sources: breakdown('source_id'),
    storedBytes: Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
  };
}

/** In order of recording: the clock may have been set back since an earlier run. */
function lastIngestOf(db: Connection): string | null {
  const last = statement(db, () =>
    build.selectFrom('ingest_runs').select('finished_at').orderBy(ROW_ID, 'desc').limit(1),
  );
  return last.first({})?.finished_at ?? null;
}

/** Reads the files that could not be ingested, ordered by source and path. */
export function readQuarantine(db: Connection): readonly QuarantinedFile[] {
  const files = statement(db, () =>
    build.selectFrom('quarantined_files').selectAll().orderBy('source_id').orderBy('workspace_path'),
  );
  return files.all({}).map((row) => ({
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    reason: row.reason,
    code: row.code as ErrorCode,
    agent: row.agent,
    attempts: row.attempts,
    lastFailedAt: new Date(row.last_failed_at),
  }));
}
