import { declareSuite, documentStoreSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { testStore } from '../open-test-store.ts';
import { POSTGRES_MISSING } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('a store on PostgreSQL', () => {
  declareSuite(documentStoreSuite({ open: testStore }), { describe, it });
});
