import { type CanonicalDocument, type ChunkPolicy, estimateTokens } from '@kebab/core';
import { DEFAULT_POLICY, assetFrom, documentFrom } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { CodeChunker, cutRange, type CutLimits } from '../src/code-chunker.ts';

const chunker = new CodeChunker('rust');

/** A document of one block. */
function blockOf(text: string, symbol: string | null): CanonicalDocument {
  const bytes = new TextEncoder().encode(text);
  const lines = text.split('\n').length;
  const sourceSpan = { kind: 'code', line_start: 1, line_end: lines, symbol, lang: 'rust' } as const;
  const block = {
    kind: 'code',
    lang: 'rust',
    symbol,
    start: 0,
    end: text.length,
    headingPath: [],
    sourceSpan,
  } as const;
  return documentFrom({ text, blocks: [block] }, assetFrom('a.rs', bytes), 'code-rust-v1');
}

function symbols(document: CanonicalDocument, policy: Partial<ChunkPolicy>): readonly (string | undefined)[] {
  return chunker.chunk(document, { ...DEFAULT_POLICY, ...policy }).map(({ symbol }) => symbol);
}

describe('chunks of source code', () => {
  it('names itself after the language', () => {
    expect(chunker.id).toBe('code-rust-ast-v1');
  });

  it('creates one chunk for a unit of any size below the limits, labelled with its symbol', () => {
    const document = blockOf(Array.from({ length: 200 }, () => 'x').join('\n'), 'Foo::bar');
    expect(chunker.chunk(document, DEFAULT_POLICY)).toEqual([
      { start: 0, end: 399, symbol: 'Foo::bar', sectionLabel: 'Foo::bar' },
    ]);
  });

  it('labels the pieces of a larger unit', () => {
    const document = blockOf(Array.from({ length: 201 }, () => 'x').join('\n'), 'f');
    expect(symbols(document, {})).toEqual(['f [part 1/2]', 'f [part 2/2]']);
    expect(chunker.chunk(document, DEFAULT_POLICY)[0]?.sectionLabel).toBe('f [part 1/2]');
    expect(symbols(document, { maxUnitLines: 100 })).toHaveLength(3);
  });

  it('cuts by tokens as well, and does not label a single piece as a part', () => {
    expect(symbols(blockOf('x'.repeat(100), 'f'), { maxChunkTokens: 16 })).toHaveLength(3);
    expect(symbols(blockOf('x'.repeat(48), 'f'), { maxChunkTokens: 16 })).toEqual(['f']);
  });

  it('leaves pieces without a symbol if the block has none', () => {
    expect(symbols(blockOf('x'.repeat(100), null), { maxChunkTokens: 16 })).toEqual([undefined, undefined, undefined]);
  });
});

const WIDE: CutLimits = { maxLines: 10, maxTokens: 1_000 };

function pieces(text: string, limits: CutLimits): readonly string[] {
  return cutRange(text, { start: 0, end: text.length }, limits).map(({ start, end }) => text.slice(start, end));
}

function written(text: string): string {
  return text.replaceAll(/\s/g, '');
}

function numbered(count: number, blank: readonly number[] = []): string {
  return Array.from({ length: count }, (_, at) => (blank.includes(at + 1) ? '' : `line ${at + 1}`)).join('\n');
}

describe('cutting a unit that is too large', () => {
  it('keeps a range that fits in one piece', () => {
    expect(pieces(numbered(10), WIDE)).toEqual([numbered(10)]);
  });

  it('cuts at the last blank line in the last fifth of the window', () => {
    const text = numbered(25, [8, 9, 10, 17]);
    expect(pieces(text, WIDE)).toEqual([
      text.slice(0, text.indexOf('\n\n\n\n')),
      'line 11\nline 12\nline 13\nline 14\nline 15\nline 16\n\nline 18\nline 19\nline 20',
      'line 21\nline 22\nline 23\nline 24\nline 25',
    ]);
    expect(pieces(numbered(12, [9]), WIDE).map((piece) => piece.split('\n').length)).toEqual([8, 3]);
  });

  it('cuts at the end of the window when its last fifth has no blank line', () => {
    expect(pieces(numbered(12, [7]), WIDE).map((piece) => piece.split('\n').length)).toEqual([10, 2]);
  });

  it('cuts at line ends if the token limit is reached first', () => {
    expect(pieces('aaaa\nbbbb\ncccc\n', { maxLines: 10, maxTokens: 3 })).toEqual(['aaaa\nbbbb', 'cccc']);
  });

  it('cuts a single line that is too large between characters, and continues after it', () => {
    expect(pieces('a\nbbbbbbbbbb\nc', { maxLines: 10, maxTokens: 2 })).toEqual(['a', 'bbbbbb', 'bbbb', 'c']);
    expect(pieces('가나다', { maxLines: 10, maxTokens: 2 })).toEqual(['가나', '다']);
    expect(pieces('a😀😀', { maxLines: 10, maxTokens: 2 })).toEqual(['a😀', '😀']);
  });

  it('drops any amount of white space', () => {
    expect(pieces(`${' '.repeat(100)}a\n${'\n'.repeat(50)}b`, { maxLines: 3, maxTokens: 2 })).toEqual([
      `${' '.repeat(4)}a`,
      'b',
    ]);
    expect(pieces(' \n\n', WIDE)).toEqual([]);
  });

  it('never exceeds its limits, loses nothing and repeats nothing', () => {
    const line = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('', '  ', 'a', '  b = 1', '}', '가나다라', '😀😀', '\t# c') },
      { weight: 1, arbitrary: fc.string({ maxLength: 80, unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')) },
    );
    const limits = fc.record({ maxLines: fc.integer({ min: 1, max: 8 }), maxTokens: fc.integer({ min: 2, max: 20 }) });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), limits, (lines, limit) => {
        const text = lines.join('\n');
        const cut = pieces(text, limit);
        for (const piece of cut) {
          expect(estimateTokens(piece)).toBeLessThanOrEqual(limit.maxTokens);
          expect(piece.split('\n').length).toBeLessThanOrEqual(limit.maxLines);
          expect(piece).toMatch(/\S/);
          expect(piece).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
        }
        expect(written(cut.join(''))).toBe(written(text));
      }),
      { numRuns: 300 },
    );
  });
});
