import { readdirSync } from 'node:fs';
import { isKebabError } from '@kebab/core';
import { blake3Hex } from '@kebab/core/store';
import Sqlite, { type Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Migration } from '@kebab/store-kit';
import { migrate, sqliteMigrations } from '../../src/database/migrate.ts';
import { SCHEMA_VERSION, readSchemaVersion } from '../../src/database/tables.ts';

const MIGRATIONS = sqliteMigrations();
const now = (): Date => new Date('2026-01-01T00:00:00Z');
const schemaOf = (db: Database): unknown =>
  db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();

function migrated(): Database {
  const db = new Sqlite(':memory:');
  migrate(db, { migrations: MIGRATIONS, now });
  return db;
}

function failure(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

describe('migrations', () => {
  it('are the files of the folder, each with its recorded checksum', () => {
    const folder = new URL('../../../../migrations/', import.meta.url);
    const names = MIGRATIONS.map(
      ({ version, description }) => `V${String(version).padStart(3, '0')}__${description}.sql`,
    );
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    expect(files.toSorted()).toEqual(names);
    expect(MIGRATIONS.map(({ checksum }) => checksum)).toEqual(MIGRATIONS.map(({ sql }) => blake3Hex(sql)));
  });

  it('are not read to open an up-to-date database', () => {
    const unread = MIGRATIONS.map(({ version, description, checksum }) => ({
      version,
      description,
      checksum,
      get sql(): string {
        throw new Error(`${description} was read`);
      },
    }));
    expect(migrate(migrated(), { migrations: unread, now })).toBe(SCHEMA_VERSION);
  });

  it('end with the version that readers require', () => expect(MIGRATIONS.at(-1)?.version).toBe(SCHEMA_VERSION));

  it('build an empty database, and record what was applied and when', () => {
    const db = migrated();
    expect(readSchemaVersion(db)).toBe(MIGRATIONS.length);
    expect(db.prepare('SELECT id, applied_at, description, checksum FROM migrations').all()).toEqual(
      MIGRATIONS.map(({ version, description, checksum }) => ({
        id: version,
        applied_at: '2026-01-01T00:00:00.000Z',
        description,
        checksum,
      })),
    );
    expect(db.prepare("SELECT value FROM kv WHERE key = 'corpus_revision'").pluck().get()).toBe('0');
  });

  it('change nothing the second time', () => {
    const db = migrated();
    const before = db.serialize();
    migrate(db, { migrations: MIGRATIONS, now: () => new Date() });
    expect(db.serialize().equals(before)).toBe(true);
  });
});

/** A migration that a later kebab could ship. */
const NEXT: Migration = {
  version: MIGRATIONS.length + 1,
  description: 'next',
  checksum: 'x',
  sql: 'CREATE TABLE next (a)',
};

describe('migrate', () => {
  it('applies what a database lacks, and keeps what is in it', () => {
    const db = migrated();
    db.exec("INSERT INTO kv VALUES ('mine', '1')");
    expect(migrate(db, { migrations: [...MIGRATIONS, NEXT], now })).toBe(NEXT.version);
    expect(readSchemaVersion(db)).toBe(NEXT.version);
    expect(db.prepare("SELECT value FROM kv WHERE key = 'mine'").pluck().get()).toBe('1');
    expect(db.prepare('SELECT count(*) FROM next').pluck().get()).toBe(0);
  });

  it('rolls back a migration that fails half way, and keeps those before it', () => {
    const broken = { ...NEXT, sql: 'CREATE TABLE half (a); SELECT no_such_function();' };
    const db = new Sqlite(':memory:');
    expect(() => migrate(db, { migrations: [...MIGRATIONS, broken], now })).toThrow(/no_such_function/);
    expect(schemaOf(db)).toEqual(schemaOf(migrated()));
    expect(readSchemaVersion(db)).toBe(MIGRATIONS.length);
  });

  it('rejects a database of a newer program, naming both numbers', () => {
    const db = migrated();
    migrate(db, { migrations: [...MIGRATIONS, NEXT], now });
    const error = failure(() => migrate(db, { migrations: MIGRATIONS, now }));
    expect(isKebabError(error, 'not_indexed') && error.details).toEqual({
      expected: `schema ${MIGRATIONS.length}`,
      found: `schema ${NEXT.version}`,
    });
  });

  it('rejects a database built by a different version of a migration, naming it', () => {
    const [first, ...rest] = MIGRATIONS as readonly [Migration, ...(readonly Migration[])];
    const edited = [{ ...first, checksum: 'f'.repeat(64), sql: first.sql }, ...rest];
    const error = failure(() => migrate(migrated(), { migrations: edited, now }));
    expect(isKebabError(error, 'not_indexed') && error.details).toEqual({
      expected: `V001__init ${'f'.repeat(16)}`,
      found: `V001__init ${first.checksum.slice(0, 16)}`,
    });
  });
});
