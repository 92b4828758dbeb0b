import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallWatch } from '../src/ollama-failure.ts';

const LIMITS = { connectMs: 10, firstPartMs: 100, wholeMs: 1000 };

describe('CallWatch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gives up on a connection that is not accepted in time', () => {
    const watch = new CallWatch(LIMITS, undefined);
    vi.advanceTimersByTime(9);
    expect(watch.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect([watch.signal.aborted, watch.givenUp]).toEqual([true, { kind: 'not_connected', afterMs: 10 }]);
  });

  it('gives up when no part arrives in time', () => {
    const watch = new CallWatch(LIMITS, undefined);
    watch.connected();
    vi.advanceTimersByTime(100);
    expect(watch.givenUp).toEqual({ kind: 'too_slow', afterMs: 100 });
  });

  it('gives up when the end does not arrive in time, however many parts do', () => {
    const watch = new CallWatch(LIMITS, undefined);
    watch.heard();
    vi.advanceTimersByTime(999);
    expect(watch.givenUp).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(watch.givenUp).toEqual({ kind: 'too_slow', afterMs: 1000 });
  });

  it('has no limit for 0', () => {
    const watch = new CallWatch({ connectMs: 0, firstPartMs: 0, wholeMs: 0 }, undefined);
    vi.advanceTimersByTime(10_000_000);
    expect([watch.signal.aborted, vi.getTimerCount()]).toEqual([false, 0]);
  });

  it('gives up with its caller, and keeps the first reason', () => {
    const caller = new AbortController();
    const watch = new CallWatch(LIMITS, caller.signal);
    caller.abort();
    vi.advanceTimersByTime(1000);
    expect([watch.signal.aborted, watch.givenUp]).toEqual([true, { kind: 'aborted' }]);
    expect(new CallWatch(LIMITS, caller.signal).givenUp).toEqual({ kind: 'aborted' });
  });

  it('aborts running work at the end, without a reason, and leaves no timer', () => {
    const caller = new AbortController();
    const watch = new CallWatch(LIMITS, caller.signal);
    watch.end();
    caller.abort();
    expect([watch.signal.aborted, watch.givenUp, vi.getTimerCount()]).toEqual([true, undefined, 0]);
  });
});
