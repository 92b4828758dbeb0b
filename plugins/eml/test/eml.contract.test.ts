import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createEmlExtractor } from '../src/eml-extractor.ts';
import { MESSAGE } from './message.ts';

declareSuite(
  extractorSuite({
    make: createEmlExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.eml', content: MESSAGE }],
  }),
  { describe, it },
);
