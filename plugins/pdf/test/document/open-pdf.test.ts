import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { within, MemoryWatch } from '../../src/document/open-pdf.ts';

const never = new Promise<never>(() => {});
const { signal } = new AbortController();

describe('within', () => {
  it('fails with timeout, with cancelled, or with the reason why the operation is broken', async () => {
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

it('an operation on a file is stopped when it makes the process grow by more than 1.5 GiB', async () => {
  let rss = 1e9;
  const watch = new MemoryWatch(() => rss);
  expect(watch.signal.aborted).toBe(false);
  rss += 1.6 * 1024 ** 3;
  await once(watch.signal, 'abort');
  watch.stop();
  expect(String(watch.signal.reason)).toContain('more than 1536 MB of memory');
});
