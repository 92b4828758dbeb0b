import { describe, expect, it } from 'vitest';
import { partiesOf } from '../../../src/extraction/extraction-job.ts';
import { hostOf } from '../../extraction/host-of.ts';
import { IngestWorld } from '../ingest-world.ts';
import { openStore } from '../../kb/open-store.ts';
import { changed } from '../../changed.ts';

/** A world whose index needs 5 ms for each chunk, to simulate a very long document. */
async function slowWorld(
  lines: number,
): Promise<{ readonly world: IngestWorld; readonly index: { onChunk: () => void } }> {
  const watched = { onChunk: (): void => {} };
  const opened = await openStore();
  const index = changed(opened.index, {
    analyseChunk: (material) => {
      watched.onChunk();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      return opened.index.analyseChunk(material);
    },
  });
  const files = { 'a.md': Array.from({ length: lines }, (_, n) => `line ${n}`).join('\n') };
  const world = await IngestWorld.open({ files, opened: { store: opened.store, index } });
  return { world, index: watched };
}

describe('FilePreparation', () => {
  it('reads texts on the calling thread whose cost is bounded, however many there are', async () => {
    const extracted: string[] = [];
    const isolated = hostOf((request) => {
      extracted.push(partiesOf(request).path);
      return Promise.reject(new Error('extracted'));
    });
    const files = {
      ...Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`${n}.md`, 'words'])),
      'long.md': 'words\n\n'.repeat(10_000), // 70 KB of 20,000 lines
      'vast.md': 'many words\n'.repeat(15_000).padEnd(530_000, ' more'),
      'wide.md': 'many words in a line\n'.repeat(16_000), // 336 KB
    };
    const world = await IngestWorld.open({ files, isolated });
    expect(await world.ingest()).toMatchObject({ errors: 2, new: 18 });
    expect(extracted).toEqual(['long.md', 'vast.md']);
    world.close();
  });

  it('abandons a slow document after cancellation, and yields to the event loop while it works on it', async () => {
    const { world, index } = await slowWorld(400);
    const abort = new AbortController();
    index.onChunk = () => void setImmediate(() => abort.abort());
    const report = await world.ingest({ signal: abort.signal });
    expect(report).toMatchObject({ aborted: true, new: 0 });
    expect(report).toMatchObject({ errors: 0, items: [] });
    expect(await world.store.documentCount()).toBe(0);
    world.close();
  });

  it('finishes a slow document after cancellation if the grace period allows', async () => {
    const { world, index } = await slowWorld(400);
    const abort = new AbortController();
    index.onChunk = () => void setImmediate(() => abort.abort());
    const report = await world.ingest({ signal: abort.signal, graceMs: 60_000 });
    expect(report).toMatchObject({ aborted: true, new: 1, errors: 0 });
    world.close();
  });

  it('finishes a fast document after cancellation', async () => {
    const { world, index } = await slowWorld(20);
    const abort = new AbortController();
    index.onChunk = () => abort.abort();
    expect(await world.ingest({ signal: abort.signal })).toMatchObject({ aborted: true, new: 1 });
    world.close();
  });
});
