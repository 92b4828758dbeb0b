import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createDocxExtractor } from '../src/docx-extractor.ts';
import { wordDocument } from './document.ts';

declareSuite(
  extractorSuite({
    make: createDocxExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.docx', content: wordDocument() }],
  }),
  { describe, it },
);
