import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { embedderSuite } from '../../src/testing/embedder-suite.ts';
import { HashEmbedder } from '../../src/testing/hash-embedder.ts';

declareSuite(embedderSuite({ name: 'hash', create: () => new HashEmbedder() }), { describe, it });
