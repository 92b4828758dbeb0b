import { describe, it } from 'vitest';
import { declareSuite, jobRepoSuite } from '@kebab/testing';
import type { JobRepo } from '../../src/contracts/job-repo.ts';
import { MemoryJobRepo } from './memory-job-repo.ts';

declareSuite(
  jobRepoSuite({
    open: async () => {
      const repo = new MemoryJobRepo();
      const another = async (): Promise<JobRepo> => ({
        maxAttempts: repo.maxAttempts,
        create: (jobs) => repo.create(jobs),
        lease: () => repo.lease(),
        leaseExhausted: () => repo.leaseExhausted(),
        progress: (job, done) => repo.progress(job, done),
        finish: (job) => repo.finish(job),
        fail: (job) => repo.fail(job),
        counts: () => repo.counts(),
        close: async () => repo.loseWorkers(), // a worker that closes the queue while it has jobs counts as dead
      });
      return { repo, another, close: () => repo.close() };
    },
  }),
  { describe, it },
);
