import { answerLogSuite, declareSuite } from '@kebab/core/testing';
import { describe, it } from 'vitest';
import { memoryStore } from '../open-test-store.ts';

declareSuite(answerLogSuite({ open: async () => (await memoryStore()).store.answers }), { describe, it });
