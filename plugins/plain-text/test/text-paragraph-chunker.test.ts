import { DEFAULT_POLICY, chunkTexts, extractDocument } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createTextExtractor } from '../src/text-extractors.ts';
import { createTextParagraphChunker } from '../src/text-chunkers.ts';

async function chunks(text: string, overlapTokens = 0): Promise<readonly string[]> {
  const document = await extractDocument(createTextExtractor(), 'a.txt', text);
  return chunkTexts(createTextParagraphChunker(), document, { ...DEFAULT_POLICY, targetTokens: 16, overlapTokens });
}

describe('text-paragraph-v1', () => {
  it('joins paragraphs up to the target', async () => {
    expect(await chunks('One paragraph.\n\nAnother one.\n\n\nA third, longer one here.\n')).toEqual([
      'One paragraph.\n\nAnother one.',
      'A third, longer one here.',
    ]);
  });

  it('cuts a paragraph above the target at its sentences', async () => {
    expect(await chunks('The first sentence is this. The second one is here! Is this the third one? Yes.')).toEqual([
      'The first sentence is this.',
      'The second one is here! Is this the third one?',
      'Yes.',
    ]);
  });

  it('overlaps from the start of a sentence', async () => {
    expect(await chunks('The first sentence is this. Second one! Is this the third one? Yes.', 5)).toEqual([
      'The first sentence is this. Second one!',
      'Second one! Is this the third one? Yes.',
    ]);
  });

  it('cuts at line ends if there are no sentences', async () => {
    expect(await chunks('name,value,unit,remark\nlength,12,cm,measured\nwidth,7,cm,estimated\n')).toEqual([
      'name,value,unit,remark\nlength,12,cm,measured',
      'width,7,cm,estimated',
    ]);
  });
});
