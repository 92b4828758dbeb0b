import { chunkerSuite, declareSuite, extractDocument, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createPdfPageChunker } from '../src/chunk/pdf-page-chunker.ts';
import { createPdfExtractor } from '../src/pdf-extractor.ts';
import { lines, makePdf } from './make-pdf.ts';

const SENTENCES = 'A sentence of some words. Is this another one? 한국어 문장도 있습니다. ';

const short = makePdf({
  info: { Title: 'Two pages', Author: 'Somebody' },
  outline: [{ title: 'One', page: 1, children: [{ title: 'Two', page: 2 }] }],
  pages: [
    { texts: lines(['The first page has two lines', 'of text, and a word infor-', 'mation.'], { x: 72, y: 700 }) },
    {},
    { texts: [{ text: '한국어 글꼴', x: 72, y: 700, font: 'korean' }] },
  ],
});

/** Twelve paragraphs per page, one sentence of 3,000 letters, characters outside the basic plane. */
const long = makePdf({
  pages: [
    ...Array.from({ length: 3 }, (_, page) => ({
      texts: Array.from({ length: 12 }, (__, at) =>
        lines([SENTENCES + page, `${SENTENCES}\u{20BB7}\u{1F600}`], { x: 40, y: 800 - at * 60, font: 'any' }),
      ).flat(),
    })),
    { texts: [{ text: `${'x'.repeat(1500)}\u{1F600}${'가'.repeat(1500)}`, x: 0, y: 400, font: 'any', size: 1 }] },
  ],
});

declareSuite(
  extractorSuite({
    make: () => createPdfExtractor(),
    text: 'derived',
    fixtures: [
      { path: 'a.pdf', content: short },
      { path: 'b.pdf', content: long },
      { path: 'none.pdf', content: makePdf({ pages: [{}] }) },
    ],
  }),
  { describe, it },
);

declareSuite(
  chunkerSuite({
    make: createPdfPageChunker,
    documents: () =>
      Promise.all(
        [short, long, makePdf({ pages: [{}, {}] })].map((bytes, at) =>
          extractDocument(createPdfExtractor(), `${at}.pdf`, bytes),
        ),
      ),
  }),
  { describe, it },
);
