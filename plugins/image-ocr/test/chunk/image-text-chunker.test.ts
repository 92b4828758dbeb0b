import { chunkTexts, DEFAULT_POLICY } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createImageTextChunker } from '../../src/chunk/image-text-chunker.ts';
import { imageDocumentOf, ocrOf } from '../image-documents.ts';

const chunker = createImageTextChunker();
const SMALL = { ...DEFAULT_POLICY, targetTokens: 16, overlapTokens: 0 };

describe('the chunks of an image', () => {
  it('are one empty chunk with the whole image as its span if there is no text', async () => {
    const chunks = chunker.chunk(await imageDocumentOf({}), DEFAULT_POLICY);
    expect(chunks).toEqual([{ start: 0, end: 0, sourceSpans: [{ kind: 'region', x: 0, y: 0, w: 60, h: 40 }] }]);
  });

  it('span the box around their lines', async () => {
    const document = await imageDocumentOf({
      image: { ocr: ocrOf('this is the first line', 'this is the second line', 'this is the third line') },
    });
    const whole = chunker.chunk(document, DEFAULT_POLICY);
    expect(whole.map(({ sourceSpans }) => sourceSpans)).toEqual([[{ kind: 'region', x: 5, y: 0, w: 50, h: 30 }]]);
    const pieces = chunker.chunk(document, { ...SMALL, maxChunkTokens: 16 });
    expect(pieces.map(({ sourceSpans }) => sourceSpans?.[0])).toEqual([
      { kind: 'region', x: 5, y: 0, w: 50, h: 20 },
      { kind: 'region', x: 5, y: 20, w: 50, h: 10 },
    ]);
  });

  it('never contain both text and caption', async () => {
    const caption = { text: 'A house.', model: 'm', modelVersion: '1' };
    const document = await imageDocumentOf({ image: { ocr: ocrOf('For sale'), caption } });
    expect(chunkTexts(chunker, document, DEFAULT_POLICY)).toEqual(['For sale', 'A house.']);
  });
});
