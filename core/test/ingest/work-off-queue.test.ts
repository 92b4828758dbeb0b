import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { workOffQueue, type WorkedJob } from '../../src/ingest/work-off-queue.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import type { IndexUpdate } from '../../src/contracts/lexical-index.ts';
import type { SourceFile } from '../../src/contracts/source-connector.ts';
import { mediaTypeOfFile } from '../../src/domain/media.ts';
import { filesOfJob, jobsOfFiles, VECTORS_JOB } from '../../src/ingest/file-queue.ts';
import { MemoryVectorStore } from '@kebab/testing';
import { MemoryJobRepo } from './memory-job-repo.ts';
import { WorkReportSchema } from '../../src/wire/ingest.ts';
import { rowsOf } from '../kb/open-store.ts';
import { countsOf, extractors, type IngestWorld, worldsForTests } from './ingest-world.ts';
import { WordEmbedder } from './embedding/word-embedder.ts';
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

function failure(kind: string): KebabError<'io_error'> {
  return new KebabError('io_error', 'it is away', { details: { kind, path: null, cause: 'it is away' } });
}

async function pathsOf(world: IngestWorld): Promise<readonly string[]> {
  return (await rowsOf(world.store)).map(({ workspacePath }) => workspacePath);
}

describe('an ingest with a queue', () => {
  it('leaves new and changed files to workers, which index the same as an ingest would', async () => {
    const { world, queue } = await openQueued();
    expect(await world.ingest({ queue: true })).toMatchObject({ queued: 3, new: 0, files: 3 });
    expect(await pathsOf(world)).toEqual([]);
    expect(await queue.counts()).toEqual({ waiting: 3, running: 0, failed: 0, vectors: 0 });
    expect((await workOff(world)).map(({ what, problem }) => [what, problem])).toEqual([
      ['default:a.md', null],
      ['default:sub/c.md', null],
      ['default:한국어.md', null],
    ]);
    const own = await open({ files: FILES, env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }, ingested: true });
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

describe('jobsOfFiles', () => {
  const files = (count: number, name: string, size: number): readonly SourceFile[] =>
    Array.from({ length: count }, (_, n) => ({
      kind: 'file',
      workspacePath: `${n}.${name}`,
      uri: `file:///${n}.${name}`,
      size,
      mtimeNs: 12n,
      birthtimeMs: 1,
      mediaType: mediaTypeOfFile(`a.${name}`, new Uint8Array()),
    }));
  const sizes = (list: readonly SourceFile[]): readonly number[] => jobsOfFiles('notes', list).map(({ size }) => size);

  it.each([
    { what: 'no files', list: files(0, 'md', 1), expected: [] },
    { what: 'small texts', list: files(130, 'md', 900), expected: [64, 64, 2] },
    { what: 'source code', list: files(65, 'rs', 900), expected: [64, 1] },
    { what: 'long texts', list: files(3, 'txt', 600_000), expected: [1, 1, 1] },
    { what: 'a text that is longer than all others', list: files(1, 'md', 9_000_000), expected: [1] },
    { what: 'documents of pages', list: files(9, 'pdf', 50_000), expected: [4, 4, 1] },
    { what: 'pictures', list: files(5, 'png', 50_000), expected: [4, 1] },
    { what: 'a document among texts', list: [...files(60, 'md', 9), ...files(1, 'pdf', 9)], expected: [60, 1] },
  ])('divides $what', ({ list, expected }) => {
    expect(sizes(list)).toEqual(expected);
    expect(jobsOfFiles('notes', list).flatMap((job) => filesOfJob(job).files)).toEqual(list);
  });

  it('names each file alone where that is wanted, and the same work always the same', () => {
    const [first, second] = [1, 1].map((max) => jobsOfFiles('notes', files(2, 'pdf', 9), max));
    expect(first?.map(({ size }) => size)).toEqual([1, 1]);
    expect(first).toEqual(second);
    expect(new Set(first?.map(({ key }) => key)).size).toBe(2);
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
    expect(await workOff(world)).toHaveLength(2); // both files, of one job
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
    expect(await pathsOf(world)).toEqual(['a.md', 'b.md']);
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0, vectors: 0 });
  });

  it('reads each file by itself when its job has ended several workers, so that only the one that ends them is given up', async () => {
    const { world, queue } = await openQueued({ files: { 'a.md': 'one\n', 'bad.md': 'deadly\n', 'c.md': 'three\n' } });
    await world.ingest({ queue: true });
    for (let death = 1; death <= 2; death++) {
      await queue.lease();
      queue.loseWorkers();
    }
    const lease = queue.lease.bind(queue);
    queue.lease = async () => {
      const job = await lease();
      const isDeadly = job?.size === 1 && filesOfJob(job).files[0]?.workspacePath === 'bad.md';
      if (!isDeadly) return job;
      queue.loseWorkers();
      return queue.lease();
    };
    expect((await workOff(world)).map(({ what }) => what).toSorted()).toEqual(['default:a.md', 'default:c.md']);
    expect((await world.store.quarantined()).map(({ workspacePath }) => workspacePath)).toEqual(['bad.md']);
    expect(await pathsOf(world)).toEqual(['a.md', 'c.md']);
  });

  it('says how many files of a job are left while it reads them', async () => {
    const left: number[] = [];
    const reading = plainExtractor({ before: async () => sleep(700) });
    const { world, queue } = await openQueued({ contributions: extractors(reading) });
    await world.ingest({ queue: true });
    const watch = setInterval(() => void queue.counts().then(({ running }) => left.push(running)), 50);
    await workOff(world);
    clearInterval(watch);
    expect(left.toSorted((a, b) => b - a)).toEqual(left);
    expect(left.some((count) => count === 1 || count === 2)).toBe(true);
  });

  it('reads no file again that a worker has written before it died', async () => {
    const read: string[] = [];
    const reading = plainExtractor({ before: (text) => void read.push(text.trim()) });
    const files = { 'a.md': 'one\n', 'b.md': 'two\n' };
    const { world, queue } = await openQueued({ files, contributions: extractors(reading) });
    await world.ingest({ queue: true });
    const job = await queue.lease();
    queue.loseWorkers();
    await workOff(world);
    await queue.create([job!]); // as if the worker had died before it said that the job is done
    expect(await workOff(world)).toHaveLength(2);
    expect(read).toEqual(['one', 'two']);
  });

  it('shares many documents without vectors between jobs, and ends with every vector once', async () => {
    const embedder = new WordEmbedder();
    const files = Object.fromEntries(Array.from({ length: 1100 }, (_, n) => [`${n}.md`, `word${n}\n`]));
    const contributions = { embedder: { words: embedder }, vector_store: { memory: new MemoryVectorStore() } };
    const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'words', KEBAB_STORAGE_VECTOR_STORE: 'memory' };
    const { world, queue } = await openQueued({ files, env, contributions });
    await world.ingest({ queue: true });
    const kinds: string[] = [];
    const lease = queue.lease.bind(queue);
    queue.lease = async () => {
      const job = await lease();
      if (job?.kind === 'vectors') kinds.push(job.key);
      return job;
    };
    await workOff(world);
    expect(new Set(kinds)).toEqual(new Set(['vectors', 'vectors 0/2', 'vectors 1/2']));
    expect(embedder.asked).toHaveLength(1100);
    expect(await world.store.vectors.collections()).toMatchObject([{ committed: 1100, pending: 0 }]);
  });

  it.each(['by one ingest', 'by a worker, in the last job'])('brings words on a server up to date %s', async (by) => {
    const contributions = {
      embedder: { words: new WordEmbedder() },
      vector_store: { memory: new MemoryVectorStore() },
    };
    const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'words', KEBAB_STORAGE_VECTOR_STORE: 'memory' };
    const { world, queue } = await openQueued({ env, contributions });
    const updates: (readonly [since: number | undefined, changed: number | undefined, revision: number])[] = [];
    Object.assign(await world.ports.lexicalIndex.write(), {
      update: async ({ documents, changes }: IndexUpdate) =>
        void updates.push([changes?.since, changes?.docIds.size, await documents.corpusRevision()]),
    });
    await world.ingest({ queue: by !== 'by one ingest' });
    const before = updates.splice(0, by === 'by one ingest' ? 0 : Infinity).at(-1)?.[2];
    await workOff(world);
    const [first = [], last] = updates;
    expect(updates).toHaveLength(2);
    expect(first.slice(0, 2)).toEqual(before === undefined ? [0, 3] : [expect.any(Number), 0]);
    expect(first[2]).toBeGreaterThan(before ?? 0);
    // Vectors have been committed since.
    expect(last).toEqual([first[2], 0, await world.store.corpusRevision()]);
    expect(last?.[2]).toBeGreaterThan(first[2] ?? 0);
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0, vectors: 0 });
  });

  it('ends when two workers have a job for vectors each, which waits for other work', async () => {
    const { world, queue } = await openQueued();
    await queue.create([VECTORS_JOB]);
    const lease = queue.lease.bind(queue);
    const first = await lease();
    await queue.create([VECTORS_JOB]); // while one is in progress, another one may wait
    let isGiven = false;
    queue.lease = async () => {
      if (isGiven) return lease();
      isGiven = true;
      return first;
    };
    await Promise.all([workOff(world), workOff(world)]);
    expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0, vectors: 0 });
  });

  it('records a file that disappeared before it was read', async () => {
    const { world } = await openQueued({ files: { 'a.md': 'one\n' } });
    await world.ingest({ queue: true });
    world.drop('a.md');
    expect(await workOff(world)).toMatchObject([{ what: 'default:a.md', problem: expect.any(String) }]);
    expect(await pathsOf(world)).toEqual([]);
  });

  it('waits while the queue cannot be reached, and goes on', async () => {
    const { world, queue } = await openQueued({ files: { 'a.md': 'one\n' } });
    await world.ingest({ queue: true });
    const lease = queue.lease.bind(queue);
    queue.lease = async () => {
      queue.lease = lease;
      throw failure('ECONNRESET');
    };
    expect(await workOff(world)).toEqual([
      { what: 'queue', problem: 'it is away' },
      { what: 'default:a.md', problem: null },
    ]);
  });

  it('waits for a server that is away at its start, and ends at once where something has to be corrected', async () => {
    const { world } = await openQueued({ files: { 'a.md': 'one\n' } });
    await world.ingest({ queue: true });
    const kinds = ['ECONNREFUSED', 'EAGAIN', '28P01'];
    const documents = {
      ...world.ports.documents,
      write: () => {
        const kind = kinds.shift();
        return kind === undefined ? world.ports.documents.write() : Promise.reject(failure(kind));
      },
    };
    const done: WorkedJob[] = [];
    const working = workOffQueue({ ...world.ports, documents }, { untilEmpty: true, onJob: (job) => done.push(job) });
    await expect(working).rejects.toMatchObject({ details: { kind: '28P01' } });
    expect(done.map(({ what }) => what)).toEqual(['queue', 'queue']);
  });

  it('ends after the file in progress when it is interrupted', async () => {
    const stop = new AbortController();
    const reading = plainExtractor({ before: async () => stop.abort() });
    const { world, queue } = await openQueued({ contributions: extractors(reading) });
    await world.ingest({ queue: true });
    expect(await workOffQueue(world.ports, { signal: stop.signal })).toMatchObject({ files: 1, failed: 0 });
    expect(await queue.counts()).toEqual({ waiting: 2, running: 0, failed: 0, vectors: 0 });
    expect(await pathsOf(world)).toEqual(['a.md']);
  });
});
