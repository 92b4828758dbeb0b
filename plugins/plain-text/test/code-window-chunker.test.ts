import { DEFAULT_POLICY, chunkTexts, extractDocument } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createCodeTextExtractor } from '../src/code-text-extractor.ts';
import { createCodeWindowChunker } from '../src/code-window-chunker.ts';

async function chunks(text: string): Promise<readonly string[]> {
  const document = await extractDocument(createCodeTextExtractor(), 'a.sh', text);
  const policy = { ...DEFAULT_POLICY, targetTokens: 16, maxChunkTokens: 30, windowLines: 4, windowOverlapLines: 1 };
  return chunkTexts(createCodeWindowChunker(), document, policy);
}

describe('code-text-paragraph-v1', () => {
  it('joins paragraphs up to the target, without overlap', async () => {
    expect(await chunks('first=1\nsecond=2\n\nthird=3\n\n\n  indented_call "$first" "$second"\n')).toEqual([
      'first=1\nsecond=2\n\nthird=3',
      '  indented_call "$first" "$second"',
    ]);
  });

  it('keeps a paragraph above the target whole while it fits the window and the largest size', async () => {
    const paragraph = 'a_rather_long_line_of_code --with options\nanother_line --with more';
    expect(await chunks(`x\n\n${paragraph}\n\ny`)).toEqual(['x', paragraph, 'y']);
  });

  it('cuts a paragraph of more lines than a window into windows that overlap', async () => {
    expect(await chunks('x\n\na\nb\nc\nd\ne\n\ny')).toEqual(['x', 'a\nb\nc\nd', 'd\ne', 'y']);
  });
});
