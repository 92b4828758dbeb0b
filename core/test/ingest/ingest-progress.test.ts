import { hostOf } from '../extraction/host-of.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IngestProgress } from '../../src/wire/index.ts';
import { cancelled } from '../../src/errors/abort.ts';
import { IngestWorld } from './ingest-world.ts';
import { plainExtractor } from './plain-extractor.ts';

/** The violations of the event contract in a run of one source. */
function faultsOf(events: readonly IngestProgress[]): readonly string[] {
  const kinds = events.map(({ kind }) => kind);
  const ends = kinds.filter((kind) => kind === 'completed' || kind === 'aborted');
  const total = events.find((event) => event.kind === 'scan_completed')?.total ?? 0;
  const started = events.flatMap((event) => (event.kind === 'asset_started' ? [event.idx] : []));
  const finished = events.flatMap((event) => (event.kind === 'asset_finished' ? [event.idx] : []));
  const orders = started.filter(
    (idx) => placeOf(events, 'asset_started', idx) > placeOf(events, 'asset_finished', idx),
  );
  const rules: readonly (readonly [string, boolean])[] = [
    [
      'the scan does not come first',
      kinds[0] === 'scan_started' && (kinds[1] === 'scan_completed' || kinds.length === 2),
    ],
    ['there is not exactly one end', ends.length === 1],
    ['the end is not last', kinds.at(-1) === ends[0]],
    ['files are not numbered in order', started.every((idx, i) => idx === i + 1)],
    ['what was started was not finished', [...finished].toSorted((a, b) => a - b).join() === started.join()],
    ['a file was finished before it was started', orders.length === 0],
    ['a run ended before all files were done', ends[0] === 'aborted' || started.length === total],
    ['there are more files than were counted', started.length <= total],
  ];
  return rules.flatMap(([fault, holds]) => (holds ? [] : [fault]));
}

function placeOf(events: readonly IngestProgress[], kind: IngestProgress['kind'], idx: number): number {
  return events.findIndex((event) => event.kind === kind && 'idx' in event && event.idx === idx);
}

describe('the events of an ingest', () => {
  it('come in the promised order, whatever happens to the files and whenever it is cancelled', async () => {
    const content = fc.constantFrom('# A\n\nwords', 'broken', '', 'a\0b', 'fall back');
    const files = fc.dictionary(fc.constantFrom('a.md', 'b.txt', 'c.rs', 'd/e.md', 'f.bin', 'g.md'), content);
    const failing = plainExtractor({
      before: (text) => {
        if (text === 'broken') throw new Error('cannot read it');
      },
    });
    await fc.assert(
      fc.asyncProperty(files, files, fc.option(fc.nat({ max: 12 })), async (first, second, cancelAfter) => {
        const world = await IngestWorld.open({ files: first, contributions: { extractor: { plain: failing } } });
        try {
          await world.ingest();
          expect(faultsOf(world.events)).toEqual([]);
          world.put(second);
          const abort = new AbortController();
          let left = cancelAfter ?? Infinity;
          const onProgress = (): void => {
            if (left-- <= 0) abort.abort();
          };
          const report = await world.ingest({ signal: abort.signal, onProgress });
          expect(faultsOf(world.events)).toEqual([]);
          expect(world.events.at(-1)?.kind).toBe(report.aborted ? 'aborted' : 'completed');
          const { scanned, errors, purged } = report;
          expect(world.events.at(-1)).toMatchObject({ counts: { scanned, errors, purged } });
        } finally {
          world.close();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('give each file its number, path, medium, outcome and chunks', async () => {
    const world = await IngestWorld.open({ files: { 'a.md': '# A\n\none', 'b.rs': 'fn', 'c.bin': '' } });
    await world.ingest();
    const told = world.events.map(({ ts: _ts, schema_version: _version, ...event }) => event);
    expect(told).toEqual([
      { kind: 'scan_started', root: world.root },
      { kind: 'scan_completed', total: 2, to_read: 2 },
      { kind: 'asset_started', idx: 1, total: 2, path: 'a.md', media: 'markdown' },
      { kind: 'asset_started', idx: 2, total: 2, path: 'b.rs', media: 'code' },
      { kind: 'asset_finished', idx: 1, total: 2, result: 'new', chunks: 2 },
      { kind: 'asset_finished', idx: 2, total: 2, result: 'new', chunks: 1 },
      {
        kind: 'completed',
        counts: {
          scanned: 3,
          new: 2,
          updated: 0,
          unchanged: 0,
          skipped: 1,
          errors: 0,
          purged: 0,
          chunks_indexed: 3,
          embeddings_indexed: 0,
        },
      },
    ]);
    world.close();
  });

  it('report finished files while a later file takes long', async () => {
    let reported: () => void = () => {};
    const isReported = new Promise<void>((resolve) => {
      reported = resolve;
    });
    const before = (text: string): Promise<void> => (text === 'slow' ? isReported : Promise.resolve());
    const contributions = { extractor: { plain: plainExtractor({ before }) } };
    const world = await IngestWorld.open({ files: { 'a.md': 'quick', 'b.md': 'slow' }, contributions });
    const report = await world.ingest({
      onProgress: ({ kind }) => {
        if (kind === 'asset_finished') reported();
      },
    });
    expect(report).toMatchObject({ new: 2, files: 2 });
    world.close();
  });

  it('report how many of the files are to be read', async () => {
    const world = await IngestWorld.open({ files: { 'a.md': 'one', 'b.md': 'two', 'c.bin': '' } });
    await world.ingest();
    world.tree.put({ 'kb/b.md': 'changed' });
    world.events.length = 0;
    expect(await world.ingest()).toMatchObject({ scanned: 3, files: 2, unchanged: 1, updated: 1 });
    expect(world.events.find(({ kind }) => kind === 'scan_completed')).toMatchObject({ total: 2, to_read: 1 });
    world.close();
  });

  it('do not fail the work when the listener throws', async () => {
    const world = await IngestWorld.open({ files: { 'a.md': 'one' } });
    const onProgress = (): void => {
      throw new Error('the pipe is gone');
    };
    expect((await world.ingest({ onProgress })).new).toBe(1);
    world.close();
  });
});

describe('a cancelled ingest', () => {
  it('finishes the document in progress, keeps what it wrote, purges nothing, and the next run continues', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [`${String(i).padStart(2, '0')}.md`, `note ${i}`]),
    );
    const abort = new AbortController();
    const extractor = plainExtractor({
      before: (text) => {
        if (text === 'note 5') abort.abort();
      },
    });
    const world = await IngestWorld.open({ files, contributions: { extractor: { plain: extractor } } });
    const report = await world.ingest({ signal: abort.signal });
    expect(report.aborted).toBe(true);
    expect(report.scanned).toBe(report.new);
    expect(await world.store.documentCount()).toBe(report.new);
    expect(await world.store.findDocument('default', '05.md')).not.toBe(null);
    expect(report.new).toBeLessThan(20);
    expect(world.runs).toMatchObject([{ aborted: true }]);
    const next = await world.ingest();
    expect([next.aborted, next.unchanged, next.new]).toEqual([false, report.new, 20 - report.new]);
    world.close();
  });

  it('reports an interrupted file, but does not quarantine it', async () => {
    const abort = new AbortController();
    const isolated = hostOf(
      (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(cancelled('ingest')));
          abort.abort();
        }),
    );
    const contributions = { extractor: { plain: plainExtractor({ isolation: 'worker' }) } };
    const env = { KEBAB_INDEXING_MAX_PARALLEL_EXTRACTORS: '1' };
    const world = await IngestWorld.open({ files: { 'a.md': 'a', 'b.md': 'b' }, contributions, isolated, env });
    const report = await world.ingest({ signal: abort.signal });
    expect(report).toMatchObject({ aborted: true, errors: 0, items: [], files: 2 });
    expect(await world.store.quarantined()).toEqual([]);
    expect(faultsOf(world.events)).toEqual([]);
    world.close();
  });
});
