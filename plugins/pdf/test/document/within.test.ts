import { describe, expect, it } from 'vitest';
import { within } from '../../src/document/within.ts';

const never = new Promise<never>(() => {});
const { signal } = new AbortController();

describe('within', () => {
  it('ends with timeout, with cancelled, or with the reason why the work is broken', async () => {
    await expect(within(never, { signal, timeoutMs: 1, operation: 'reading' })).rejects.toMatchObject({
      code: 'timeout',
      details: { operation: 'reading', after_ms: 1 },
    });
    const limits = { timeoutMs: 60_000, operation: 'reading' };
    await expect(within(never, { ...limits, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    const broken = AbortSignal.abort(new Error('the thread has ended'));
    await expect(within(never, { ...limits, signal, broken })).rejects.toThrow('the thread has ended');
  });
});
