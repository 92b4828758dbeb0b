import { declareSuite, jobRepoSuite } from '@kebab/core/testing';
import { describe, it } from 'vitest';
import { connecting } from '../../src/database/connection.ts';
import { PostgresJobRepo } from '../../src/jobs/postgres-job-repo.ts';
import { dropSchema, POSTGRES_MISSING, testConfig } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('a queue on PostgreSQL', () => {
  declareSuite(
    jobRepoSuite({
      open: async () => {
        const config = await testConfig();
        const target = connecting(config, config.url);
        const open = (): Promise<PostgresJobRepo> => PostgresJobRepo.open(target, { leaseS: 1, retryS: 0 });
        const repo = await open();
        return {
          repo,
          another: open,
          close: async () => {
            await repo.close();
            await dropSchema({ url: config.url, schema: `${config.schema}_jobs` });
          },
        };
      },
    }),
    { describe, it },
  );
});
