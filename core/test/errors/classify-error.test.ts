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
  it('returns a KebabError unchanged', () => {
    const error = invalidInput('bad');
    expect(classifyError(error)).toBe(error);
  });

  it('finds a KebabError below a wrapper that added nothing', () => {
    const error = invalidInput('bad');
    expect(classifyError(new Error('wrapped', { cause: error }))).toBe(error);
  });

  it('says that kebab was updated when a part of its own is gone, and nothing of a module of others', () => {
    const of = (name: string) =>
      classifyError(withCode(`Cannot find module '${name}'\nRequire stack: …`, 'MODULE_NOT_FOUND'));
    expect(of('./status-i31jBkHr.cjs')).toMatchObject({
      message: 'kebab was updated while it ran',
      hint: 'start it again',
    });
    expect(of('sharp').message).toContain('sharp');
  });

  it('maps a missing file to io_error with its path and the message of the system', () => {
    const path = join(tmpdir(), 'kebab-no-such-file');
    const error = caught(() => readFileSync(path));
    expect(classifyError(error)).toMatchObject({
      code: 'io_error',
      message: `${path}: no such file or directory`,
      details: { kind: 'ENOENT', path, cause: (error as Error).message },
      cause: error,
    });
  });

  it('maps a folder in place of a file to io_error', () => {
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

  it('maps removing a folder as a file to io_error', () => {
    const path = mkdtempSync(join(tmpdir(), 'kebab-classify-'));
    const error = caught(() => rmSync(path));
    rmSync(path, { recursive: true });
    expect(classifyError(error)).toMatchObject({ code: 'io_error', details: { kind: 'EISDIR', path } });
  });

  it.each(['EACCES', 'ENOSPC', 'EROFS', 'EMFILE'])('keeps the code %s', (kind) => {
    const error = withCode('no', kind, { syscall: 'open', path: '/kb/a.md' });
    expect(classifyError(new Error('cannot store a.md', { cause: error }))).toMatchObject({
      code: 'io_error',
      message: 'cannot store a.md',
      details: { kind, path: '/kb/a.md', cause: 'no' },
    });
  });

  it('does not suggest permissions on a read-only file system', () => {
    const error = withCode('no', 'EROFS', { syscall: 'mkdir', path: '/kb/a' });
    expect(classifyError(error).hint).toMatch(/^the file system is mounted read-only/);
  });

  it('does not treat socket failures or codes of Node itself as file errors', () => {
    expect(classifyError(withCode('refused', 'ECONNREFUSED', { syscall: 'connect' })).code).toBe('generic');
    expect(classifyError(withCode('bad argument', 'ERR_INVALID_ARG_TYPE')).code).toBe('generic');
    expect(classifyError(withCode('made up', 'ENOENT')).code).toBe('generic');
  });

  it.each([
    ['SQLITE_FULL', 'io_error', { kind: 'ENOSPC', path: '/data/kebab.sqlite', cause: 'x' }],
    ['SQLITE_IOERR_SHMSIZE', 'io_error', { kind: 'ENOSPC', path: '/data/kebab.sqlite', cause: 'x' }],
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

  it('maps an abort to cancelled, with the operation and the reason', () => {
    const abort = caught(() => AbortSignal.abort().throwIfAborted());
    expect(classifyError(abort, { operation: 'search' })).toMatchObject({
      code: 'cancelled',
      message: 'search was cancelled',
      details: { operation: 'search', reason: 'This operation was aborted' },
    });
  });

  it('joins the messages of the cause chain for everything else, outermost first', () => {
    const error = new TypeError('outer', { cause: new Error('middle', { cause: 'inner' }) });
    expect(classifyError(error)).toMatchObject({
      code: 'generic',
      message: 'outer',
      details: { chain: ['outer', 'middle', 'inner'] },
      cause: error,
    });
  });

  it('describes a thrown value that is not an error', () => {
    expect(classifyError('out of luck').message).toBe('out of luck');
    expect(classifyError(undefined).message).toBe('something that is no error was thrown (undefined)');
    expect(classifyError({ message: 'a plain object' }).message).toBe('a plain object');
    expect(classifyError(new RangeError()).message).toBe('RangeError');
  });

  it('stops at a cycle in the cause chain', () => {
    const error = new Error('one');
    error.cause = new Error('two', { cause: error });
    expect(classifyError(error)).toMatchObject({ code: 'generic', details: { chain: ['one', 'two'] } });
  });

  it('maps an unknown code to generic', () => {
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

describe('systemReason', () => {
  it('strips code, call and path', () => {
    expect(systemReason(messageOf(() => readFileSync("/no/such 'file'")))).toBe('no such file or directory');
    expect(systemReason(messageOf(() => readdirSync(import.meta.filename)))).toBe('not a directory');
    expect(systemReason('ENOSPC: no space left on device, write')).toBe('no space left on device');
  });

  it('leaves every other message unchanged', () => {
    for (const message of ['', 'out of luck', 'EVERYTHING: is lost', 'the disk, it is full'])
      expect(systemReason(message)).toBe(message);
  });
});
