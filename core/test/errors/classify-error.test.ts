import { mkdtempSync, readFileSync, rmSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classifyError, systemReason } from '../../src/errors/classify-error.ts';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const withCode = (message: string, code: string, more: object = {}): Error =>
  Object.assign(new Error(message), { code }, more);

describe('classifyError', () => {
  it('returns an error of kebab as it is', () => {
    const error = invalidInput('bad');
    expect(classifyError(error)).toBe(error);
  });

  it('finds an error of kebab below a wrapper that added nothing', () => {
    const error = invalidInput('bad');
    expect(classifyError(new Error('wrapped', { cause: error }))).toBe(error);
  });

  it('calls a missing file io_error with its path and the words of the system', () => {
    const path = join(tmpdir(), 'kebab-no-such-file');
    const error = caught(() => readFileSync(path));
    expect(classifyError(error)).toMatchObject({
      code: 'io_error',
      message: `${path}: no such file or directory`,
      details: { kind: 'ENOENT', path, cause: (error as Error).message },
      cause: error,
    });
  });

  it('calls a folder in the place of a file io_error', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kebab-classify-'));
    try {
      expect(classifyError(caught(() => readFileSync(folder)))).toMatchObject({
        code: 'io_error',
        details: { kind: 'EISDIR' },
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('calls a folder that is to be removed as a file io_error', () => {
    const path = mkdtempSync(join(tmpdir(), 'kebab-classify-'));
    const error = caught(() => rmSync(path));
    rmSync(path, { recursive: true });
    expect(classifyError(error)).toMatchObject({ code: 'io_error', details: { kind: 'EISDIR', path } });
  });

  it.each(['EACCES', 'ENOSPC', 'EROFS', 'EMFILE'])('keeps the kind %s', (kind) => {
    const error = withCode('no', kind, { syscall: 'open', path: '/kb/a.md' });
    expect(classifyError(new Error('cannot store a.md', { cause: error }))).toMatchObject({
      code: 'io_error',
      message: 'cannot store a.md',
      details: { kind, path: '/kb/a.md', cause: 'no' },
    });
  });

  it('does not ask for permissions where the file system is read-only', () => {
    const error = withCode('no', 'EROFS', { syscall: 'mkdir', path: '/kb/a' });
    expect(classifyError(error).hint).toMatch(/^the file system is mounted read-only/);
  });

  it('does not take the failure of a socket, or a code of Node itself, for one of files', () => {
    expect(classifyError(withCode('refused', 'ECONNREFUSED', { syscall: 'connect' })).code).toBe('generic');
    expect(classifyError(withCode('bad argument', 'ERR_INVALID_ARG_TYPE')).code).toBe('generic');
    expect(classifyError(withCode('made up', 'ENOENT')).code).toBe('generic');
  });

  it.each([
    ['SQLITE_FULL', 'io_error', { kind: 'ENOSPC', path: '/data/kebab.sqlite', cause: 'x' }],
    ['SQLITE_IOERR_WRITE', 'io_error', { kind: 'SQLITE_IOERR_WRITE', path: '/data/kebab.sqlite', cause: 'x' }],
    ['SQLITE_CANTOPEN', 'io_error', { kind: 'SQLITE_CANTOPEN', path: '/data/kebab.sqlite', cause: 'x' }],
    ['SQLITE_READONLY', 'io_error', { kind: 'SQLITE_READONLY', path: '/data/kebab.sqlite', cause: 'x' }],
    ['SQLITE_BUSY', 'locked', { path: '/data/kebab.sqlite', pid: null }],
    ['SQLITE_BUSY_SNAPSHOT', 'locked', { path: '/data/kebab.sqlite', pid: null }],
    ['SQLITE_CONSTRAINT', 'generic', { chain: ['x'] }],
  ])('maps %s to %s', (code, expected, details) => {
    const error = classifyError(withCode('x', code), { databasePath: '/data/kebab.sqlite' });
    expect(error).toMatchObject({ code: expected, details });
  });

  it('calls an abort cancelled, with the operation and the reason', () => {
    const abort = caught(() => AbortSignal.abort().throwIfAborted());
    expect(classifyError(abort, { operation: 'search' })).toMatchObject({
      code: 'cancelled',
      message: 'search was cancelled',
      details: { operation: 'search', reason: 'This operation was aborted' },
    });
  });

  it('gives everything else the messages of its cause chain, outermost first', () => {
    const error = new TypeError('outer', { cause: new Error('middle', { cause: 'inner' }) });
    expect(classifyError(error)).toMatchObject({
      code: 'generic',
      message: 'outer',
      details: { chain: ['outer', 'middle', 'inner'] },
      cause: error,
    });
  });

  it('says what was thrown when it was no error', () => {
    expect(classifyError('out of luck').message).toBe('out of luck');
    expect(classifyError(undefined).message).toBe('something that is no error was thrown (undefined)');
    expect(classifyError({ message: 'a plain object' }).message).toBe('a plain object');
    expect(classifyError(new RangeError()).message).toBe('RangeError');
  });

  it('ends on a chain that bites its tail', () => {
    const error = new Error('one');
    error.cause = new Error('two', { cause: error });
    expect(classifyError(error)).toMatchObject({ code: 'generic', details: { chain: ['one', 'two'] } });
  });

  it('calls a code this program does not know generic', () => {
    const foreign = Object.assign(new KebabError('generic', 'from the future', { details: { chain: [] } }), {
      code: 'quantum_failure',
    });
    expect(classifyError(foreign)).toMatchObject({ code: 'generic', details: { chain: ['from the future'] } });
  });
});

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('the call did not fail');
}

describe('the reason in a message of the system', () => {
  it('is what is left without code, call and path', () => {
    expect(systemReason(messageOf(() => readFileSync("/no/such 'file'")))).toBe('no such file or directory');
    expect(systemReason(messageOf(() => readdirSync(import.meta.filename)))).toBe('not a directory');
    expect(systemReason('ENOSPC: no space left on device, write')).toBe('no space left on device');
  });

  it('leaves every other message as it is', () => {
    for (const message of ['', 'out of luck', 'EVERYTHING: is lost', 'the disk, it is full'])
      expect(systemReason(message)).toBe(message);
  });
});
