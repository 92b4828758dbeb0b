import type { App } from '@kebab/core/app';
import { describe, expect, it, vi } from 'vitest';
import { MemoryOutput } from '../fakes/memory-io.ts';
import { runCommand } from '../fakes/run-command.ts';

const app: Partial<App> = {
  openedFiles: { names: {} as App['openedFiles']['names'], outdated: null },
  listDocs: async () => ({ total: 1 }) as Awaited<ReturnType<App['listDocs']>>,
};

/** Runs the command, opens the printed address as a browser would, and interrupts the server. */
async function opened(flags: readonly string[]): Promise<{ readonly readonly: unknown; readonly status: number }> {
  const stop = new AbortController();
  const stdout = new MemoryOutput();
  const running = runCommand(['ui', '--no-open', ...flags], { app, stdout, signal: stop.signal });
  await expect.poll(() => stdout.text, { timeout: 30_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?t=\S+\n$/);
  const address = stdout.text.trim();
  const entered = await fetch(address, { redirect: 'manual' });
  const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const { status } = await fetch(new URL('/', address), { headers: { cookie } });
  stop.abort();
  const { code, opened: options } = await running;
  expect(code).toBe(0);
  return { readonly: options[0]?.flags?.readonly, status };
}

describe('kebab ui', () => {
  it('prints an address that opens the pages, read-only, until it is interrupted', async () => {
    expect(await opened([])).toEqual({ readonly: true, status: 200 });
  });

  it('may bring the index up to date only with --write', async () => {
    expect(await opened(['--write'])).toEqual({ readonly: false, status: 200 });
    expect(await opened(['--write', '--readonly'])).toEqual({ readonly: true, status: 200 });
  });

  it('without a terminal ends after a while in which nobody looked, and says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const stdout = new MemoryOutput();
      const running = runCommand(['ui', '--no-open', '--idle', '5'], { app, stdout });
      await vi.waitFor(() => expect(stdout.text).toMatch(/^http:/), { timeout: 30_000 });
      await vi.advanceTimersByTimeAsync(5 * 60_000);
      const { code, stderr } = await running;
      expect([code, stderr.text]).toEqual([0, expect.stringContaining('for 5 minutes')]);
    } finally {
      vi.useRealTimers();
    }
  });
});
