import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createIpynbExtractor } from '../src/ipynb-extractor.ts';
import { NOTEBOOK } from './notebook.ts';

declareSuite(
  extractorSuite({
    make: createIpynbExtractor,
    text: 'derived',
    fixtures: [
      { path: 'tides.ipynb', content: NOTEBOOK },
      { path: 'empty.ipynb', content: '{}' },
    ],
  }),
  { describe, it },
);
