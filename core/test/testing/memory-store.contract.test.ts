import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { documentStoreSuite } from '../../src/testing/document-store-suite.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';

declareSuite(documentStoreSuite({ open: () => ({ store: new MemoryStore() }) }), { describe, it });
