import { KebabError, isKebabError } from '@kebab/core';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { sqliteCode, storeFailure } from '../../src/database/store-failure.ts';

const sqliteError = (code: string): Error => new Sqlite.SqliteError(`it says ${code}`, code);

describe('storeFailure', () => {
  it.each([
    'SQLITE_FULL',
    'SQLITE_CORRUPT_VTAB',
    'SQLITE_NOTADB',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_CANTOPEN',
    'SQLITE_IOERR_WRITE',
  ])('turns %s into io_error, with its code, the file and the cause', (code) => {
    const cause = sqliteError(code);
    const failure = storeFailure(cause, '/data/kebab.sqlite');
    expect(isKebabError(failure, 'io_error') && failure.details).toEqual({
      kind: code,
      path: '/data/kebab.sqlite',
      cause: `it says ${code}`,
    });
    expect((failure as Error).cause).toBe(cause);
    expect((failure as Error).message).toContain('/data/kebab.sqlite');
  });

  it.each(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED'])('turns %s into locked', (code) => {
    expect(isKebabError(storeFailure(sqliteError(code), 'kebab.sqlite'), 'locked')).toBe(true);
  });

  it('leaves every other value as it is', () => {
    const others = [sqliteError('SQLITE_CONSTRAINT_UNIQUE'), new TypeError('x'), 'text', undefined];
    const ours = new KebabError('generic', 'x', { details: { chain: [] } });
    for (const value of [...others, ours]) expect(storeFailure(value, 'kebab.sqlite')).toBe(value);
  });
});

describe('sqliteCode', () => {
  it('tells the code of an error of SQLite, and of nothing else', () => {
    expect(sqliteCode(sqliteError('SQLITE_FULL'))).toBe('SQLITE_FULL');
    expect(sqliteCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBeUndefined();
    expect(sqliteCode({ code: 'SQLITE_FULL' })).toBeUndefined();
  });
});
