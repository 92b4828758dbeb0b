import { declareSuite, sessionRepoSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { SqlSessionRepo } from '@kebab/store-kit';
import { sqliteEngine } from '../../src/database/engine.ts';
import { memoryDatabase } from '../open-test-store.ts';

declareSuite(
  sessionRepoSuite({ open: async () => new SqlSessionRepo(sqliteEngine(await memoryDatabase(), ':memory:')) }),
  {
    describe,
    it,
  },
);
