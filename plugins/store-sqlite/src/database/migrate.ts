import { existsSync, readFileSync } from 'node:fs';
import { KebabError } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { blocksOfTape } from './blocks-of-tape.ts';
import { storeDamaged } from './store-failure.ts';
import { newerDatabase, readSchemaVersion } from './schema-version.ts';
import type { Row } from './tables.ts';

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

/** Beside the bundled program, or in this package, where sources and compiled files are at the same depth. */
const FOLDERS = ['./migrations/', '../../migrations/'].map((path) => new URL(path, import.meta.url));

/** The names and checksums of the files: reading and hashing them would cost a run that applies none of them 7 ms. */
const SHIPPED: readonly (readonly [description: string, checksum: string])[] = [
  ['init', '203344b861bc17632e5de547433ae078f4779f6961f0f724cc6dfe250630eec9'],
  ['vectors_and_cache', 'f6b1ea98c240bea45d87084cb8a40cd1c159d86ff4b13b9e4ede43ff3b19cbac'],
  ['jobs_answers_eval', '41e1d11a82e62ef58620f38fb39f3e43107a01da637e21c54bbc1a3bb2eeb720'],
  ['chat_sessions', '029d295ec46078777f4d4677a05c377b71e9f44a877f4a061996d19f6538e1b6'],
  ['blocks_as_json', '64ff755d9cfcb81d983dc1c1c3bf6abe9e8f3527553577de92003a8d93296442'],
  ['identity', '9a7e969a0281ab5eadd80b1def892be046490a30ee898db95073aaaa00ad9fdb'],
  ['seen_places', '2fc0a1e8a7df9b84f9417c2e3a4c44d5f65d13d6e63e9a3a6dbbe91ab22d073e'],
  ['fingerprint_state', '8b2405220a33b6bd3fb0d93e63ab0d25a1bbc04e5e50bc9d72e93e9b2e73369d'],
  ['flat_search', 'f88d4ef7484f45c74255b49134e8330d8990e8f0630ddea3eb472efa7d0b0558'],
  ['newest_places', '80a2651f449dcb83b8b9ba697f694fb61a5b223d689ad583e2abb7f7c87443ac'],
  ['equal_sources', '427315ea09a29bcfc00dca2b2147898b0d3064eefda6d521bf1c94605dae1566'],
  ['equal_marks', 'e01e60080ffbbe3e6fb4f61f9f2dac81f4fdfe928a94131a86ea70152a083aa0'],
  ['plain_freshness', 'b8afb06b4110752ea216f757e63116d6c9357cffdbf74b80f79ebfac042c02ca'],
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
  if (version < newest) addFunctions(db);
  for (const migration of migrations.slice(version))
    db.transaction(() => {
      if ((readSchemaVersion(db) ?? 0) < migration.version) apply(db, migration, now());
    }).immediate();
  return newest;
}

/** Adds the functions that migrations need beyond SQL. */
function addFunctions(db: Connection): void {
  db.function('blocks_of_tape', { deterministic: true, directOnly: true }, (values, tape) =>
    blocksOfTape(String(values), tape as Uint8Array),
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

type Applied = Pick<Row<'migrations'>, 'id' | 'checksum'>;

function checkApplied(db: Connection, migrations: readonly Migration[]): void {
  if (migrations.length === 0) return;
  const rows = db.prepare('SELECT id, checksum FROM migrations').all() as readonly Applied[];
  const applied = new Map(rows.map(({ id, checksum }) => [id, checksum]));
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
