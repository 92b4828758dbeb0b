import { describe, expect, it } from 'vitest';
import { cancelled, isAbort, throwIfCancelled, withDeadline } from '../../src/errors/abort.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';

describe('isAbort', () => {
  it('knows what an abort signal throws', () => {
    expect(isAbort(AbortSignal.abort().reason)).toBe(true);
  });

  it('knows the abort of a Node function by its code', () => {
    expect(isAbort(Object.assign(new Error('aborted'), { code: 'ABORT_ERR' }))).toBe(true);
  });

  it.each([new Error('aborted'), 'AbortError', undefined, { name: 'AbortError' }])('refuses %o', (value) => {
    expect(isAbort(value)).toBe(false);
  });

  it('takes a time limit and a finished cancellation for no abort', async () => {
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

  it('throws cancelled with the operation, and the reason when it is a text', () => {
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
  it('gives what the work gives, and fails as it fails', async () => {
    const deadline = { operation: 'reading', timeoutMs: 60_000, signal: new AbortController().signal };
    await expect(withDeadline(async () => 7, deadline)).resolves.toBe(7);
    await expect(withDeadline(() => Promise.reject(new Error('no')), deadline)).rejects.toThrow('no');
    const throwing = (): Promise<never> => {
      throw new Error('at once');
    };
    await expect(withDeadline(throwing, deadline)).rejects.toThrow('at once');
  });

  it('ends with timeout, or the error given for it, when the limit has passed', async () => {
    await expect(withDeadline(never, { operation: 'reading', timeoutMs: 1 })).rejects.toMatchObject({
      code: 'timeout',
      details: { operation: 'reading', after_ms: 1 },
    });
    const late = (): Error => new Error('too late');
    await expect(withDeadline(never, { operation: 'reading', timeoutMs: 1, late })).rejects.toThrow('too late');
  });

  it('ends with cancelled when the signal fires, or has fired before', async () => {
    const stop = new AbortController();
    const waiting = withDeadline(never, { operation: 'reading', signal: stop.signal });
    stop.abort('enough');
    const error = { code: 'cancelled', details: { operation: 'reading', reason: 'enough' } };
    await expect(waiting).rejects.toMatchObject(error);
    await expect(withDeadline(never, { operation: 'reading', signal: stop.signal })).rejects.toMatchObject(error);
  });

  it('has the work stop, and takes what it still gives within the grace', async () => {
    const saved = (signal: AbortSignal): Promise<string> =>
      new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(() => resolve('half'), 1)));
    const graced = { operation: 'reading', abortGraceMs: 60_000, timeoutGraceMs: 60_000 };
    await expect(withDeadline(saved, { ...graced, timeoutMs: 1 })).resolves.toBe('half');
    const stop = new AbortController();
    const waiting = withDeadline(saved, { ...graced, signal: stop.signal });
    stop.abort();
    await expect(waiting).resolves.toBe('half');
  });

  it('reports the deadline rather than how the work took it', async () => {
    const torn = (signal: AbortSignal): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('torn'))));
    await expect(
      withDeadline(torn, { operation: 'reading', timeoutMs: 1, timeoutGraceMs: 60_000 }),
    ).rejects.toMatchObject({ code: 'timeout' });
  });

  it('waits no longer than the grace for work that does not stop', async () => {
    await expect(withDeadline(never, { operation: 'reading', timeoutMs: 1, timeoutGraceMs: 1 })).rejects.toMatchObject({
      code: 'timeout',
    });
  });
});
