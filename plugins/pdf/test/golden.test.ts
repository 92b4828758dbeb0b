import { fileURLToPath } from 'node:url';
import { DEFAULT_POLICY, extractDocument } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createPdfPageChunker } from '../src/chunk/pdf-page-chunker.ts';
import { createPdfExtractor } from '../src/pdf-extractor.ts';
import { lines, makePdf } from './make-pdf.ts';

const folder = fileURLToPath(new URL('fixtures/', import.meta.url));

const leaflet = makePdf({
  info: { Title: 'The harbour', Author: 'Somebody' },
  outline: [{ title: '1 The harbour', page: 1, children: [{ title: '1.1 Ships', page: 2, top: 800 }] }],
  pages: [
    {
      texts: [
        { text: 'The harbour in the morning, and what is done there', x: 100, y: 790, size: 18 },
        ...lines(
          Array.from({ length: 14 }, (_, at) => `Boats come in and go out, line ${at}, infor-`),
          { x: 60, y: 740, size: 11 },
        ),
        ...lines(
          Array.from({ length: 14 }, (_, at) => `mation is posted at ${at} o'clock. Ships wait.`),
          { x: 320, y: 740, size: 11 },
        ),
      ],
    },
    {},
    {
      texts: [
        ...lines(['배는 아침에 들어오고 저녁에 나', '간다. 항구는 밤에도 밝다.'], { x: 72, y: 760, font: 'korean' }),
        ...[0, 1, 2].flatMap((row) =>
          ['Ship', 'Length', 'Crew'].map((cell, at) => ({
            text: `${cell} ${row}`,
            x: 72 + at * 120,
            y: 600 - row * 16,
          })),
        ),
        { text: 'at the side', x: 30, y: 300, angle: 90 },
      ],
    },
  ],
});

/** The file is named after the versions: changing the output requires raising a version, which creates a new file. */
describe('the output of extractor and chunker', () => {
  it('is unchanged for these versions', async () => {
    const [extractor, chunker] = [createPdfExtractor(), createPdfPageChunker()];
    const document = await extractDocument(extractor, 'leaflet.pdf', leaflet);
    const policy = { ...DEFAULT_POLICY, targetTokens: 120, overlapTokens: 30 };
    const { text, title, pages, blocks, metadata } = document;
    const given = {
      title,
      user: metadata.user,
      pages: pages.map(({ start, end }) => text.slice(start, end)),
      blocks: blocks.map(({ kind, headingPath, sourceSpan }) => ({ kind, headingPath, sourceSpan })),
      chunks: chunker
        .chunk(document, policy)
        .map(({ start, end, ...rest }) => ({ ...rest, words: text.slice(start, end) })),
    };
    const labels = `${document.parserVersion}.${chunker.id}`;
    await expect(`${JSON.stringify(given, null, 2)}\n`).toMatchFileSnapshot(`${folder}leaflet.${labels}.golden`);
  });
});
