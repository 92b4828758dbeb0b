import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isKebabError } from '@kebab/core';
import { blake3Hex } from '@kebab/core/store';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSchemaVersion, SCHEMA_VERSION } from '../../src/database/schema-version.ts';
import { SqliteDocumentStore } from '../../src/documents/sqlite-document-store.ts';
import { fileDatabase } from '../open-test-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

/** A database of version 4 after an ingest of three files. */
const packed = readFileSync(new URL('../fixtures/version-4.sqlite.gz', import.meta.url));

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

/** What a killed process leaves of a database: the file and its log, but nothing of its memory. */
function copyAsKilled(from: string, to: string): void {
  for (const suffix of ['', '-wal']) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
}

function bytesOf(file: string): Uint8Array {
  return existsSync(file) ? readFileSync(file) : new Uint8Array();
}

/** Migrates a database, and copies it whenever a statement has changed the files; returns the copies. */
async function killedAtEveryStep(file: string): Promise<readonly string[]> {
  const copies: string[] = [];
  let last = '';
  const copy = (): void => {
    const now = blake3Hex(Buffer.concat(['', '-wal'].map((suffix) => bytesOf(file + suffix))));
    if (now === last) return;
    last = now;
    const to = folder.file(`killed-${copies.length}.sqlite`);
    copyAsKilled(file, to);
    copies.push(to);
  };
  copy();
  const exec = Reflect.get(Sqlite.prototype, 'exec');
  vi.spyOn(Sqlite.prototype, 'exec').mockImplementation(function (this: Sqlite.Database, sql) {
    const db = exec.call(this, sql);
    copy();
    return db;
  });
  const memory = new Sqlite(':memory:');
  const statements = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Sqlite.Statement; // also those of transactions
  memory.close();
  const run = Reflect.get(statements, 'run');
  vi.spyOn(statements, 'run').mockImplementation(function (this: Sqlite.Statement, ...values) {
    const result = run.apply(this, values);
    copy();
    return result;
  });
  (await fileDatabase(file)).close();
  vi.restoreAllMocks();
  return copies;
}

/** Everything in the tables that has no time of its own. */
function contentOf(file: string): unknown {
  const db = new Sqlite(file, { readonly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
      .pluck()
      .all() as string[];
    const kept = tables.filter((name) => !['migrations', 'kv', 'sqlite_stat1'].includes(name));
    return kept.map((name) => [name, db.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all()]);
  } finally {
    db.close();
  }
}

describe('a migration that is killed', () => {
  it('leaves a database of a whole version at every step, and the next start completes it with equal content', async () => {
    const file = folder.file('kebab.sqlite');
    writeFileSync(file, gunzipSync(packed));
    const copies = await killedAtEveryStep(file);
    const found = new Set<number | null>();
    for (const copy of copies) {
      const before = await fileDatabase(copy, true).then(
        (db) => db,
        (error: unknown) => error,
      );
      if (before instanceof Sqlite) {
        found.add(readSchemaVersion(before));
        before.close();
      } else {
        expect(isKebabError(before, 'not_indexed'), String(before)).toBe(true);
        found.add(isKebabError(before, 'not_indexed') ? Number(/\d+$/.exec(before.details.found)?.[0]) : null);
      }
      const db = await fileDatabase(copy);
      const store = new SqliteDocumentStore(db, { location: copy, lockFile: null, embeddingCache: null });
      expect(await store.checkIntegrity()).toEqual([]);
      store.close();
      expect(contentOf(copy)).toEqual(contentOf(file));
    }
    expect([...found].toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: SCHEMA_VERSION - 3 }, (_, at) => at + 4),
    );
  });
});
