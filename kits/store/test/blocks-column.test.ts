import { type Block, type BlockDraft, type DocumentId } from '@kebab/core';
import { mintBlockIds, type BlockId } from '@kebab/core/store';
import { sampleDocuments } from '@kebab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBlocks, encodeBlocks } from '../src/blocks-column.ts';

const docId = 'd'.repeat(32) as DocumentId;

function named(drafts: readonly BlockDraft[]): readonly Block[] {
  const ids = mintBlockIds(
    docId,
    drafts.map((draft, ordinal) => ({ ...draft, ordinal })),
  );
  return drafts.map((draft, ordinal) => ({ ...draft, ordinal, blockId: ids[ordinal] ?? ('' as BlockId) }));
}

const offset = fc.nat({ max: 3_000_000_000 });
const text = fc.oneof(fc.constantFrom('', 'Title', 'Intro'), fc.string({ unit: 'binary' }));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
const range = fc.record({ start: offset, end: offset });
const span = fc.oneof(
  fc.record({ kind: fc.constant('line' as const), start: offset, end: offset }),
  fc.record({
    kind: fc.constant('code' as const),
    line_start: offset,
    line_end: offset,
    symbol: maybe(text),
    lang: maybe(text),
  }),
  fc.record({ kind: fc.constant('page' as const), page: offset, char_start: maybe(offset), char_end: maybe(offset) }),
  fc.record({
    kind: fc.constant('region' as const),
    x: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
    y: offset,
    w: offset,
    h: offset,
  }),
  fc.record({ kind: fc.constant('time' as const), start_ms: offset, end_ms: offset }),
  fc.record({ kind: fc.constant('byte' as const), start: offset, end: offset }),
);
const content = fc.oneof(
  fc.record({ kind: fc.constant('heading' as const), level: fc.constantFrom(1, 2, 3, 4, 5, 6), text }),
  fc.constantFrom({ kind: 'paragraph' as const }, { kind: 'table' as const }, { kind: 'quote' as const }),
  fc.record({ kind: fc.constant('list' as const), ordered: fc.boolean(), items: fc.array(range, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('code' as const), lang: maybe(text), symbol: maybe(text) }),
  fc.record({ kind: fc.constant('audioref' as const), assetId: fc.constant('a'.repeat(32)), durationMs: offset }),
);
const draft = fc
  .tuple(content, range, fc.array(text, { maxLength: 3 }), span)
  // Lines and ranges are ascending, as the contract of extractors requires, but may begin anywhere.
  .map(([one, { start, end }, headingPath, sourceSpan]) => ({
    ...one,
    start,
    end: start + end,
    headingPath,
    sourceSpan: ascending(sourceSpan),
  })) as fc.Arbitrary<BlockDraft>;

function ascending(given: BlockDraft['sourceSpan']): BlockDraft['sourceSpan'] {
  if (given.kind === 'line') return { ...given, end: given.start + given.end };
  return given.kind === 'code' ? { ...given, line_end: given.line_start + given.line_end } : given;
}

describe('encodeBlocks', () => {
  it('is reversed by decodeBlocks, for any blocks', () => {
    const items = (block: BlockDraft): BlockDraft =>
      block.kind === 'list'
        ? { ...block, items: block.items.map(({ start, end }) => ({ start, end: start + end })) }
        : block;
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 12 }), (drafts) => {
        const blocks = named(drafts.map(items));
        expect(decodeBlocks(docId, encodeBlocks(blocks))).toEqual(blocks);
      }),
    );
  });

  it.each(Object.entries(sampleDocuments()))(
    'is reversed by decodeBlocks, for the sample %s',
    (_name, { document }) => {
      expect(decodeBlocks(document.docId, encodeBlocks(document.blocks))).toEqual(document.blocks);
    },
  );

  it('takes about sixteen bytes for a paragraph, and stores a heading path once', () => {
    const headingPath = ['A long title', 'A section'];
    const drafts = Array.from({ length: 1000 }, (_, i): BlockDraft => {
      const line = 1 + i * 3;
      return {
        kind: 'paragraph',
        start: i * 202,
        end: i * 202 + 200,
        headingPath,
        sourceSpan: { kind: 'line', start: line, end: line + 1 },
      };
    });
    const json = encodeBlocks(named(drafts));
    expect(json.split('A section')).toHaveLength(2);
    expect(json.length).toBeLessThan(17_000);
  });

  it('omits headings that can be derived from the previous blocks', () => {
    const line = { kind: 'line', start: 1, end: 1 } as const;
    const under = (headingPath: readonly string[], start: number): BlockDraft => ({
      kind: 'paragraph',
      start,
      end: start + 4,
      headingPath,
      sourceSpan: line,
    });
    const drafts: readonly BlockDraft[] = [
      { kind: 'heading', level: 1, text: 'Bread', start: 0, end: 7, headingPath: [], sourceSpan: line },
      under(['Bread'], 8),
      { kind: 'heading', level: 2, text: 'Starter', start: 13, end: 23, headingPath: ['Bread'], sourceSpan: line },
      under(['Bread', 'Starter'], 24),
    ];
    const json = encodeBlocks(named(drafts));
    expect([json.split('Bread').length, json.split('Starter').length]).toEqual([2, 2]);
    expect(decodeBlocks(docId, json)).toEqual(named(drafts));
  });

  it('rejects blocks of an unknown kind', () => {
    expect(() => decodeBlocks(docId, '[[99,0,4,[1,0]]]')).toThrow(/unknown kind/);
  });
});
