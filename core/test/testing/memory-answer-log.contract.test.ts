import { describe, it } from 'vitest';
import { answerLogSuite } from '../../src/testing/answer-log-suite.ts';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { MemoryAnswerLog } from '../../src/testing/memory-answer-log.ts';

declareSuite(answerLogSuite({ open: () => new MemoryAnswerLog() }), { describe, it });
