import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { vectorFailure } from '../src/vector-failure.ts';

describe('vectorFailure', () => {
  it('suggests freeing space if the disk is too full to read the vectors, not rebuilding them', () => {
    const error = new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_SHMSIZE');
    expect(vectorFailure(error, '/data/kebab.sqlite')).toMatchObject({
      code: 'vector_store_unreachable',
      hint: 'free some space there, then run the command again',
    });
  });

  it('suggests freeing space if the disk is too full to write the vectors', () => {
    const error = new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL');
    expect(vectorFailure(error, '/data/kebab.sqlite')).toMatchObject({
      code: 'io_error',
      details: { kind: 'ENOSPC' },
      hint: 'free some space there, then run the command again',
    });
  });

  it.each(['SQLITE_IOERR_READ', 'SQLITE_NOTADB'])('suggests rebuilding the vectors after %s', (code) => {
    const failure = vectorFailure(new Sqlite.SqliteError('x', code), '/data/kebab.sqlite');
    expect(failure).toMatchObject({
      code: 'vector_store_unreachable',
      hint: expect.stringContaining('`kebab reset --vector-only`') as unknown,
    });
  });
});
