import { declareSuite, sessionRepoSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { SqliteSessionRepo } from '../../src/sessions/sqlite-session-repo.ts';
import { memoryDatabase } from '../open-test-store.ts';

declareSuite(sessionRepoSuite({ open: async () => new SqliteSessionRepo(await memoryDatabase(), ':memory:') }), {
  describe,
  it,
});
