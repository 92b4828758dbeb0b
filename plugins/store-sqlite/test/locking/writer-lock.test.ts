import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { isKebabError } from '@kebab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WriterLock, isRunning, thisProcess, type WriterLockOptions } from '../../src/locking/writer-lock.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

const NOBODY = 2 ** 30;

let folder: TemporaryFolder;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('kebab.lock');
});
afterEach(() => folder.remove());

const acquire = (options: Partial<WriterLockOptions> = {}): Promise<WriterLock> =>
  WriterLock.acquire({
    path,
    location: 'kebab.sqlite',
    waitMs: 0,
    isHeldHere: () => false,
    exclusively: (step) => step(),
    ...options,
  });

const failure = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((error: unknown) => error);

describe('WriterLock', () => {
  it('is a file that names the process, and goes away when it is released', async () => {
    const lock = await acquire();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(thisProcess());
    lock.release();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('leaves no half of itself behind where it cannot be written', async () => {
    mkdirSync(`${path}/in-its-place`, { recursive: true });
    expect(await failure(acquire())).toBeInstanceOf(Error);
    expect(readdirSync(folder.path)).toEqual(['kebab.lock']);
  });

  it('is not written to where a link leads, be it the lock or the name its draft used to have', async () => {
    writeFileSync(folder.file('mine'), 'mine');
    for (const name of ['kebab.lock', `kebab.lock.${process.pid}`]) symlinkSync('mine', folder.file(name));
    await acquire();
    expect(readFileSync(folder.file('mine'), 'utf8')).toBe('mine');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(thisProcess());
  });

  it('is refused while its process runs, with the path and the process', async () => {
    await acquire();
    const error = await failure(acquire({ waitMs: 20 }));
    expect(isKebabError(error, 'locked') && error.details).toEqual({ path, pid: process.pid });
  });

  it.each([
    ['a process that has ended', JSON.stringify({ pid: NOBODY, started: '5' })],
    ['a process whose number another one has now', JSON.stringify({ pid: process.pid, started: '5' })],
    ['a bare number of nobody', String(NOBODY)],
    ['nobody', ''],
    ['something that is no lock', '{"pid":"x"}'],
  ])('is taken over from %s', async (_name, content) => {
    writeFileSync(path, content);
    const lock = await acquire();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(thisProcess());
    lock.release();
    expect(existsSync(path)).toBe(false);
  });

  it('looks again when nobody else does, so that two cannot take over one lock', async () => {
    writeFileSync(path, JSON.stringify({ pid: NOBODY, started: null }));
    const overtaken: WriterLockOptions['exclusively'] = (step) => {
      writeFileSync(path, JSON.stringify({ pid: process.ppid, started: null }));
      return step();
    };
    const error = await failure(acquire({ exclusively: overtaken }));
    expect(isKebabError(error, 'locked') && error.details.pid).toBe(process.ppid);
  });

  it('is not released by one that no longer has it', async () => {
    const lock = await acquire();
    writeFileSync(path, JSON.stringify({ pid: process.ppid, started: null }));
    lock.release();
    expect(existsSync(path)).toBe(true);
  });

  it('needs no file where no other process can see the database', async () => {
    let isHeld = false;
    const lock = await acquire({ path: null, isHeldHere: () => isHeld });
    isHeld = true;
    const error = await failure(acquire({ path: null, isHeldHere: () => isHeld }));
    expect(isKebabError(error, 'locked') && error.details).toEqual({ path: 'kebab.sqlite', pid: process.pid });
    lock.release();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('reports a cancellation before it looks at all', async () => {
    const error = await failure(acquire({ signal: AbortSignal.abort() }));
    expect(isKebabError(error, 'cancelled')).toBe(true);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

/** Above every limit of process ids. */
const FREE_PID = 2 ** 30;

describe('isRunning', () => {
  it('recognises the running process by its identity', () => expect(isRunning(thisProcess())).toBe(true));

  it('knows that a number above every limit is free', () => {
    expect(isRunning({ pid: FREE_PID, started: null })).toBe(false);
    expect(isRunning({ pid: FREE_PID, started: '1' })).toBe(false);
  });

  it('takes any process with the number where no start was recorded', () =>
    expect(isRunning({ pid: process.pid, started: null })).toBe(true));

  it.runIf(process.platform === 'linux')('does not take a process for another that got its number later', () =>
    expect(isRunning({ pid: process.pid, started: '1' })).toBe(false),
  );
});
