import { declareSuite, sessionRepoSuite } from '@kebab/testing';
import { afterEach, describe, it } from 'vitest';
import { PostgresSessionRepo } from '../../src/sessions/postgres-session-repo.ts';
import { POSTGRES_MISSING, testDatabase, type TestDatabase } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('conversations on PostgreSQL', () => {
  const opened: TestDatabase[] = [];

  afterEach(async () => {
    for (const made of opened.splice(0)) await made.close();
  });

  const open = async (): Promise<PostgresSessionRepo> => {
    const made = await testDatabase();
    opened.push(made);
    return new PostgresSessionRepo(made.database);
  };
  declareSuite(sessionRepoSuite({ open }), { describe, it });
});
