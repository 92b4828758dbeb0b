import type { ErrorCode, QuarantinedFile } from '@kebab/core';
import type { Statements } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';

/** The files that could not be taken in, by source and path. */
export function readQuarantine(statements: Statements): readonly QuarantinedFile[] {
  const sql = 'SELECT * FROM quarantined_files ORDER BY source_id, workspace_path';
  const rows = statements.of(sql).all() as readonly Row<'quarantined_files'>[];
  return rows.map((row) => ({
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    reason: row.reason,
    code: row.code as ErrorCode,
    agent: row.agent,
    attempts: row.attempts,
    lastFailedAt: new Date(row.last_failed_at),
  }));
}

/** Replaces the list, inside the caller's transaction. */
export function writeQuarantine(statements: Statements, files: readonly QuarantinedFile[]): void {
  statements.of('DELETE FROM quarantined_files').run();
  const insert = statements.of(
    `INSERT INTO quarantined_files (source_id, workspace_path, reason, code, agent, attempts, last_failed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { sourceId, workspacePath, reason, code, agent, attempts, lastFailedAt } of files)
    insert.run(sourceId, workspacePath, reason, code, agent, attempts, lastFailedAt.toISOString());
}
