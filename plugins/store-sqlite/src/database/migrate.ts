import { KebabError } from '@kebab/core';
import { statement } from '@kebab/sqlite-kit';
import { migrationName, shippedMigrations, type Migration, type ShippedMigration } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { newerDatabase, storeDamaged } from './store-failure.ts';
import { build, readSchemaVersion } from './tables.ts';

/** Which migrations to apply, and the time recorded for them. */
export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  readonly now: () => Date;
}

const SHIPPED: readonly ShippedMigration[] = [
  ['init', 'e996408e75d16701c87ff9f457916f84129a5596750dc8e7081046a6bee747ef'],
];

/** Every migration of SQLite, in order from version 1. */
export function sqliteMigrations(): readonly Migration[] {
  return shippedMigrations(SHIPPED);
}

/**
 * Migrates a database to the newest version and returns it. Each migration is one transaction that holds the write lock and checks the
 * version again, so that exactly one of several processes applies it. Throws `not_indexed` if the database is newer than the program, or
 * was built by a migration that has changed since.
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

function apply(db: Connection, { version, description, checksum, sql }: Migration, at: Date): void {
  db.exec(sql);
  statement(db, () =>
    build.insertInto('migrations').values({ id: version, applied_at: at.toISOString(), description, checksum }),
  ).run({});
  statement(db, () =>
    build
      .insertInto('schema_meta')
      .values({ key: 'schema_version', value: String(version) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(version) })),
  ).run({});
}

function checkApplied(db: Connection, migrations: readonly Migration[]): void {
  if (migrations.length === 0) return;
  const rows = statement(db, () => build.selectFrom('migrations').select(['id', 'checksum']));
  const applied = new Map(rows.all({}).map(({ id, checksum }) => [id, checksum]));
  for (const { version, description, checksum } of migrations) {
    const found = applied.get(version);
    if (found === checksum) continue;
    const name = migrationName(version, description);
    if (found === undefined) throw storeDamaged(db.name, { table: 'migrations', cause: `${name} is not recorded` });
    throw new KebabError('not_indexed', `the database was built by another migration ${name} than this kebab has`, {
      details: {
        expected: `${name} ${checksum.slice(0, 16)}`,
        found: `${name} ${found.slice(0, 16)}`,
      },
      hint: 'build the database again: `kebab reset --data-only`, then `kebab ingest`',
    });
  }
}
