import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { KebabError } from '@kebab/core';
import { blake3Hex } from '@kebab/core/store';
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

/** Which migrations are applied, and what is recorded as their time. */
export interface MigrateOptions {
  readonly migrations: readonly Migration[];
  readonly now: () => Date;
}

/** Beside the bundled program, or in this package, which keeps sources and compiled files at the same depth. */
const FOLDERS = ['./migrations/', '../../migrations/'].map((path) => new URL(path, import.meta.url));

/** Every migration, by version from 1 on. Throws a TypeError when the files of the package are not all there. */
export function readMigrations(): readonly Migration[] {
  const folder = FOLDERS.find((candidate) => existsSync(candidate));
  if (folder === undefined) throw new TypeError(`the migrations are missing: no folder ${FOLDERS.join(' and no ')}`);
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.toSorted().map((name, index) => {
    const [, number, description] = /^V(\d{3})__([a-z0-9_]+)\.sql$/.exec(name) ?? [];
    if (description === undefined || Number(number) !== index + 1)
      throw new TypeError(`${name}: migration ${index + 1} was expected, as V${numbered(index + 1)}__<name>.sql`);
    // A checkout on Windows may have other ends of lines; the checksum is that of the file as it is shipped.
    const sql = readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
    return { version: index + 1, description, checksum: blake3Hex(sql), sql };
  });
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
  if (version < newest) addFunctions(db);
  for (const migration of migrations.slice(version))
    db.transaction(() => {
      if ((readSchemaVersion(db) ?? 0) < migration.version) apply(db, migration, now());
    }).immediate();
  return newest;
}

/** What migrations do that SQL alone cannot. */
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
