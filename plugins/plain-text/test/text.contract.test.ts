import { chunkerSuite, declareSuite, extractDocument, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createTextExtractor } from '../src/text-extractors.ts';
import { createTextParagraphChunker } from '../src/text-chunkers.ts';

const SHORT = 'A title line\n\nFirst paragraph. It has two sentences.\n\nSecond paragraph,\non two lines.\n';
const LONG = 'A sentence of some words. 한국어 문장도 있습니다. Is this one? '.repeat(120);
const MIXED = `${SHORT}\n${LONG}\n\n${'x'.repeat(3000)}\n\n${'one line\n'.repeat(400)}\n\n  indented 😀\n`;

declareSuite(
  extractorSuite({
    make: createTextExtractor,
    fixtures: [
      { path: 'a.txt', content: SHORT },
      { path: 'b.log', content: MIXED },
      { path: 'c.rst', content: 'a,b\r\n1,2\r\n\r\n3,4' },
    ],
  }),
  { describe, it },
);

declareSuite(
  chunkerSuite({
    make: createTextParagraphChunker,
    documents: () =>
      Promise.all(
        ['', ' \n', SHORT, LONG, MIXED, '가나다라'.repeat(5000)].map((text, at) =>
          extractDocument(createTextExtractor(), `${at}.txt`, text),
        ),
      ),
  }),
  { describe, it },
);
