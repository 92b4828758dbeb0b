import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createPptxExtractor } from '../src/pptx-extractor.ts';
import { presentation } from './presentation.ts';

declareSuite(
  extractorSuite({
    make: createPptxExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.pptx', content: presentation() }],
  }),
  { describe, it },
);
