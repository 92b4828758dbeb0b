import { declareSuite, sessionRepoSuite } from '@kebab/testing';
import { afterEach, describe, it } from 'vitest';
import { SqlSessionRepo } from '@kebab/store-kit';
import { postgresEngine } from '../../src/database/engine.ts';
import { POSTGRES_MISSING, testDatabase, type TestDatabase } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('conversations on PostgreSQL', () => {
  const opened: TestDatabase[] = [];

  afterEach(async () => {
    for (const made of opened.splice(0)) await made.close();
  });

  const open = async (): Promise<SqlSessionRepo> => {
    const made = await testDatabase();
    opened.push(made);
    return new SqlSessionRepo(postgresEngine(made.database));
  };
  declareSuite(sessionRepoSuite({ open }), { describe, it });
});
