import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createPptxExtractor } from '../src/pptx-extractor.ts';
import { presentation } from './presentation.ts';

declareSuite(
  extractorSuite({
    make: createPptxExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.pptx', content: presentation() }],
    // No such file is an archive, and a large one is opened by the kit: the suite of EPUB shows both.
    hostile: [],
    hasLargeFiles: false,
  }),
  { describe, it },
);
