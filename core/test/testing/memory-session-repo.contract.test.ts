import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { MemorySessionRepo } from '../../src/testing/memory-session-repo.ts';
import { sessionRepoSuite } from '../../src/testing/session-repo-suite.ts';

declareSuite(sessionRepoSuite({ open: () => new MemorySessionRepo() }), { describe, it });
