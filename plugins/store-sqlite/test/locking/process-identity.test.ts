import { describe, expect, it } from 'vitest';
import { isRunning, thisProcess } from '../../src/locking/process-identity.ts';

/** Above every limit of process ids. */
const NOBODY = 2 ** 30;

describe('isRunning', () => {
  it('recognises the running process by its identity', () => expect(isRunning(thisProcess())).toBe(true));

  it('knows that a number nobody has is free', () => {
    expect(isRunning({ pid: NOBODY, started: null })).toBe(false);
    expect(isRunning({ pid: NOBODY, started: '1' })).toBe(false);
  });

  it('takes any process with the number where no start was recorded', () =>
    expect(isRunning({ pid: process.pid, started: null })).toBe(true));

  it.runIf(process.platform === 'linux')('tells a process from another that got its number later', () =>
    expect(isRunning({ pid: process.pid, started: '1' })).toBe(false),
  );
});
