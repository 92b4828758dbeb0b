import { declareSuite, jobRepoSuite } from '@kebab/core/testing';
import { describe, it } from 'vitest';
import { SqliteJobRepo } from '../../src/jobs/sqlite-job-repo.ts';
import { memoryDatabase } from '../open-test-store.ts';

declareSuite(
  jobRepoSuite({
    open: async () => {
      let ms = 0;
      return new SqliteJobRepo(await memoryDatabase(), { location: ':memory:', clock: { now: () => new Date(ms++) } });
    },
  }),
  { describe, it },
);
