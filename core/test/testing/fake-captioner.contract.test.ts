import { describe, it } from 'vitest';
import { captionerSuite } from '../../src/testing/captioner-suite.ts';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { FakeCaptioner } from '../../src/testing/fake-captioner.ts';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

declareSuite(captionerSuite({ open: async () => ({ captioner: new FakeCaptioner() }), png }), { describe, it });
