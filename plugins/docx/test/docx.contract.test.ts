import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createDocxExtractor } from '../src/docx-extractor.ts';
import { wordDocument } from './document.ts';

declareSuite(
  extractorSuite({
    make: createDocxExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.docx', content: wordDocument() }],
    // No such file is an archive, and a large one is opened by the kit: the suite of EPUB shows both.
    hostile: [],
    hasLargeFiles: false,
  }),
  { describe, it },
);
