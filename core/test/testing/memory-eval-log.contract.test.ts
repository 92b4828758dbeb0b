import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { evalLogSuite } from '../../src/testing/eval-log-suite.ts';
import { MemoryEvalLog } from '../../src/testing/memory-eval-log.ts';

declareSuite(evalLogSuite({ open: () => new MemoryEvalLog() }), { describe, it });
