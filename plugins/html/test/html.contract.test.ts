import { declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createHtmlExtractor } from '../src/html-extractor.ts';
import { GUIDE } from './guide.ts';

declareSuite(
  extractorSuite({
    make: createHtmlExtractor,
    text: 'derived',
    fixtures: [
      { path: 'guide.html', content: GUIDE },
      { path: 'old.htm', content: '<p>no head, <b>no</b> end' },
      { path: 'empty.xhtml', content: '' },
    ],
  }),
  { describe, it },
);
