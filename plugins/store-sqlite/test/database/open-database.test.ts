import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { isKebabError } from '@kebab/core';
import { type ErrorCode } from '@kebab/core/store';
import { sampleWrite } from '@kebab/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/database/tables.ts';
import { fileDatabase, fileStore } from '../open-test-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

async function failure(opening: Promise<unknown>, code: ErrorCode): Promise<unknown> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(isKebabError(error, code), String(error)).toBe(true);
  return isKebabError(error) ? error.details : undefined;
}

async function writeSample(file: string): Promise<void> {
  const store = await fileStore(file);
  const writer = await store.openWriter({ waitMs: 0 });
  await writer.transaction((tx) => tx.putDocument(sampleWrite('a.md', 'one\n')));
  await writer.close();
  store.close();
}

describe('openDatabase for writing', () => {
  it('creates the folder and the file, with a write-ahead log', async () => {
    const file = folder.file('new/deep/kebab.sqlite');
    const db = await fileDatabase(file);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(db.pragma('page_size', { simple: true })).toBe(8192);
    db.close();
    expect(readdirSync(folder.file('new/deep'))).toEqual(['kebab.sqlite']);
  });

  it('writes nothing into a database that is up to date, so that a reset can open it on a full disk', async () => {
    const file = folder.file('kebab.sqlite');
    await writeSample(file);
    const db = await fileDatabase(file);
    expect(readFileSync(`${file}-wal`)).toHaveLength(0);
    expect(db.pragma('auto_vacuum', { simple: true })).toBe(2);
    db.close();
  });

  it('rejects a folder, and a file that is not a database', async () => {
    mkdirSync(folder.file('kebab.sqlite'));
    expect(await failure(fileDatabase(folder.file('kebab.sqlite')), 'io_error')).toMatchObject({ kind: 'EISDIR' });
    writeFileSync(folder.file('notes.txt'), 'no database at all, but long enough to look like a header'.repeat(20));
    expect(await failure(fileDatabase(folder.file('notes.txt')), 'io_error')).toMatchObject({ kind: 'SQLITE_NOTADB' });
    expect(await failure(fileDatabase(folder.file('notes.txt/kebab.sqlite')), 'io_error')).toMatchObject({
      kind: 'EEXIST',
    });
  });
});

describe('openDatabase', () => {
  it('never blocks on a pipe or treats a device as a database', async () => {
    const pipe = folder.file('kebab.sqlite');
    execFileSync('mkfifo', [pipe]);
    for (const file of [pipe, '/dev/zero'])
      for (const readonly of [true, false])
        expect(await failure(fileDatabase(file, readonly), 'io_error')).toMatchObject({ kind: 'ENXIO', path: file });
  });

  it('reports circular links as unreadable', async () => {
    const loop = folder.file('kebab.sqlite');
    symlinkSync(loop, loop);
    for (const readonly of [true, false])
      expect(await failure(fileDatabase(loop, readonly), 'io_error')).toMatchObject({ kind: 'ELOOP', path: loop });
  });
});

describe('openDatabase for reading', () => {
  it('does not create a missing database', async () => {
    expect(await failure(fileDatabase(folder.file('kebab.sqlite'), true), 'not_indexed')).toEqual({
      expected: 'a database',
      found: 'no file',
    });
    expect(await failure(fileDatabase(folder.file('none/kebab.sqlite'), true), 'not_indexed')).toBeDefined();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('rejects a folder, a damaged file and an empty one', async () => {
    expect(await failure(fileDatabase(folder.path, true), 'io_error')).toMatchObject({ kind: 'EISDIR' });
    writeFileSync(folder.file('a-file'), 'x');
    const below = await failure(fileDatabase(folder.file('a-file/x/kebab.sqlite'), true), 'io_error');
    expect(below).toMatchObject({ kind: 'ENOTDIR', cause: 'lies below a file, not a folder' });
    writeFileSync(folder.file('damaged.sqlite'), 'x'.repeat(8192));
    expect(await failure(fileDatabase(folder.file('damaged.sqlite'), true), 'io_error')).toMatchObject({
      kind: 'SQLITE_NOTADB',
    });
    writeFileSync(folder.file('empty.sqlite'), '');
    expect(await failure(fileDatabase(folder.file('empty.sqlite'), true), 'not_indexed')).toMatchObject({
      found: 'no schema',
    });
  });

  it.each([SCHEMA_VERSION - 1, SCHEMA_VERSION + 1])(
    'rejects a database of schema %i, naming both numbers, and does not change it',
    async (version) => {
      const file = folder.file('kebab.sqlite');
      const db = await fileDatabase(file);
      db.prepare("UPDATE schema_meta SET value = ? WHERE key = 'schema_version'").run(String(version));
      db.close();
      const before = readFileSync(file);
      expect(await failure(fileDatabase(file, true), 'not_indexed')).toEqual({
        expected: `schema ${SCHEMA_VERSION}`,
        found: `schema ${version}`,
      });
      expect(readFileSync(file)).toEqual(before);
    },
  );

  it('does not change the database of another program', async () => {
    const file = folder.file('other.sqlite');
    const other = new Sqlite(file);
    other.exec('CREATE TABLE notes (text TEXT)');
    other.close();
    const before = readFileSync(file);
    for (const readonly of [false, true])
      expect(await failure(fileDatabase(file, readonly), 'io_error')).toMatchObject({ kind: 'EEXIST', path: file });
    expect(readFileSync(file)).toEqual(before);
  });

  it.each([
    [
      'whose tables have a name of ours',
      "CREATE TABLE schema_meta (key, value); INSERT INTO schema_meta VALUES ('schema_version', '4')",
    ],
    ['that is marked as its own', 'PRAGMA application_id = 252006674; VACUUM'],
    ['that has nothing but a view', 'CREATE VIEW one AS SELECT 1'],
  ])('refuses the database of another program %s', async (_what, sql) => {
    const file = folder.file('other.sqlite');
    const other = new Sqlite(file);
    other.exec(sql);
    other.close();
    for (const readonly of [false, true])
      expect(await failure(fileDatabase(file, readonly), 'io_error')).toMatchObject({ kind: 'EEXIST', path: file });
  });

  it("writes kebab's mark into the header of a new database", async () => {
    const db = await fileDatabase(folder.file('fresh.sqlite'));
    expect(readFileSync(folder.file('fresh.sqlite')).toString('latin1', 68, 72)).toBe('kebb'); // although nothing has left the log yet
    db.close();
  });

  it('reads while a writer is active, and after a writer was killed', async () => {
    const file = folder.file('kebab.sqlite');
    const db = await fileDatabase(file);
    db.prepare("UPDATE kv SET value = '7' WHERE key = 'corpus_revision'").run();
    const reader = await fileStore(file, true);
    expect(await reader.corpusRevision()).toBe(7);
    for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, folder.file(`copy${suffix}`));
    reader.close();
    const copy = await fileStore(folder.file('copy'), true);
    expect(await copy.corpusRevision()).toBe(7);
    copy.close();
    db.close();
  });

  it.skipIf(process.getuid?.() === 0)('reports a database that may not be read as impossible to open', async () => {
    const file = folder.file('kebab.sqlite');
    (await fileDatabase(file, false)).close();
    chmodSync(file, 0o000);
    expect(await failure(fileDatabase(file, true), 'io_error')).toMatchObject({ path: file });
  });

  it('reads a database in a folder where no files can be created', async () => {
    const file = folder.file('kebab.sqlite');
    await writeSample(file);
    mkdirSync(`${file}-wal`);
    const store = await fileStore(file, true);
    expect((await store.findDocument('default', 'a.md'))?.textLength).toBe(4);
    expect(await store.checkIntegrity()).toEqual([]);
    store.close();
  });
});
