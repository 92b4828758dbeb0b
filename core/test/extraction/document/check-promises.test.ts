import { describe, expect, it } from 'vitest';
import type { BlockDraft, TextRange } from '../../../src/domain/block.ts';
import type { Chunk, CanonicalDocument } from '../../../src/domain/document.ts';
import type { SourceSpan } from '../../../src/domain/span.ts';
import { brokenExtraction, brokenSlices, oversizeChunk } from '../../../src/extraction/document/check-promises.ts';

const blocks = (...ranges: readonly (readonly [number, number])[]): readonly BlockDraft[] =>
  ranges.map(([start, end]) => ({
    kind: 'paragraph',
    start,
    end,
    headingPath: [],
    sourceSpan: { kind: 'line', start: 1, end: 1 },
  }));
const slices = (...ranges: readonly (readonly [number, number])[]): readonly TextRange[] =>
  ranges.map(([start, end]) => ({ start, end }));
const text = '0123456789';

const INVALID_SPANS = [
  [{ kind: 'wibble' }, 'has a span of the unknown kind "wibble"'],
  [{ kind: 'line', start: 50, end: 60 }, 'names lines 50 to 60 of 1'],
  [{ kind: 'code', line_start: 1, line_end: 2, symbol: null, lang: null }, 'names lines 1 to 2 of 1'],
  [{ kind: 'page', page: 3, char_start: null, char_end: null }, 'names page 3 of 2'],
  [{ kind: 'anchor', anchor: 'cell' }, 'names the anchor "cell", which is not valid: write it like cell=12'],
  [{ kind: 'region', x: Number.NaN, y: 0, w: 1, h: 1 }, 'names a region by [NaN, 0, 1, 1], which are not four numbers'],
  [{ kind: 'time', start_ms: 2, end_ms: 1 }, 'names the time from 2 to 1 ms'],
  [{ kind: 'byte', start: -1, end: 1 }, 'names the bytes from -1 to 1'],
] as unknown as readonly (readonly [SourceSpan, string])[];
const pages = [
  { page: 1, start: 0, end: 5 },
  { page: 2, start: 5, end: 10 },
];

describe('brokenExtraction', () => {
  it.each([
    [blocks([0, 4], [4, 10]), null],
    [blocks(), null],
    [blocks([0, 11]), 'block 0 has the range [0, 11) in a text of 10'],
    [blocks([-1, 2]), 'block 0 has the range [-1, 2) in a text of 10'],
    [blocks([0, 1.5]), 'block 0 has the range [0, 1.5) in a text of 10'],
    [blocks([5, 4]), 'block 0 has the range [5, 4) in a text of 10'],
    [blocks([0, 5], [4, 6]), 'block 1 begins at 4, before the end of the previous block'],
  ])('checks the ranges of the blocks %j', (given, broken) => {
    expect(brokenExtraction({ text, blocks: given })).toBe(broken);
  });

  it.each(INVALID_SPANS)('rejects the block span %j', (sourceSpan, broken) => {
    const given = blocks([0, 10]).map((block) => ({ ...block, sourceSpan }));
    expect(brokenExtraction({ text, pages, blocks: given })).toBe(`block 0 ${broken}`);
  });

  it('rejects a page whose range ends beyond the text', () => {
    const beyond = [{ page: 1, start: 0, end: 12 }];
    expect(brokenExtraction({ text, blocks: [], pages: beyond })).toBe('page 0 has the range [0, 12) in a text of 10');
  });
});

describe('brokenSlices', () => {
  const document = (content: string, given: readonly BlockDraft[]) =>
    ({ text: content, blocks: given, pages }) as unknown as CanonicalDocument;

  it.each([
    [text, blocks([0, 10]), slices([0, 5], [4, 10]), null],
    [text, blocks([0, 10]), slices([0, 11]), 'chunk 0 has the range [0, 11) in a text of 10'],
    [text, blocks([0, 10]), slices([3, 3]), 'chunk 0 has the range [3, 3) in a text of 10'],
    [text, blocks([0, 10]), slices(), 'it made no chunk of a document with text'],
    ['---\n---\n', blocks(), slices(), null],
    ['', blocks([0, 0]), slices([0, 0]), null],
    ['\n\n\n\n', blocks(), slices([0, 0]), null],
    [' \u00A0\n\f', blocks(), slices([0, 0]), null],
    ['\n\nword', blocks([2, 6]), slices([0, 0], [2, 6]), 'chunk 0 has the range [0, 0) in a text of 6'],
  ])('checks the text %j with the blocks %j and the slices %j', (content, given, drafts, broken) => {
    expect(brokenSlices(document(content, given), drafts)).toBe(broken);
  });

  it.each(INVALID_SPANS)('rejects the chunk span %j', (span, broken) => {
    const sourceSpans: readonly SourceSpan[] = [{ kind: 'line', start: 1, end: 1 }, span];
    expect(brokenSlices(document(text, blocks([0, 10])), [{ start: 0, end: 10, sourceSpans }])).toBe(
      `chunk 0 ${broken}`,
    );
  });
});

describe('oversizeChunk', () => {
  it('names the first chunk over the limit', () => {
    const chunks = [
      { ordinal: 0, tokenEstimate: 10 },
      { ordinal: 1, tokenEstimate: 11 },
    ] as unknown as readonly Chunk[];
    expect(oversizeChunk(chunks, 11)).toBe(null);
    expect(oversizeChunk(chunks, 10)).toBe('chunk 1 has 11 tokens, the limit is 10');
  });
});
