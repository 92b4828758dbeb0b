import { describe, expect, it } from 'vitest';
import { cancelled, isAbort, throwIfCancelled } from '../../src/errors/abort.ts';
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
