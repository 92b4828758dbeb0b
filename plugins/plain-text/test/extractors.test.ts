import { extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createCodeTextExtractor, createTextExtractor } from '../src/text-extractors.ts';

describe('the extractor text', () => {
  it('creates a paragraph for each group of lines', async () => {
    const { blocks } = await extractDocument(createTextExtractor(), 'a.txt', '\n  The\ttitle \n line\n\nb\n');
    expect(blocks.map(({ kind, sourceSpan }) => [kind, sourceSpan])).toEqual([
      ['paragraph', { kind: 'line', start: 2, end: 3 }],
      ['paragraph', { kind: 'line', start: 5, end: 5 }],
    ]);
  });

  it('warns of bytes that are not UTF-8', async () => {
    const { warnings } = await extractFile(createTextExtractor(), 'a.txt', Uint8Array.of(0x61, 0xff));
    expect(warnings).toMatchObject([{ kind: 'encoding_fallback' }]);
  });
});

describe('the extractor code-text', () => {
  it('matches every language by its medium, and labels its output by language', () => {
    const extractor = createCodeTextExtractor();
    expect(extractor.match).toEqual({ media: ['code'] });
    expect(extractor.supports({ kind: 'code', lang: 'cobol' })).toBe(true);
    expect(extractor.supports({ kind: 'text' })).toBe(false);
    expect(extractor.parserVersion({ kind: 'code', lang: 'shell' })).toBe('code-shell-v1');
  });

  it('creates code blocks without symbols, in the language of the file', async () => {
    const { blocks } = await extractDocument(createCodeTextExtractor(), 'a.sh', 'a\n\n\tb\nc\n');
    expect(blocks).toMatchObject([
      { kind: 'code', lang: 'shell', symbol: null, start: 0, end: 1 },
      {
        kind: 'code',
        start: 3,
        end: 7,
        sourceSpan: { kind: 'code', line_start: 3, line_end: 4, symbol: null, lang: 'shell' },
      },
    ]);
  });
});
