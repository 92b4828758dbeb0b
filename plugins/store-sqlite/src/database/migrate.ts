import { existsSync, readFileSync } from 'node:fs';
import { KebabError } from '@kebab/core';
import { statement } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { storeDamaged } from './store-failure.ts';
import { build } from './tables.ts';
import { newerDatabase, readSchemaVersion } from './schema-version.ts';

/** One step of the schema: one file of `migrations/`. */
export interface Migration {
  /** 1 for V001, and so on without gaps. */
  readonly version: number;
  readonly description: string;
  /** blake3 of the file. */
  readonly checksum: string;
  readonly sql: string;
}

/** Which migrations to apply, and the time recorded for them. */
export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  readonly now: () => Date;
}

/** Beside the bundled program, or at the top of the repository, for which sources and compiled files are at the same depth. */
const FOLDERS = ['./migrations/', '../../../../migrations/'].map((path) => new URL(path, import.meta.url));

/** The names and checksums of the files: reading and hashing them would cost a run that applies none of them 7 ms. */
const SHIPPED: readonly (readonly [description: string, checksum: string])[] = [
  ['init', 'e996408e75d16701c87ff9f457916f84129a5596750dc8e7081046a6bee747ef'],
];

/** Every migration, in order from version 1; a file is read when its SQL is accessed, which throws a TypeError if the file is missing. */
export function shippedMigrations(): readonly Migration[] {
  return SHIPPED.map(([description, checksum], index) => ({
    version: index + 1,
    description,
    checksum,
    get sql() {
      return readMigration(`V${numbered(index + 1)}__${description}.sql`);
    },
  }));
}

function readMigration(name: string): string {
  const folder = FOLDERS.find((candidate) => existsSync(candidate));
  if (folder === undefined) throw new TypeError(`the migrations are missing: no folder ${FOLDERS.join(' and no ')}`);
  // A checkout on Windows may have different line ends; the checksum is that of the shipped file.
  return readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
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
    const name = `V${numbered(version)}__${description}`;
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

function numbered(version: number): string {
  return String(version).padStart(3, '0');
}
