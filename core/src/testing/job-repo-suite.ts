import assert from 'node:assert/strict';
import type { JobRepo } from '../contracts/job-repo.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ContractSuite } from './contract-suite.ts';

/** What {@link jobRepoSuite} needs. */
export interface JobRepoSuiteOptions {
  /** Opens a repository without jobs. */
  readonly open: () => JobRepo | Promise<JobRepo>;
}

/** The promises of a job repository: what is put in comes back, and a status only moves forward. */
export function jobRepoSuite({ open }: JobRepoSuiteOptions): ContractSuite {
  const promise = (name: string, check: (jobs: JobRepo) => void): ContractSuite['cases'][number] => ({
    name,
    run: async () => check(await open()),
  });
  return {
    contract: 'JobRepo',
    cases: [
      promise('begins a job as pending, with its payload', (jobs) => {
        const id = jobs.create('reembed', { model: 'e5', documents: [1, '한국'] });
        const [job, ...others] = jobs.list({});
        assert.deepEqual(others, []);
        assert.deepEqual([job?.jobId, job?.kind, job?.status], [id, 'reembed', 'pending']);
        assert.deepEqual(JSON.parse(job?.payloadJson ?? ''), { model: 'e5', documents: [1, '한국'] });
        assert.deepEqual([job?.progressJson, job?.errorJson, job?.finishedAt], [null, null, null]);
        assert.ok(job !== undefined && job.createdAt.getTime() === job.updatedAt.getTime());
      }),
      promise('gives every job an id of its own', (jobs) => {
        const ids = Array.from({ length: 50 }, () => jobs.create('x', null));
        assert.equal(new Set(ids).size, 50);
      }),
      promise('runs a job that makes progress, and keeps the last progress', (jobs) => {
        const id = jobs.create('x', null);
        jobs.updateProgress(id, { done: 1 });
        jobs.updateProgress(id, { done: 2, total: 3 });
        const [job] = jobs.list({ status: 'running' });
        assert.deepEqual(JSON.parse(job?.progressJson ?? ''), { done: 2, total: 3 });
      }),
      promise('finishes a job once', (jobs) => {
        const id = jobs.create('x', null);
        jobs.updateProgress(id, { done: 1 });
        jobs.finish(id, 'failed', 'the disk is full');
        jobs.finish(id, 'succeeded');
        jobs.updateProgress(id, { done: 2 });
        const [job] = jobs.list({});
        assert.equal(job?.status, 'failed');
        assert.deepEqual(JSON.parse(job?.errorJson ?? ''), 'the disk is full');
        assert.deepEqual(JSON.parse(job?.progressJson ?? ''), { done: 1 });
        assert.ok(job?.finishedAt instanceof Date);
      }),
      promise('lists jobs by kind and status, in order of creation', (jobs) => {
        const ids = ['a', 'b', 'a', 'a'].map((kind) => jobs.create(kind, null));
        jobs.finish(ids[2] ?? '', 'canceled');
        const listed = (filter: Parameters<JobRepo['list']>[0]): readonly string[] =>
          jobs.list(filter).map(({ jobId }) => jobId);
        assert.deepEqual(listed({}), ids);
        assert.deepEqual(listed({ kind: 'a' }), [ids[0], ids[2], ids[3]]);
        assert.deepEqual(listed({ kind: 'a', status: 'pending' }), [ids[0], ids[3]]);
        assert.deepEqual([listed({ kind: 'none' }), listed({ status: 'succeeded' })], [[], []]);
      }),
      promise('refuses to report on a job that does not exist', (jobs) => {
        const isInvalid = (error: unknown): boolean => isKebabError(error, 'invalid_input');
        assert.throws(() => jobs.updateProgress('job_none', {}), isInvalid);
        assert.throws(() => jobs.finish('job_none', 'succeeded'), isInvalid);
      }),
    ],
  };
}
