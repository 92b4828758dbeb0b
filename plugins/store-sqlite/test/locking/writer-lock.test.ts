import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { isKebabError } from '@kebab/core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WriterLock, type WriterLockOptions } from '../../src/locking/writer-lock.ts';
import { runProgram } from '../run-program.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

const NOBODY = 2 ** 30;

let folder: TemporaryFolder;
let path: string;
const held: WriterLock[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('kebab.lock');
});
afterEach(() => {
  for (const lock of held.splice(0)) lock.release();
  folder.remove();
});

async function acquire(options: Partial<WriterLockOptions> = {}): Promise<WriterLock> {
  const given = { path, location: 'kebab.sqlite', waitMs: 0, here: { isHeld: false }, ...options };
  const lock = await WriterLock.acquire(given);
  held.push(lock);
  return lock;
}

const failure = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((error: unknown) => error);
const readLock = (): unknown => JSON.parse(readFileSync(path, 'utf8'));

describe('WriterLock', () => {
  it('records in its file who writes, where and since when, and removes that on release', async () => {
    const lock = await acquire();
    const since = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
    expect(readLock()).toMatchObject({ pid: process.pid, host: hostname(), since });
    lock.release();
    expect(readdirSync(folder.path)).toEqual(['kebab.lock.sqlite']);
    expect(readFileSync(`${path}.sqlite`)).toHaveLength(0);
  });

  it('is rejected while it is held, whatever its file says, with the path and the process', async () => {
    await acquire();
    const error = await failure(acquire({ waitMs: 20 }));
    expect(isKebabError(error, 'locked') && error.details).toEqual({ path, pid: process.pid });
    writeFileSync(path, JSON.stringify({ pid: NOBODY }));
    expect(isKebabError(await failure(acquire()), 'locked')).toBe(true);
  });

  it('names the command, the machine and the time of another writer', async () => {
    await acquire();
    const since = '2026-01-02T03:04:05.000Z';
    writeFileSync(path, JSON.stringify({ pid: 7, host: 'elsewhere', since, command: 'kebab ingest' }));
    expect(await failure(acquire())).toMatchObject({
      message: `kebab.sqlite is being written by process 7 (kebab ingest) on elsewhere, since ${since}`,
    });
  });

  it.each([
    ['a process that has ended', JSON.stringify({ pid: NOBODY, started: '5' })],
    ['a process that runs, as a number that is given again', JSON.stringify({ pid: process.pid, started: '5' })],
    ['a bare number', String(NOBODY)],
    ['an empty file', ''],
    ['something that is no lock', '{"pid":"x"}'],
  ])('takes over the lock file of an earlier version: %s', async (_name, content) => {
    writeFileSync(path, content);
    const lock = await acquire();
    expect(readLock()).toMatchObject({ pid: process.pid });
    lock.release();
    expect(existsSync(path)).toBe(false);
  });

  it('is not written through a link', async () => {
    writeFileSync(folder.file('mine'), 'mine');
    symlinkSync('mine', path);
    await acquire();
    expect(readFileSync(folder.file('mine'), 'utf8')).toBe('mine');
    expect(readLock()).toMatchObject({ pid: process.pid });
  });

  it.each(['kebab.lock', 'kebab.lock.sqlite'])('reports immediately that %s is a folder', async (name) => {
    mkdirSync(folder.file(name));
    const error = await failure(acquire({ waitMs: 60_000 }));
    expect(isKebabError(error, 'io_error') && error.details).toMatchObject({ kind: 'EISDIR', path: folder.file(name) });
  });

  it.skipIf(process.platform === 'win32').each(['kebab.lock', 'kebab.lock.sqlite'])(
    'reports immediately that %s is a pipe, without waiting for a writer',
    async (name) => {
      execFileSync('mkfifo', [folder.file(name)]);
      const error = await failure(acquire({ waitMs: 60_000 }));
      expect(isKebabError(error, 'io_error') && error.details).toMatchObject({ kind: 'ENXIO' });
    },
  );

  it.skipIf(process.getuid?.() === 0).each(['kebab.lock', 'kebab.lock.sqlite'])(
    'reports immediately that %s may not be written',
    async (name) => {
      writeFileSync(folder.file(name), '');
      chmodSync(folder.file(name), 0o444);
      const error = await failure(acquire({ waitMs: 60_000 }));
      expect(isKebabError(error, 'io_error') && error.details).toMatchObject({ kind: 'EACCES' });
    },
  );

  it('does not touch a foreign file with its name', async () => {
    writeFileSync(`${path}.sqlite`, 'notes of somebody '.repeat(100));
    const error = await failure(acquire({ waitMs: 60_000 }));
    expect(isKebabError(error, 'io_error') && error.details).toMatchObject({ kind: 'SQLITE_NOTADB' });
    expect(readFileSync(`${path}.sqlite`, 'utf8')).toBe('notes of somebody '.repeat(100));
  });

  it('is acquired without its file on a full disk, so that a reset can free space', async () => {
    failWrites('ENOSPC');
    const lock = await acquire();
    expect(readdirSync(folder.path)).toEqual(['kebab.lock.sqlite']);
    expect(isKebabError(await failure(acquire()), 'locked')).toBe(true);
    lock.release();
    await acquire();
  });

  it('is not acquired if its file cannot be written for another reason', async () => {
    failWrites('EIO');
    expect(await failure(acquire())).toMatchObject({ code: 'EIO' });
  });

  it('is acquired although the other writer removes its file during the check', async () => {
    writeFileSync(path, '{}');
    failChecks(() => {
      rmSync(path);
      throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    });
    await acquire();
    expect(readLock()).toMatchObject({ pid: process.pid });
  });

  it('needs no file if no other process can see the database', async () => {
    const here = { isHeld: false };
    const lock = await acquire({ path: null, here });
    const error = await failure(acquire({ path: null, here }));
    expect(isKebabError(error, 'locked') && error.details).toEqual({ path: 'kebab.sqlite', pid: process.pid });
    lock.release();
    (await acquire({ path: null, here })).release();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('reports a cancellation before it checks the lock', async () => {
    const error = await failure(acquire({ signal: AbortSignal.abort() }));
    expect(isKebabError(error, 'cancelled')).toBe(true);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('stops waiting when the signal fires', async () => {
    await acquire();
    const stop = new AbortController();
    const waiting = failure(acquire({ waitMs: 60_000, signal: stop.signal }));
    stop.abort();
    expect(isKebabError(await waiting, 'cancelled')).toBe(true);
  });
});

/** Makes every write of a file fail until the test ends. */
function failWrites(code: string): void {
  const writes = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  restoreAfterTest(writes);
}

/** Replaces the first check of a file's permissions. */
function failChecks(check: () => void): void {
  restoreAfterTest(vi.spyOn(fs, 'accessSync').mockImplementationOnce(check));
}

function restoreAfterTest(spied: { mockRestore: () => void }): void {
  syncBuiltinESMExports();
  onTestFinished(() => {
    spied.mockRestore();
    syncBuiltinESMExports();
  });
}

/** Acquires the lock several times in a process, and records in one file when it gets and releases it. */
const holding = (...wrapper: readonly string[]) => runProgram('hold-lock', { wrapper }, path);

/** The maximum number of simultaneous holders, according to the recorded times. */
async function mostAtOnce(programs: readonly ReturnType<typeof runProgram>[]): Promise<number> {
  expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual(programs.map(() => 0));
  const notes = readFileSync(`${path}.notes`, 'utf8').trim().split('\n');
  expect(notes).toHaveLength(programs.length * 10);
  let now = 0;
  return Math.max(...notes.map((note) => (now += note === 'held' ? 1 : -1)));
}

describe('the lock between processes', () => {
  it('is held by only one process at a time', { timeout: 60_000 }, async () => {
    expect(await mostAtOnce([holding(), holding(), holding()])).toBe(1);
  });

  it.skipIf(!canUnshare())(
    'is held by only one of several processes that cannot see each other, as in containers on one volume',
    { timeout: 60_000 },
    async () => {
      const unshared = () => holding('unshare', '--pid', '--fork', '--mount-proc');
      expect(await mostAtOnce([unshared(), unshared(), unshared()])).toBe(1);
    },
  );

  it('is released as soon as its process is killed', { timeout: 60_000 }, async () => {
    const { process: child, lines, ended } = runProgram('hold-lock', path, 'for ever');
    for await (const line of lines) {
      expect(line).toBe('held');
      expect(isKebabError(await failure(acquire()), 'locked')).toBe(true);
      child.kill('SIGKILL');
    }
    await ended;
    await acquire();
    expect(readLock()).toMatchObject({ pid: process.pid });
  });
});

/** Whether this machine allows users to create a PID namespace; otherwise the test is reported as skipped. */
function canUnshare(): boolean {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
