import { describe, expect, it } from 'vitest';
import { cancelled, isAbort, throwIfCancelled, withDeadline } from '../../src/errors/abort.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';

describe('isAbort', () => {
  it('recognises the error of an abort signal', () => {
    expect(isAbort(AbortSignal.abort().reason)).toBe(true);
  });

  it('recognises the abort of a Node function by its code', () => {
    expect(isAbort(Object.assign(new Error('aborted'), { code: 'ABORT_ERR' }))).toBe(true);
  });

  it.each([new Error('aborted'), 'AbortError', undefined, { name: 'AbortError' }])('rejects %o', (value) => {
    expect(isAbort(value)).toBe(false);
  });

  it('treats neither a timeout nor a completed cancellation as an abort', async () => {
    const limit = AbortSignal.timeout(1);
    await new Promise<void>((resolve) => {
      limit.addEventListener('abort', () => resolve());
    });
    expect(isAbort(limit.reason)).toBe(false);
    expect(isAbort(cancelled('search'))).toBe(false);
  });
});

describe('throwIfCancelled', () => {
  it('does nothing without a signal, or before it fires', () => {
    expect(() => throwIfCancelled(undefined, 'search')).not.toThrow();
    expect(() => throwIfCancelled(new AbortController().signal, 'search')).not.toThrow();
  });

  it('throws cancelled with the operation, and the reason when it is a string', () => {
    expect(() => throwIfCancelled(AbortSignal.abort('Ctrl-C'), 'ingest')).toThrow(KebabError);
    expect(cancelled('ingest', 'Ctrl-C')).toMatchObject({
      code: 'cancelled',
      message: 'ingest was cancelled',
      details: { operation: 'ingest', reason: 'Ctrl-C' },
    });
    expect(cancelled('ingest', new Error('x')).details.reason).toBe(null);
  });
});

const never = (): Promise<never> => new Promise(() => {});

describe('withDeadline', () => {
  it('settles as the work settles', async () => {
    const deadline = { operation: 'reading', timeoutMs: 60_000, signal: new AbortController().signal };
    await expect(withDeadline(async () => 7, deadline)).resolves.toBe(7);
    await expect(withDeadline(() => Promise.reject(new Error('no')), deadline)).rejects.toThrow('no');
    const throwing = (): Promise<never> => {
      throw new Error('at once');
    };
    await expect(withDeadline(throwing, deadline)).rejects.toThrow('at once');
  });

  it('rejects with timeout, or the given error, when the limit has passed', async () => {
    await expect(withDeadline(never, { operation: 'reading', timeoutMs: 1 })).rejects.toMatchObject({
      code: 'timeout',
      details: { operation: 'reading', after_ms: 1 },
    });
    const late = (): Error => new Error('too late');
    await expect(withDeadline(never, { operation: 'reading', timeoutMs: 1, late })).rejects.toThrow('too late');
  });

  it('rejects with cancelled when the signal fires, or has already fired', async () => {
    const stop = new AbortController();
    const waiting = withDeadline(never, { operation: 'reading', signal: stop.signal });
    stop.abort('enough');
    const error = { code: 'cancelled', details: { operation: 'reading', reason: 'enough' } };
    await expect(waiting).rejects.toMatchObject(error);
    await expect(withDeadline(never, { operation: 'reading', signal: stop.signal })).rejects.toMatchObject(error);
  });

  it('aborts the work, and accepts a result within the grace period', async () => {
    const saved = (signal: AbortSignal): Promise<string> =>
      new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(() => resolve('half'), 1)));
    const graced = { operation: 'reading', abortGraceMs: 60_000, timeoutGraceMs: 60_000 };
    await expect(withDeadline(saved, { ...graced, timeoutMs: 1 })).resolves.toBe('half');
    const stop = new AbortController();
    const waiting = withDeadline(saved, { ...graced, signal: stop.signal });
    stop.abort();
    await expect(waiting).resolves.toBe('half');
  });

  it('reports the deadline rather than the error of the aborted work', async () => {
    const torn = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('torn'))));
    await expect(
      withDeadline(torn, { operation: 'reading', timeoutMs: 1, timeoutGraceMs: 60_000 }),
    ).rejects.toMatchObject({ code: 'timeout' });
  });

  it('waits no longer than the grace period for work that does not stop', async () => {
    await expect(withDeadline(never, { operation: 'reading', timeoutMs: 1, timeoutGraceMs: 1 })).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});
