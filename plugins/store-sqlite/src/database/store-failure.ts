import { KebabError } from '@kebab/core';

/**
 * Gives an error of SQLite that the user can do something about its code: `locked` when another process keeps writing,
 * `io_error` (with SQLite's code as its kind) for a full disk, a damaged file or missing rights. Any other value comes back
 * as it is.
 */
export function storeFailure(error: unknown, file: string): unknown {
  const kind = sqliteCode(error);
  if (kind === undefined) return error;
  const cause = error instanceof Error ? error.message : String(error);
  if (/^SQLITE_(BUSY|LOCKED)/.test(kind))
    return new KebabError('locked', `${file}: another process keeps writing`, {
      details: { path: file, pid: null },
      cause: error,
    });
  const sentence = SENTENCES.find(([pattern]) => pattern.test(kind))?.[1];
  if (sentence === undefined) return error;
  return new KebabError('io_error', `${file}: ${sentence} (${cause})`, {
    details: { kind, path: file, cause },
    cause: error,
    ...hintFor(kind, file),
  });
}

/** The code of an error of SQLite, such as `SQLITE_FULL`; undefined for every other value. */
export function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** A reset removes databases only, never a file that has become or always was something else. */
function hintFor(kind: string, file: string): { readonly hint?: string } {
  if (kind.startsWith('SQLITE_NOTADB'))
    return { hint: `move ${file} away, then build the index again with \`kebab ingest\`` };
  if (kind.startsWith('SQLITE_FULL')) return { hint: 'free some space there, then run the command again' };
  if (!kind.startsWith('SQLITE_CORRUPT')) return {};
  return { hint: 'the index can be built again: `kebab reset --data-only`, then `kebab ingest`' };
}

const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, 'no space is left for the database'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'the file is damaged, or no database'],
  [/^SQLITE_(READONLY|PERM)/, 'the database may not be written'],
  [/^SQLITE_CANTOPEN/, 'the database cannot be opened'],
  [/^SQLITE_IOERR/, 'the database cannot be read or written'],
];
