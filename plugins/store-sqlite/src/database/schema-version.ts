import { KebabError } from '@kebab/core';
import { statement } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build } from './tables.ts';

/** The number of the newest migration, which readers require without reading the migrations. */
export const SCHEMA_VERSION = 1;

/** The schema version of a database; null if it has no schema of kebab. */
export function readSchemaVersion(db: Connection): number | null {
  const table = statement(db, () =>
    build.selectFrom('sqlite_schema').select('name').where('type', '=', 'table').where('name', '=', 'schema_meta'),
  );
  if (table.first({}) === undefined) return null;
  const version = statement(db, () =>
    build.selectFrom('schema_meta').select('value').where('key', '=', 'schema_version'),
  ).first({});
  return version === undefined ? null : Number(version.value);
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
