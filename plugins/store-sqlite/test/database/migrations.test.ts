import { readdirSync } from 'node:fs';
import { isKebabError } from '@kebab/core';
import { blake3Hex } from '@kebab/core/store';
import Sqlite, { type Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate, shippedMigrations } from '../../src/database/migrate.ts';
import { SCHEMA_VERSION, readSchemaVersion } from '../../src/database/schema-version.ts';
import manifest from '../../package.json' with { type: 'json' };

const MIGRATIONS = shippedMigrations();
const now = (): Date => new Date('2026-01-01T00:00:00Z');
const schemaOf = (db: Database): unknown =>
  db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();

function migrated(upTo = MIGRATIONS.length): Database {
  const db = new Sqlite(':memory:');
  migrate(db, { migrations: MIGRATIONS.slice(0, upTo), now });
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
  it('ship with the package', () => {
    expect(manifest.files).toContain('migrations');
  });

  it('are the files of the folder, each with its recorded checksum', () => {
    const folder = new URL('../../migrations/', import.meta.url);
    const names = MIGRATIONS.map(
      ({ version, description }) => `V${String(version).padStart(3, '0')}__${description}.sql`,
    );
    expect(readdirSync(folder).toSorted()).toEqual(names);
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

  it.each(MIGRATIONS.map(({ version }) => version - 1))('bring a database of version %i to the newest', (version) => {
    const db = migrated(version);
    expect(readSchemaVersion(db)).toBe(version === 0 ? null : version);
    migrate(db, { migrations: MIGRATIONS, now });
    expect(schemaOf(db)).toEqual(schemaOf(migrated()));
  });

  it('move the marks in fingerprints to separate columns, and leave the fingerprints unchanged', () => {
    const db = migrated(7);
    const columns = db.prepare("SELECT name, type FROM pragma_table_info('documents') WHERE pk = 0").all();
    const filled = columns as readonly { readonly name: string; readonly type: string }[];
    const names = filled.map(({ name }) => name).join(', ');
    const add = db.prepare(
      `INSERT INTO documents (${names}) VALUES (${filled.map(({ name }) => `@${name}`).join(', ')})`,
    );
    const row = Object.fromEntries(filled.map(({ name, type }) => [name, type === 'INTEGER' ? 1 : '']));
    db.pragma('foreign_keys = OFF');
    for (const [parser_fingerprint, chunker_fingerprint] of [
      ['pdf-v1+a', 'lines+b'],
      ['pdf-v1+a+redact:rules@1 ~secrets !caption+ocr', 'lines+b > paragraphs-v1 > paragraphs-v1+c'],
      ['pdf-v1+a !ocr', 'lines+b'],
    ])
      add.run({
        ...row,
        media: 'pdf',
        trust_level: 'primary',
        doc_id: parser_fingerprint,
        workspace_path: parser_fingerprint,
        parser_fingerprint,
        chunker_fingerprint,
      });
    migrate(db, { migrations: MIGRATIONS, now });
    const moved = db
      .prepare(
        'SELECT parser_fingerprint, chunker_fingerprint, fallback_chunker, unread_json, has_secrets FROM documents',
      )
      .raw();
    expect(moved.all()).toEqual([
      ['pdf-v1+a', 'lines+b', null, '[]', 0],
      ['pdf-v1+a+redact:rules@1', 'lines+b > paragraphs-v1 > paragraphs-v1+c', 'paragraphs-v1', '["caption","ocr"]', 1],
      ['pdf-v1+a', 'lines+b', null, '["ocr"]', 0],
    ]);
  });

  it('change nothing the second time', () => {
    const db = migrated();
    const before = db.serialize();
    migrate(db, { migrations: MIGRATIONS, now: () => new Date() });
    expect(db.serialize().equals(before)).toBe(true);
  });
});

describe('migrate', () => {
  it('rolls back a migration that fails half way, and keeps those before it', () => {
    const broken = {
      version: 3,
      description: 'broken',
      checksum: 'x',
      sql: 'CREATE TABLE half (a); SELECT no_such_function();',
    };
    const db = new Sqlite(':memory:');
    expect(() => migrate(db, { migrations: [...MIGRATIONS.slice(0, 2), broken], now })).toThrow(/no_such_function/);
    expect(schemaOf(db)).toEqual(schemaOf(migrated(2)));
  });

  it('rejects a database of a newer program, naming both numbers', () => {
    const newer = {
      version: MIGRATIONS.length + 1,
      description: 'newer',
      checksum: 'x',
      sql: 'CREATE TABLE newer (a)',
    };
    const db = migrated();
    migrate(db, { migrations: [...MIGRATIONS, newer], now });
    const error = failure(() => migrate(db, { migrations: MIGRATIONS, now }));
    expect(isKebabError(error, 'not_indexed') && error.details).toEqual({
      expected: `schema ${MIGRATIONS.length}`,
      found: `schema ${newer.version}`,
    });
  });

  it('rejects a database built by a different version of a migration, naming it', () => {
    const db = migrated();
    const edited = MIGRATIONS.map((migration) =>
      migration.version === 2 ? { ...migration, checksum: 'f'.repeat(64) } : migration,
    );
    const error = failure(() => migrate(db, { migrations: edited, now }));
    const name = `V002__${MIGRATIONS[1]?.description}`;
    expect(isKebabError(error, 'not_indexed') && error.details).toEqual({
      expected: `${name} ${'f'.repeat(16)}`,
      found: `${name} ${MIGRATIONS[1]?.checksum.slice(0, 16)}`,
    });
  });
});
