import assert from 'node:assert/strict';
import type { Job, JobRepo, LeasedJob } from '@kebab/core/store';
import { casesOn, type ContractSuite } from './contract-suite.ts';

/** An empty queue, whose leases and pauses between attempts last a second at most. */
export interface OpenJobRepo {
  readonly repo: JobRepo;
  /** Opens the same queue as another process would. */
  readonly another: () => Promise<JobRepo>;
  readonly close: () => Promise<void>;
}

/** Options of {@link jobRepoSuite}. */
export interface JobRepoSuiteOptions {
  readonly open: () => Promise<OpenJobRepo>;
}

/** The contract suite of a queue: each job has one worker, none is lost with its worker, and one that always fails is given up. */
export function jobRepoSuite({ open }: JobRepoSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  return {
    contract: 'JobRepo',
    cases: [
      promise(
        'gives jobs as they were added, those of earlier calls first, and nothing when there are none',
        async ({ repo }) => {
          assert.equal(await repo.lease(), null);
          for (const name of ['b.md', '한국\u2028.md', 'a.md']) await repo.create([fileJob(name)]);
          assert.deepEqual(await repo.counts(), { waiting: 3, running: 0, failed: 0, vectors: 0 });
          const jobs = [await repo.lease(), await repo.lease(), await repo.lease()];
          assert.deepEqual(jobs.map(bare), [fileJob('b.md'), fileJob('한국\u2028.md'), fileJob('a.md')]);
          assert.equal(await repo.lease(), null);
          assert.deepEqual(await repo.counts(), { waiting: 0, running: 3, failed: 0, vectors: 0 });
        },
      ),
      promise('gives each job to one of several workers', async ({ repo, another }) => {
        const names = Array.from({ length: 40 }, (_, n) => `${n}.md`);
        await repo.create(names.map(fileJob));
        const other = await another();
        const lists = await Promise.all([repo, other, repo, other].map(takeAll));
        await other.close();
        assert.deepEqual(lists.flat().toSorted(), names.map((name) => fileJob(name).key).toSorted());
      }),
      promise('adds a job once while one with its key waits, and again when that has been taken', async ({ repo }) => {
        await repo.create([fileJob('a.md')]);
        await repo.create([fileJob('a.md'), fileJob('b.md')]);
        assert.equal((await repo.counts()).waiting, 2);
        assert.equal((await repo.lease())?.key, fileJob('a.md').key);
        await repo.create([fileJob('a.md')]);
        assert.deepEqual(await repo.counts(), { waiting: 2, running: 1, failed: 0, vectors: 0 });
      }),
      promise('counts a job for vectors apart from files, until it is finished', async ({ repo }) => {
        await repo.create([{ kind: 'vectors', key: 'vectors', payload: '{}', size: 0 }]);
        assert.deepEqual(await repo.counts(), { waiting: 0, running: 0, failed: 0, vectors: 1 });
        const job = await taken(repo);
        assert.deepEqual(await repo.counts(), { waiting: 0, running: 0, failed: 0, vectors: 1 });
        await repo.finish(job);
        assert.deepEqual(await repo.counts(), { waiting: 0, running: 0, failed: 0, vectors: 0 });
      }),
      promise('counts jobs by their size, and those that workers have by what is left of them', async ({ repo }) => {
        await repo.create([{ ...fileJob('many'), size: 60 }]);
        await repo.create([fileJob('b.md')]);
        assert.deepEqual(await repo.counts(), { waiting: 61, running: 0, failed: 0, vectors: 0 });
        const job = await taken(repo);
        await repo.progress(job, 25);
        assert.deepEqual(await repo.counts(), { waiting: 1, running: 35, failed: 0, vectors: 0 });
        await repo.fail(job, 'it failed');
        assert.deepEqual(await repo.counts(), { waiting: 61, running: 0, failed: 0, vectors: 0 });
      }),
      promise('keeps a job with the worker that reports progress, however long it takes', async ({ repo, another }) => {
        await repo.create([fileJob('long.md')]);
        const job = await taken(repo);
        const other = await another();
        for (let round = 0; round < 8; round++) {
          await new Promise((resolve) => setTimeout(resolve, 250));
          await repo.progress(job, 0);
          assert.equal(await other.lease(), null);
        }
        await repo.finish(job);
        await other.close();
        assert.deepEqual(await repo.counts(), { waiting: 0, running: 0, failed: 0, vectors: 0 });
      }),
      promise('forgets a job that is finished', async ({ repo }) => {
        await repo.create([fileJob('a.md')]);
        await repo.finish(await taken(repo));
        assert.deepEqual(await repo.counts(), { waiting: 0, running: 0, failed: 0, vectors: 0 });
        assert.equal(await repo.lease(), null);
      }),
      promise('gives a job again after it failed, and gives it up when it failed too often', async ({ repo }) => {
        await repo.create([fileJob('a.md')]);
        for (let attempt = 1; attempt <= repo.maxAttempts; attempt++) {
          assert.equal(await repo.leaseExhausted(), null);
          const job = await taken(repo);
          assert.equal(job.attempt, attempt);
          await repo.fail(job, 'it failed');
        }
        assert.deepEqual(await repo.counts(), { waiting: 0, running: 0, failed: 1, vectors: 0 });
        assert.equal(await repo.lease(), null);
        const exhausted = await repo.leaseExhausted();
        assert.deepEqual(bare(exhausted), fileJob('a.md'));
        await repo.finish(exhausted!);
        assert.deepEqual(await repo.counts(), { waiting: 0, running: 0, failed: 0, vectors: 0 });
        assert.equal(await repo.leaseExhausted(), null);
      }),
      promise('gives the job of a worker that died to another one', async ({ repo, another }) => {
        await repo.create([fileJob('a.md')]);
        const dying = await another();
        await taken(dying);
        await dying.close();
        assert.deepEqual(bare(await taken(repo)), fileJob('a.md'));
      }),
      promise('gives it also while another job is always due', async ({ repo, another }) => {
        await repo.create([fileJob('a.md')]);
        const dying = await another();
        await taken(dying);
        await dying.close();
        await repo.create([fileJob('again.md')]);
        for (const start = performance.now(); performance.now() - start < PATIENCE_MS;) {
          const job = await taken(repo);
          if (job.key === fileJob('a.md').key) return;
          await repo.create([fileJob('again.md')]);
          await repo.finish(job);
        }
        throw new assert.AssertionError({ message: 'the job of the dead worker was not given within a minute' });
      }),
    ],
  };
}

function fileJob(name: string): Job {
  return { kind: 'files', key: `notes\n${name}`, payload: JSON.stringify({ name, odd: '\u0000' }), size: 1 };
}

function bare(job: LeasedJob | null): Job | null {
  if (job === null) return null;
  const { id: _, attempt: _attempt, ...rest } = job;
  return rest;
}

const PATIENCE_MS = 60_000;

/** Waits for a job, as a worker does. */
async function taken(repo: JobRepo): Promise<LeasedJob> {
  for (const start = performance.now(); performance.now() - start < PATIENCE_MS;) {
    const job = await repo.lease();
    if (job !== null) return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new assert.AssertionError({ message: 'no job was due within a minute' });
}

async function takeAll(repo: JobRepo): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let job = await repo.lease(); job !== null; job = await repo.lease()) {
    keys.push(job.key);
    await repo.finish(job); // at once, because its lease may end before the last job is taken
  }
  return keys;
}
