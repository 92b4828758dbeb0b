import { KebabError } from '@kebab/core';
import { sqliteCode } from '@kebab/sqlite-kit';
import { DamagedColumn } from '@kebab/store-kit';

export { sqliteCode };

/**
 * Converts an SQLite error that the user can act on: `locked` if another process keeps writing, `store_damaged` with the table if something
 * is missing or malformed, `io_error` (with SQLite's code as its kind) for a full disk, a file that is not a database, or missing
 * permissions. Any other value is returned unchanged.
 */
export function storeFailure(error: unknown, file: string): unknown {
  if (error instanceof DamagedColumn)
    return storeDamaged(file, { table: error.table, cause: error.message, error: error.cause });
  const kind = sqliteCode(error);
  if (kind === undefined) return error;
  const cause = error instanceof Error ? error.message : String(error);
  if (/^SQLITE_(BUSY|LOCKED)/.test(kind))
    return new KebabError('locked', `${file}: another process keeps writing`, {
      details: { path: file, pid: null },
      cause: error,
    });
  const table = damagedTable(kind, cause);
  if (table !== undefined) return storeDamaged(file, { table, cause, error });
  const sentence = SENTENCES.find(([pattern]) => pattern.test(kind))?.[1];
  if (sentence === undefined) return error;
  return new KebabError('io_error', `${file}: ${sentence} (${cause})`, {
    details: { kind, path: file, cause },
    cause: error,
    ...hintFor(kind, file),
  });
}

/** Runs an action, whose failures become errors of {@link storeFailure}. */
export function guarded<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw storeFailure(error, file) satisfies unknown;
  }
}

/** On a full disk a database cannot even be read: SQLite cannot allocate the shared-memory file next to it. */
const DISK_FULL = /^SQLITE_(?:FULL|IOERR_SHMSIZE)/;

/** The hint for a file. A reset only removes databases, never another kind of file. */
function hintFor(kind: string, file: string): { readonly hint?: string } {
  if (kind.startsWith('SQLITE_NOTADB'))
    return { hint: `move ${file} away, then build the index again with \`kebab ingest\`` };
  if (DISK_FULL.test(kind)) return { hint: 'free some space there, then run the command again' };
  return {};
}

/** The error for a database in which something is missing or malformed. */
export function storeDamaged(
  file: string,
  {
    table,
    cause,
    error,
    hint,
  }: { readonly table: string | null; readonly cause: string; readonly error?: unknown; readonly hint?: string },
): KebabError<'store_damaged'> {
  const where = table === null ? '' : ` in the table ${table}`;
  return new KebabError('store_damaged', `${file} is damaged${where}: ${cause}`, {
    details: { store: file, table, cause },
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The error for a database written by a newer program; it contains both numbers. */
export function newerDatabase(expected: number, found: number): KebabError<'not_indexed'> {
  return new KebabError(
    'not_indexed',
    `the database has schema ${found}, but this kebab knows schemas up to ${expected}; there is no way back`,
    {
      details: { expected: `schema ${expected}`, found: `schema ${found}` },
      hint: 'install the newer kebab again, or choose another storage.data_dir and run `kebab ingest`',
    },
  );
}

/** The table that an SQLite error reports as damaged, null if it does not name one; undefined for other errors. */
function damagedTable(kind: string, message: string): string | null | undefined {
  const missing = /no such table: (?:main\.)?(\w+)|constructor failed: (\w+)|no such column: "?(?:\w+\.)?(\w+)/.exec(
    message,
  );
  if (missing !== null) return baseTable(missing[1] ?? missing[2] ?? null);
  if (kind === 'SQLITE_CORRUPT_VTAB' || /\bfts5\b|\bchunks_fts/.test(message)) return 'chunks_fts';
  return kind.startsWith('SQLITE_CORRUPT') || message === 'malformed JSON' ? null : undefined;
}

/** Maps the internal tables of the full-text index to its name. */
function baseTable(table: string | null): string | null {
  return table?.startsWith('chunks_fts') === true ? 'chunks_fts' : table;
}

const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [DISK_FULL, 'no space is left for the database'],
  [/^SQLITE_NOTADB/, 'the file is damaged, or no database'],
  [/^SQLITE_(READONLY|PERM)/, 'the database may not be written'],
  [/^SQLITE_CANTOPEN/, 'the database cannot be opened'],
  [/^SQLITE_IOERR/, 'the database cannot be read or written'],
];
