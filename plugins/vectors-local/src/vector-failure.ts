import { KebabError, isKebabError } from '@kebab/core';
import { sqliteCode } from '@kebab/sqlite-kit';

/**
 * Converts a failure of the vector file: `locked` if another process keeps writing, `io_error` if it may not be written or the disk is
 * full, `store_damaged` if a table is missing or malformed, `vector_store_unreachable` if the file cannot be read at all. Any other value
 * is returned unchanged.
 */
export function vectorFailure(error: unknown, file: string): unknown {
  const code = sqliteCode(error);
  if (code === undefined || isKebabError(error)) return error;
  const cause = error instanceof Error ? error.message : String(error);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new KebabError('locked', `${file}: another process keeps writing`, {
      details: { path: file, pid: null },
      cause: error,
    });
  if (/^SQLITE_(FULL|READONLY|PERM)/.test(code))
    return new KebabError('io_error', `${file}: vectors cannot be written (${cause})`, {
      details: { kind: code === 'SQLITE_FULL' ? 'ENOSPC' : code, path: file, cause },
      cause: error,
      ...(code === 'SQLITE_FULL' && { hint: FREE_SPACE }),
    });
  const missing = /^no such table: (?:main\.)?(\w+)/.exec(cause)?.[1];
  if (missing !== undefined || code.startsWith('SQLITE_CORRUPT'))
    return damaged(file, { table: missing ?? null, cause, error });
  const isDamage = DAMAGE.test(code) || /^no such (column|index)/.test(cause);
  return isDamage ? unreachable(file, cause, { cause: error, ...(code === FULL && { hint: FREE_SPACE }) }) : error;
}

/** On a full disk vectors cannot even be read: SQLite cannot allocate the shared-memory file next to the database. */
const FULL = 'SQLITE_IOERR_SHMSIZE';
const FREE_SPACE = 'free some space there, then run the command again';

const DAMAGE = /^SQLITE_(NOTADB|CANTOPEN|IOERR|FORMAT)/;

/** The error for vectors that are partly missing or malformed, in a readable file. */
export function damaged(
  file: string,
  { table, cause, error }: { readonly table: string | null; readonly cause: string; readonly error?: unknown },
): KebabError<'store_damaged'> {
  return new KebabError('store_damaged', `the vectors in ${file} are damaged: ${cause}`, {
    details: { store: file, table, cause },
    cause: error,
  });
}

/** The error for unusable vectors, which can be recreated from the cache. */
export function unreachable(
  file: string,
  cause: string,
  { cause: error, hint }: { readonly cause?: unknown; readonly hint?: string } = {},
): KebabError<'vector_store_unreachable'> {
  return new KebabError('vector_store_unreachable', `the vectors in ${file} cannot be used: ${cause}`, {
    details: { store: 'local', endpoint: file, cause },
    cause: error,
    hint: hint ?? 'run `kebab doctor`; to rebuild the vectors: `kebab reset --vector-only`, then `kebab ingest`',
  });
}
