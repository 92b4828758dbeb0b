import { DEFAULT_POLICY, chunkTexts, extractDocument } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { TextSizer, type TextRange } from '@kebab/core';
import fc from 'fast-check';
import { createCodeTextExtractor } from '../src/text-extractors.ts';
import { createCodeWindowChunker, lineWindows, type WindowLimits } from '../src/text-chunkers.ts';

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

  it('keeps a paragraph above the target whole if it fits the window and the maximum size', async () => {
    const paragraph = 'a_rather_long_line_of_code --with options\nanother_line --with more';
    expect(await chunks(`x\n\n${paragraph}\n\ny`)).toEqual(['x', paragraph, 'y']);
  });

  it('cuts a paragraph of more lines than a window into windows that overlap', async () => {
    expect(await chunks('x\n\na\nb\nc\nd\ne\n\ny')).toEqual(['x', 'a\nb\nc\nd', 'd\ne', 'y']);
  });
});

function windows(text: string, limits: WindowLimits): readonly TextRange[] {
  return lineWindows({ text, sizer: new TextSizer(text) }, { start: 0, end: text.length }, limits);
}

const texts = (text: string, limits: WindowLimits): readonly string[] =>
  windows(text, limits).map(({ start, end }) => text.slice(start, end).replaceAll('\n', ' '));

describe('lineWindows', () => {
  it('cuts into windows of the given number of lines with the given overlap', () => {
    const text = 'a\nb\nc\nd\ne\nf\ng';
    const limits = { windowLines: 4, windowOverlapLines: 1, maxChunkTokens: 100 };
    expect(texts(text, limits)).toEqual(['a b c d', 'd e f g']);
    expect(texts(text, { ...limits, windowOverlapLines: 2 })).toEqual(['a b c d', 'c d e f', 'e f g']);
    expect(texts(text, { ...limits, windowOverlapLines: 0 })).toEqual(['a b c d', 'e f g']);
  });

  it('ends a window earlier rather than exceeding the maximum size', () => {
    const limits = { windowLines: 10, windowOverlapLines: 1, maxChunkTokens: 3 };
    expect(texts('aaaa\nbbbb\ncccc', limits)).toEqual(['aaaa bbbb', 'cccc']);
  });

  it('cuts a line that is too long between characters', () => {
    const limits = { windowLines: 2, windowOverlapLines: 1, maxChunkTokens: 4 };
    expect(texts('a\n한글한글한글\nb\nc', limits)).toEqual(['a', '한글한글', '한글', 'b c']);
  });

  it('always advances, covers every line, and never puts a line into three windows', () => {
    const line = fc.constantFrom('', 'x', 'some code', '한글 코드', 'y'.repeat(30));
    const limits = fc.record({
      windowLines: fc.integer({ min: 1, max: 6 }),
      windowOverlapLines: fc.integer({ min: 0, max: 8 }),
      maxChunkTokens: fc.integer({ min: 4, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), limits, (lines, chosen) => {
        const text = lines.map((words, at) => `${at}${words}`).join('\n');
        const found = windows(text, chosen);
        for (const [at, window] of found.entries()) {
          expect(window.end).toBeGreaterThan(found[at - 1]?.end ?? 0);
          expect(window.start).toBeGreaterThanOrEqual(found[at - 2]?.end ?? 0);
          expect(text.slice(found[at - 1]?.end ?? 0, window.start).trim()).toBe('');
        }
        expect(found.at(-1)?.end).toBe(text.length);
      }),
      { seed: 5 },
    );
  });
});
