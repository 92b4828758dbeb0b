import { describe, expect, it } from 'vitest';
import { workOffQueue, type WorkedJob } from '../../src/ingest/work-off-queue.ts';
import { MemoryJobRepo } from '../../src/testing/memory-job-repo.ts';
import { WorkReportSchema } from '../../src/wire/ingest.ts';
import { rowsOf } from '../kb/open-store.ts';
import { countsOf, extractors, type IngestWorld, worldsForTests } from './ingest-world.ts';
import { plainExtractor } from './plain-extractor.ts';

const open = worldsForTests();

const FILES = { 'a.md': '# A\n\none\n', '한국어.md': 'two\n', 'sub/c.md': '# C\n\nthree\n' };

/** A workspace whose store has a queue. */
async function openQueued(
  options: Parameters<typeof open>[0] = {},
): Promise<{ world: IngestWorld; queue: MemoryJobRepo }> {
  const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', ...options.env };
  const world = await open({ files: FILES, ...options, env });
  const queue = new MemoryJobRepo();
  Object.assign(world.store, { jobs: async () => queue });
  return { world, queue };
}

async function workOff(world: IngestWorld): Promise<readonly WorkedJob[]> {
  const done: WorkedJob[] = [];
  WorkReportSchema.parse(await workOffQueue(world.ports, { untilEmpty: true, onJob: (job) => done.push(job) }));
  return done;
}

async function pathsOf(world: IngestWorld): Promise<readonly string[]> {
  return (await rowsOf(world.store)).map(({ workspacePath }) => workspacePath);
}

describe('an ingest with a queue', () => {
  it('leaves new and changed files to workers, which index the same as an ingest would', async () => {
    const { world, queue } = await openQueued();
    expect(await world.ingest({ queue: true })).toMatchObject({ queued: 3, new: 0, files: 3 });
    expect(await pathsOf(world)).toEqual([]);
    expect(await queue.counts()).toEqual({ waiting: 3, running: 0, failed: 0 });
    expect((await workOff(world)).map(({ what, problem }) => [what, problem])).toEqual([
      ['default:a.md', null],
      ['default:sub/c.md', null],
      ['default:한국어.md', null],
    ]);
    const own = await open({ files: FILES, env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' } });
    await own.ingest();
    expect((await rowsOf(world.store)).map(({ docId, chunkCount }) => [docId, chunkCount])).toEqual(
      (await rowsOf(own.store)).map(({ docId, chunkCount }) => [docId, chunkCount]),
    );
    expect(countsOf(await world.ingest({ queue: true }))).toEqual({ unchanged: 3 });
  });

  it('puts only changed files into the queue, and removes deleted ones itself', async () => {
    const { world, queue } = await openQueued();
    await world.ingest();
    world.put({ 'a.md': '# A\n\nchanged\n' });
    world.drop('sub/c.md');
    expect(await world.ingest({ queue: true })).toMatchObject({ queued: 1, purged: 1, unchanged: 1 });
    expect(await queue.counts()).toMatchObject({ waiting: 1 });
    await workOff(world);
    expect(await pathsOf(world)).toEqual(['a.md', '한국어.md']);
  });

  it('is refused where the store has no queue', async () => {
    const world = await open({ files: FILES });
    await expect(world.ingest({ queue: true })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(workOffQueue(world.ports)).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('kebab move --to postgres://'),
    });
  });
});

describe('workOffQueue', () => {
  it('holds the lock of the writer only to write: another process can write while a file is read', async () => {
    let isWritten = false;
    const reading = plainExtractor({
      before: async () => {
        const writer = await world.store.openWriter({ waitMs: 0 });
        await writer.close();
        isWritten = true;
      },
    });
    const { world } = await openQueued({ files: { 'a.md': 'one\n' }, contributions: extractors(reading) });
    await world.ingest({ queue: true });
    await workOff(world);
    expect(isWritten).toBe(true);
    expect(await pathsOf(world)).toEqual(['a.md']);
  });

  it('records a file that cannot be read as failed, and goes on with the next', async () => {
    const failing = plainExtractor({
      before: (text) => {
        if (text.includes('broken')) throw new Error('it is broken');
      },
    });
    const { world } = await openQueued({
      files: { 'bad.md': 'broken\n', 'good.md': 'y\n' },
      contributions: extractors(failing),
    });
    await world.ingest({ queue: true });
    expect(await workOff(world)).toMatchObject([
      { what: 'default:bad.md', problem: expect.any(String) },
      { problem: null },
    ]);
    expect(await world.store.quarantined()).toMatchObject([{ workspacePath: 'bad.md', attempts: 1 }]);
    expect(await pathsOf(world)).toEqual(['good.md']);
  });

  it('reads a file again whose worker died, and records it as failed when too many have', async () => {
    const { world, queue } = await openQueued({ files: { 'a.md': 'one\n', 'b.md': 'two\n' } });
    await world.ingest({ queue: true });
    await queue.lease();
    queue.loseWorkers();
    expect(await workOff(world)).toHaveLength(2);
    world.put({ 'a.md': 'one more\n' });
    await world.ingest({ queue: true });
    for (let death = 0; death < queue.maxAttempts; death++) {
      await queue.lease();
      queue.loseWorkers();
    }
    expect(await workOff(world)).toEqual([]);
    expect(await world.store.quarantined()).toMatchObject([
      { sourceId: 'default', workspacePath: 'a.md', attempts: queue.maxAttempts },
    ]);
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0 });
  });

  it('records a file that disappeared before it was read', async () => {
    const { world } = await openQueued({ files: { 'a.md': 'one\n' } });
    await world.ingest({ queue: true });
    world.drop('a.md');
    expect(await workOff(world)).toMatchObject([{ what: 'default:a.md', problem: expect.any(String) }]);
    expect(await pathsOf(world)).toEqual([]);
  });

  it('ends after the file in progress when it is interrupted', async () => {
    const stop = new AbortController();
    const { world, queue } = await openQueued();
    await world.ingest({ queue: true });
    await workOffQueue(world.ports, { signal: stop.signal, onJob: () => stop.abort() });
    expect(await queue.counts()).toEqual({ waiting: 2, running: 0, failed: 0 });
  });
});
