import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { FakeReranker } from '../../src/testing/fake-reranker.ts';
import { rerankerSuite } from '../../src/testing/reranker-suite.ts';

declareSuite(rerankerSuite({ open: async () => ({ reranker: new FakeReranker() }) }), { describe, it });
