import { KebabError, isKebabError } from '@kebab/core';
import { sqliteCode } from '@kebab/sqlite-kit';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { decoded } from '@kebab/store-kit';
import { storeFailure } from '../../src/database/store-failure.ts';

const sqliteError = (code: string): Error => new Sqlite.SqliteError(`it says ${code}`, code);

describe('storeFailure', () => {
  it.each(['SQLITE_FULL', 'SQLITE_NOTADB', 'SQLITE_READONLY_DBMOVED', 'SQLITE_CANTOPEN', 'SQLITE_IOERR_WRITE'])(
    'turns %s into io_error, with its code, the file and the cause',
    (code) => {
      const cause = sqliteError(code);
      const failure = storeFailure(cause, '/data/kebab.sqlite');
      expect(isKebabError(failure, 'io_error') && failure.details).toEqual({
        kind: code,
        path: '/data/kebab.sqlite',
        cause: `it says ${code}`,
      });
      expect((failure as Error).cause).toBe(cause);
      expect((failure as Error).message).toContain('/data/kebab.sqlite');
    },
  );

  it.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])('reports %s as a full disk, even when only reading', (code) => {
    expect(storeFailure(sqliteError(code), '/data/kebab.sqlite')).toMatchObject({
      message: `/data/kebab.sqlite: no space is left for the database (it says ${code})`,
      hint: 'free some space there, then run the command again',
    });
  });

  it.each([
    ['SQLITE_CORRUPT', 'database disk image is malformed', null],
    ['SQLITE_CORRUPT_VTAB', 'fts5: corruption found reading blob 7 from table "chunks_fts"', 'chunks_fts'],
    ['SQLITE_ERROR', 'no such table: chunks', 'chunks'],
    ['SQLITE_ERROR', 'no such table: main.chunks_fts_data', 'chunks_fts'],
    ['SQLITE_ERROR', 'vtable constructor failed: chunks_fts', 'chunks_fts'],
    ['SQLITE_ERROR', 'malformed JSON', null],
  ])('turns %s (%s) into store_damaged, with the table and the command that repairs it', (code, message, table) => {
    const failure = storeFailure(new Sqlite.SqliteError(message, code), 'kebab.sqlite');
    expect(failure).toMatchObject({ code: 'store_damaged', details: { store: 'kebab.sqlite', table, cause: message } });
    expect((failure as KebabError).hint).toContain('`kebab repair`');
  });

  it('names the column of an unreadable value', () => {
    const read = (): unknown => decoded('chunks', 'source_spans_json', () => JSON.parse('x') as unknown);
    expect(() => read()).toThrow(/^chunks\.source_spans_json cannot be read/);
    let failure: unknown;
    try {
      read();
    } catch (error) {
      failure = storeFailure(error, 'kebab.sqlite');
    }
    expect(failure).toMatchObject({ code: 'store_damaged', details: { table: 'chunks' } });
  });

  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'])('turns %s into locked', (code) => {
    expect(isKebabError(storeFailure(sqliteError(code), 'kebab.sqlite'), 'locked')).toBe(true);
  });

  it('returns every other value unchanged', () => {
    const others = [sqliteError('SQLITE_CONSTRAINT_UNIQUE'), new TypeError('x'), 'text', undefined];
    const ours = new KebabError('generic', 'x', { details: { chain: [] } });
    for (const value of [...others, ours]) expect(storeFailure(value, 'kebab.sqlite')).toBe(value);
  });
});

describe('sqliteCode', () => {
  it('returns the code of an SQLite error, and undefined for everything else', () => {
    expect(sqliteCode(sqliteError('SQLITE_FULL'))).toBe('SQLITE_FULL');
    expect(sqliteCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBeUndefined();
    expect(sqliteCode({ code: 'SQLITE_FULL' })).toBeUndefined();
  });
});
