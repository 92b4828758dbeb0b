import { KebabError } from '@kebab/core';
import { migrationName, shippedMigrations, type Migration, type ShippedMigration } from '@kebab/store-kit';
import { sql } from 'kysely';
import type { Connecting, OwnConnection } from './connection.ts';
import type { Db } from './tables.ts';

const SHIPPED: readonly ShippedMigration[] = [
  ['init', '7c40d5b2369790c1470c8f69b21da135f80001ce0a2075589a210aef7ce6e858'],
];

/** The number of the newest migration, which readers require. */
export const SCHEMA_VERSION = SHIPPED.length;

/** Every migration of PostgreSQL, in order from version 1. */
export function postgresMigrations(): readonly Migration[] {
  return shippedMigrations(SHIPPED, 'postgres/');
}

/** The tables that the migrations make. */
export function migratedTables(): readonly string[] {
  return postgresMigrations().flatMap(({ sql: text }) =>
    [...text.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name),
  );
}

/** The version of the tables; null if there are none. Named by their schema, so that one that the user may not use is none that is missing. */
export async function readSchemaVersion(db: Db): Promise<number | null> {
  const { rows } = await sql<{ readonly found: boolean }>`
    SELECT to_regclass(current_setting('search_path') || '.schema_meta') IS NOT NULL AS found`.execute(db);
  if (rows[0]?.found !== true) return null;
  const version = await db
    .selectFrom('schema_meta')
    .select('value')
    .where('key', '=', 'schema_version')
    .executeTakeFirst();
  return version === undefined ? null : Number(version.value);
}

/** Throws `not_indexed` for tables of a newer program, or for none and older ones where they are to be read. */
export function checkVersion(version: number | null, { address }: Connecting): void {
  const expected = `schema ${SCHEMA_VERSION}`;
  if (version === null)
    throw notIndexed(`nothing has been indexed yet at ${address.shown}`, {
      expected: 'the tables of a knowledge base',
      found: 'no tables',
    });
  if (version > SCHEMA_VERSION)
    throw notIndexed(
      `the database has schema ${version}, but this kebab knows schemas up to ${SCHEMA_VERSION}; there is no way back`,
      {
        expected,
        found: `schema ${version}`,
        hint: 'install the newer kebab again, or choose another storage.postgres.schema and run `kebab ingest`',
      },
    );
  if (version < SCHEMA_VERSION)
    throw notIndexed('the database was made by an older kebab', {
      expected,
      found: `schema ${version}`,
      hint: 'bring it up to date with `kebab ingest`: what is indexed stays',
    });
}

/** The oldest version of PostgreSQL that the tables are made for. */
const OLDEST = 14;

/** What to apply, and where. */
interface MigrateOptions {
  readonly target: Connecting;
  readonly migrations: readonly Migration[];
  readonly now: () => Date;
}

/**
 * Brings the tables to the newest version, and makes them and their schema if there are none. One transaction, which other processes wait
 * for. Throws `not_indexed` if the database is newer than the program, or was built by a migration that has changed since, and
 * `config_invalid` if the server is too old, or the database does not store Unicode.
 */
export async function migrate(
  { db }: Pick<OwnConnection, 'db'>,
  { target, migrations, now }: MigrateOptions,
): Promise<void> {
  const { schema } = target;
  if (await isCurrent(db, target, migrations)) return;
  await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`kebab schema ${schema}`}))`.execute(tx);
    await checkServer(tx, target);
    await createSchema(tx, schema);
    const version = (await readSchemaVersion(tx)) ?? 0;
    for (const migration of migrations.slice(version)) await apply(tx, migration, now());
  });
}

async function isCurrent(db: Db, target: Connecting, migrations: readonly Migration[]): Promise<boolean> {
  const version = await readSchemaVersion(db);
  if (version === null) return false;
  if (version > migrations.length) checkVersion(version, target);
  const rows = await db.selectFrom('migrations').select(['id', 'checksum']).execute();
  const applied = new Map(rows.map(({ id, checksum }) => [id, checksum]));
  for (const { version: number, description, checksum } of migrations.slice(0, version)) {
    const found = applied.get(number);
    if (found === checksum) continue;
    const name = migrationName(number, description);
    throw notIndexed(`the database was built by another migration ${name} than this kebab has`, {
      expected: `${name} ${checksum.slice(0, 16)}`,
      found: `${name} ${found?.slice(0, 16) ?? 'that is not recorded'}`,
      hint: 'choose another storage.postgres.schema, then build the index with `kebab ingest`',
    });
  }
  return version === migrations.length;
}

/** Throws `config_invalid` for a server that is too old, or a database that does not store Unicode. */
export async function checkServer(tx: Db, { address }: Connecting): Promise<void> {
  const { rows } = await sql<{ readonly encoding: string; readonly version: string }>`
    SELECT current_setting('server_encoding') AS encoding, current_setting('server_version') AS version`.execute(tx);
  const { encoding = '', version = '' } = rows[0] ?? {};
  if (Number.parseInt(version, 10) < OLDEST)
    throw unusable(
      `PostgreSQL at ${address.host}:${address.port} is version ${version}; kebab needs ${OLDEST} or newer`,
      'upgrade the server, or name another one in storage.postgres.url',
    );
  if (encoding !== 'UTF8')
    throw unusable(
      `the database ${JSON.stringify(address.database)} stores ${encoding}, not UTF8`,
      'create another one: createdb --encoding UTF8 --template template0 NAME',
    );
}

function unusable(cause: string, hint: string): KebabError<'config_invalid'> {
  return new KebabError('config_invalid', cause, {
    details: { path: null, key: 'storage.postgres.url', cause, suggestion: null },
    hint,
  });
}

/** Not with `IF NOT EXISTS` alone, which needs the right to create schemas even where there is nothing to create. */
async function createSchema(tx: Db, schema: string): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`.execute(tx);
  if (rows.length === 0) await sql`CREATE SCHEMA ${sql.id(schema)}`.execute(tx);
}

async function apply(tx: Db, { version, description, checksum, sql: text }: Migration, at: Date): Promise<void> {
  await sql.raw(text).execute(tx);
  await tx
    .insertInto('migrations')
    .values({ id: version, applied_at: at.toISOString(), description, checksum })
    .execute();
  await tx
    .insertInto('schema_meta')
    .values({ key: 'schema_version', value: String(version) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(version) }))
    .execute();
}

function notIndexed(
  message: string,
  { expected, found, hint }: { readonly expected: string; readonly found: string; readonly hint?: string },
): KebabError<'not_indexed'> {
  return new KebabError('not_indexed', message, {
    details: { expected, found },
    hint: hint ?? 'index your folders with `kebab ingest`; `kebab add FOLDER` adds one',
  });
}
