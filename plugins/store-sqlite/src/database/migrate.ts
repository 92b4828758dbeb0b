import { KebabError } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';

/** One step of the schema: the text of one file of `migrations/`. */
export interface Migration {
  /** 1 for V001, and so on without gaps. */
  readonly version: number;
  readonly description: string;
  /** blake3 of the file. */
  readonly checksum: string;
  readonly sql: string;
}

/** What the runner is given. */
export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  readonly now: () => Date;
}

/**
 * Brings a database to the newest version and returns it. Each migration is one transaction that holds the write lock and
 * looks again before it begins, so that of several processes exactly one applies it. Throws `not_indexed` when the database
 * is newer than the program, or was built by a migration that has changed since.
 */
export function migrate(db: Connection, { migrations, now }: MigrateOptions): number {
  const newest = migrations.length;
  const version = readSchemaVersion(db) ?? 0;
  if (version > newest) throw newerDatabase(newest, version);
  checkApplied(db, migrations.slice(0, version));
  for (const migration of migrations.slice(version))
    db.transaction(() => {
      if ((readSchemaVersion(db) ?? 0) < migration.version) apply(db, migration, now());
    }).immediate();
  return newest;
}

/** The version of a database; null when it has no schema of ours. */
export function readSchemaVersion(db: Connection): number | null {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_meta'");
  if (table.get() === undefined) return null;
  const version = db.prepare("SELECT value FROM schema_meta WHERE key = 'schema_version'").pluck().get();
  return version === undefined ? null : Number(version);
}

/** The error for a database that a newer program wrote; both numbers are in it. */
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

function apply(db: Connection, { version, description, checksum, sql }: Migration, at: Date): void {
  db.exec(sql);
  db.prepare('INSERT INTO migrations (id, applied_at, description, checksum) VALUES (?, ?, ?, ?)').run(
    version,
    at.toISOString(),
    description,
    checksum,
  );
  db.prepare(
    "INSERT INTO schema_meta VALUES ('schema_version', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  ).run(String(version));
}

function checkApplied(db: Connection, migrations: readonly Migration[]): void {
  if (migrations.length === 0) return;
  const rows = db.prepare('SELECT id, checksum FROM migrations').raw().all() as readonly (readonly [number, string])[];
  const applied = new Map(rows);
  for (const { version, description, checksum } of migrations) {
    const found = applied.get(version);
    if (found === checksum) continue;
    const name = `V${String(version).padStart(3, '0')}__${description}`;
    throw new KebabError('not_indexed', `the database was built by another migration ${name} than this kebab has`, {
      details: {
        expected: `${name} ${checksum.slice(0, 16)}`,
        found: `${name} ${found?.slice(0, 16) ?? 'not recorded'}`,
      },
      hint: 'build the database again: `kebab reset --data-only`, then `kebab ingest`',
    });
  }
}
