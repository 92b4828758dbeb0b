import { once } from 'node:events';
import { expect, it } from 'vitest';
import { MemoryWatch } from '../../src/document/memory-watch.ts';

it('work on a file is stopped when the process has grown by more than 1.5 GiB over it', async () => {
  let rss = 1e9;
  const watch = new MemoryWatch(() => rss);
  expect(watch.signal.aborted).toBe(false);
  rss += 1.6 * 1024 ** 3;
  await once(watch.signal, 'abort');
  watch.stop();
  expect(String(watch.signal.reason)).toContain('more than 1536 MB of memory');
});
