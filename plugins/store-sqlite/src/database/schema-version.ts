import { KebabError } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';

/** The number of the newest migration, which readers require without reading the migrations. */
export const SCHEMA_VERSION = 13;

/** The schema version of a database; null if it has no schema of kebab. */
export function readSchemaVersion(db: Connection): number | null {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_meta'");
  if (table.get() === undefined) return null;
  const version = db.prepare("SELECT value FROM schema_meta WHERE key = 'schema_version'").pluck().get();
  return version === undefined ? null : Number(version);
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
