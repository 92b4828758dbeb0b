import { chunkerSuite, declareSuite, extractorSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { createImageTextChunker } from '../src/chunk/image-text-chunker.ts';
import { createImageExtractor } from '../src/extract/image-extractor.ts';
import { DEFAULT_IMAGE_CONFIG } from '../src/image-config.ts';
import { imageDocumentOf, ocrOf } from './image-documents.ts';
import { bitmap, samplePicture, twoPages } from './sample-images.ts';

const picture = samplePicture();
const rows = [[0, 0, 255, 255, 255, 255]];
const fixtures = [
  { path: 'a.png', content: await picture.clone().png().toBuffer() },
  { path: 'b.jpg', content: await picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer() },
  { path: 'c.webp', content: await picture.clone().webp().toBuffer() },
  { path: 'd.gif', content: await twoPages('gif') },
  { path: 'e.tiff', content: await twoPages('tiff') },
  { path: 'f.bmp', content: bitmap({ width: 2, height: 1, bits: 24, rows }) },
];

const READ = { ...DEFAULT_IMAGE_CONFIG, ocr: 'tesseract', caption: 'ollama' };

declareSuite(extractorSuite({ make: () => createImageExtractor(DEFAULT_IMAGE_CONFIG), fixtures, text: 'derived' }), {
  describe,
  it,
});
// What is no picture is refused before the settings matter.
declareSuite(
  extractorSuite({
    make: () => createImageExtractor(READ),
    fixtures,
    text: 'derived',
    hostile: [],
    hasLargeFiles: false,
  }),
  { describe, it },
);

const LONG = 'A sentence of some words. 한국어 문장도 있습니다. Is this one? '.repeat(60);

declareSuite(
  chunkerSuite({
    make: createImageTextChunker,
    documents: () =>
      Promise.all([
        imageDocumentOf({}),
        imageDocumentOf({ image: { ocr: ocrOf() } }),
        imageDocumentOf({ image: { ocr: ocrOf('one line', 'and another') } }),
        imageDocumentOf({ image: { ocr: ocrOf(...Array.from({ length: 400 }, (_, i) => `line ${i} of many`)) } }),
        imageDocumentOf({ image: { ocr: ocrOf(LONG, 'x'.repeat(9000)) } }),
        imageDocumentOf({
          image: { ocr: ocrOf('a sign'), caption: { text: 'A house with a sign.', model: 'm', modelVersion: '1' } },
        }),
        imageDocumentOf({ image: { caption: { text: LONG.repeat(5), model: 'm', modelVersion: '1' } } }),
      ]),
  }),
  { describe, it },
);
