import { describe, it } from 'vitest';
import type { JobRepo } from '../../core/src/contracts/job-repo.ts';
import { declareSuite } from '../src/contract-suite.ts';
import { jobRepoSuite } from '../src/job-repo-suite.ts';
import { MemoryJobRepo } from '../src/memory-job-repo.ts';

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
