import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createEpubExtractor } from '../src/epub-extractor.ts';
import { book } from './book.ts';

declareSuite(
  extractorSuite({
    make: createEpubExtractor,
    text: 'derived',
    fixtures: [{ path: 'a.epub', content: book() }],
  }),
  { describe, it },
);
