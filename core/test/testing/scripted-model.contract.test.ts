import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { languageModelSuite } from '../../src/testing/language-model-suite.ts';
import { openScripted } from './open-scripted.ts';

const arranges = ['unreachable', 'missing', 'impatient', 'breaking', 'endless', 'repeats'] as const;

declareSuite(languageModelSuite({ open: () => openScripted(), arranges }), { describe, it });
