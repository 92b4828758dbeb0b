import { declareSuite, jobRepoSuite } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { PostgresJobRepo } from '../../src/jobs/postgres-job-repo.ts';
import { testStore } from '../open-test-store.ts';
import { dropSchema, POSTGRES_MISSING, testDatabase } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('a queue on PostgreSQL', () => {
  declareSuite(
    jobRepoSuite({
      open: async () => {
        const { database, config, close } = await testDatabase();
        const open = async (): Promise<PostgresJobRepo> => new PostgresJobRepo(database, { leaseS: 1, retryS: 0 });
        const repo = await open();
        return {
          repo,
          another: open,
          close: async () => {
            await repo.close();
            await close();
            await dropSchema({ url: config.url, schema: `${config.schema}_jobs` });
          },
        };
      },
    }),
    { describe, it },
  );

  it('makes nothing in the database until there is a job', async () => {
    const { store, config, close } = await testStore();
    try {
      const queue = await store.jobs();
      expect(await queue.counts()).toEqual({ waiting: 0, running: 0, failed: 0, vectors: 0 });
      await queue.close();
      expect(await schemasLike(config)).toEqual([config.schema]);
    } finally {
      await close();
    }
  });

  it('ends with its knowledge base, and with no other one', async () => {
    const [gone, other] = [await testStore(), await testStore()];
    try {
      for (const { store } of [gone, other]) {
        const queue = await store.jobs();
        await queue.create([{ kind: 'files', key: 'a', payload: 'a.md', size: 1 }]);
        await queue.close();
      }
      const writer = await gone.store.openWriter({ waitMs: 0 });
      await writer.removeAll?.();
      await writer.removeAll?.();
      await writer.close();
      expect(await schemasLike(other.config)).toEqual(['', '_jobs'].map((end) => `${other.config.schema}${end}`));
      expect(await schemasLike(gone.config)).toEqual([]);
    } finally {
      for (const { close, config } of [gone, other]) {
        await close();
        await dropSchema({ url: config.url, schema: `${config.schema}_jobs` });
      }
    }
  });
});

async function schemasLike({ url, schema }: { readonly url: string; readonly schema: string }): Promise<unknown> {
  const { default: driver } = await import('pg');
  const client = new driver.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly nspname: string }>(
      'SELECT nspname FROM pg_namespace WHERE nspname LIKE $1 ORDER BY 1',
      [`${schema}%`],
    );
    return rows.map(({ nspname }) => nspname);
  } finally {
    await client.end();
  }
}
