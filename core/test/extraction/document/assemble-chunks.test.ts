import { describe, expect, it } from 'vitest';
import type { ExtractedDocument } from '../../../src/contracts/extractor.ts';
import type { BlockDraft } from '../../../src/domain/block.ts';
import type { CanonicalDocument } from '../../../src/domain/document.ts';
import { mintChunkIds } from '../../../src/domain/minted-ids.ts';
import { assembleChunks, sectionLabel } from '../../../src/extraction/document/assemble-chunks.ts';
import { assetFrom, documentFrom } from '@kebab/testing';

const labels = { chunkerVersion: 'test-v1', policyHash: '0123456789abcdef' };
const inA: readonly string[] = ['1. A'];
const TEXT = '# 1. A\n\none\ntwo\n\nthree\n\n# B\n';
const BLOCKS: readonly BlockDraft[] = [
  { kind: 'heading', level: 1, text: '1. A', start: 0, end: 6, headingPath: [], sourceSpan: line(1, 1) },
  { kind: 'paragraph', start: 8, end: 15, headingPath: inA, sourceSpan: line(3, 4) },
  { kind: 'paragraph', start: 17, end: 22, headingPath: inA, sourceSpan: line(6, 6) },
  { kind: 'heading', level: 1, text: 'B', start: 24, end: 27, headingPath: [], sourceSpan: line(8, 8) },
];

function line(start: number, end: number) {
  return { kind: 'line', start, end } as const;
}

function document(path: string, extracted: ExtractedDocument): CanonicalDocument {
  return documentFrom(extracted, assetFrom(path, new TextEncoder().encode(extracted.text)), 'p-v1');
}

const note = document('a.md', {
  text: TEXT,
  blocks: BLOCKS,
  title: 'Title',
  metadata: { aliases: ['alias'], tags: ['tag'], user: { a: 'x', b: [1, { c: 'y' }], d: true, e: null } },
});

describe('assembleChunks', () => {
  it('orders chunks by start, then by end', () => {
    const drafts = [
      { start: 17, end: 22 },
      { start: 0, end: 15 },
      { start: 0, end: 6 },
    ];
    const { chunks } = assembleChunks(note, drafts, labels);
    expect(chunks.map(({ ordinal, text }) => [ordinal, text])).toEqual([
      [0, '# 1. A'],
      [1, '# 1. A\n\none\ntwo'],
      [2, 'three'],
    ]);
  });

  it('gives each chunk its blocks, headings, label, lines and size', () => {
    const drafts = [
      { start: 0, end: 11 },
      { start: 12, end: 22 },
      { start: 24, end: 27 },
    ];
    const { chunks } = assembleChunks(note, drafts, labels);
    const ids = note.blocks.map(({ blockId }) => blockId);
    expect(chunks).toMatchObject([
      {
        blockIds: ids.slice(0, 2),
        headingPath: ['1. A'],
        sectionLabel: '§1 A',
        sourceSpans: [line(1, 3)],
        tokenEstimate: 4,
      },
      { blockIds: ids.slice(1, 3), headingPath: ['1. A'], sectionLabel: '§1 A', sourceSpans: [line(4, 6)] },
      { blockIds: ids.slice(3), headingPath: ['B'], sectionLabel: 'B', sourceSpans: [line(8, 8)] },
    ]);
  });

  it('numbers the policy hashes of chunks with the same blocks, and no others', () => {
    const drafts = [
      { start: 8, end: 11 },
      { start: 12, end: 15 },
      { start: 17, end: 22 },
    ];
    const { chunks } = assembleChunks(note, drafts, labels);
    const slots = [`${labels.policyHash}#0`, `${labels.policyHash}#1`, labels.policyHash];
    expect(chunks.map(({ chunkId }) => chunkId)).toEqual(
      mintChunkIds(
        { docId: note.docId, chunkerVersion: 'test-v1' },
        chunks.map(({ blockIds }, i) => ({ blockIds, policyHash: slots[i] ?? '' })),
      ),
    );
    expect(chunks.map(({ policyHash }) => policyHash)).toEqual(drafts.map(() => labels.policyHash));
  });

  it('gives a chunk that begins with an empty heading the headings above it', () => {
    const inTitle = ['Title'];
    const text = '# Title\n\n##\n\nwords\n';
    const empty = document('b.md', {
      text,
      blocks: [
        { kind: 'heading', level: 1, text: 'Title', start: 0, end: 7, headingPath: [], sourceSpan: line(1, 1) },
        { kind: 'heading', level: 2, text: '', start: 9, end: 11, headingPath: inTitle, sourceSpan: line(3, 3) },
        { kind: 'paragraph', start: 13, end: 18, headingPath: inTitle, sourceSpan: line(5, 5) },
      ],
    });
    const { chunks } = assembleChunks(empty, [{ start: 9, end: 18 }], labels);
    expect(chunks).toMatchObject([{ text: '##\n\nwords', headingPath: inTitle, sectionLabel: 'Title' }]);
  });

  it('prefers the headings, label and spans that a chunker states', () => {
    const draft = {
      start: 8,
      end: 15,
      headingPath: ['X'],
      sectionLabel: 'label',
      sourceSpans: [line(9, 9)],
      indexPrefix: 'before',
      symbol: 'sym',
    };
    const { chunks, material } = assembleChunks(note, [draft], labels);
    expect(chunks).toMatchObject([{ headingPath: ['X'], sectionLabel: 'label', sourceSpans: [line(9, 9)] }]);
    expect(material).toMatchObject([{ headingPath: ['X'], prefix: 'before', symbol: 'sym' }]);
  });

  it("indexes each chunk by title, headings, path and text, and the first also by the document's metadata", () => {
    const { material } = assembleChunks(
      note,
      [
        { start: 0, end: 15 },
        { start: 17, end: 22 },
      ],
      labels,
    );
    const common = { title: 'Title', headingPath: ['1. A'], workspacePath: 'a.md', symbol: null, prefix: null };
    expect(material).toEqual([
      { ...common, text: TEXT.slice(0, 15), extra: ['alias', 'tag', 'x', '1', 'y'] },
      { ...common, text: 'three', extra: [] },
    ]);
  });

  it('gives chunks of code a code span, and their symbol as label', () => {
    const blocks: BlockDraft[] = [
      {
        kind: 'code',
        lang: 'rust',
        symbol: 'f',
        start: 0,
        end: 7,
        headingPath: [],
        sourceSpan: { kind: 'code', line_start: 1, line_end: 1, symbol: 'f', lang: 'rust' },
      },
    ];
    const { chunks } = assembleChunks(
      document('a.rs', { text: 'fn f(){\n}\n', blocks }),
      [{ start: 0, end: 9, symbol: 'f' }],
      labels,
    );
    expect(chunks).toMatchObject([
      { sectionLabel: 'f', sourceSpans: [{ kind: 'code', line_start: 1, line_end: 2, symbol: 'f', lang: 'rust' }] },
    ]);
  });

  it('gives chunks of paged documents a span for each page they lie on', () => {
    const pages = [
      { page: 1, start: 0, end: 5 },
      { page: 2, start: 7, end: 7 },
      { page: 3, start: 9, end: 14 },
    ];
    const span = { kind: 'page', page: 1, char_start: 0, char_end: 5 } as const;
    const blocks = pages.map(({ start, end, page }): BlockDraft => ({
      kind: 'paragraph',
      start,
      end,
      headingPath: [],
      sourceSpan: { ...span, page },
    }));
    const paged = document('a.pdf', { text: 'first\n\n\n\nthird', blocks, pages });
    const { chunks } = assembleChunks(paged, [{ start: 2, end: 11 }], labels);
    expect(chunks[0]?.sourceSpans).toEqual([
      { kind: 'page', page: 1, char_start: 2, char_end: 5 },
      { kind: 'page', page: 2, char_start: 0, char_end: 0 },
      { kind: 'page', page: 3, char_start: 0, char_end: 2 },
    ]);
  });

  it('keeps the one empty chunk of an image without text', () => {
    const region = { kind: 'region', x: 0, y: 0, w: 2, h: 3 } as const;
    const image: BlockDraft = {
      kind: 'imageref',
      assetId: null,
      src: 'a.png',
      alt: '',
      ocr: null,
      caption: null,
      start: 0,
      end: 0,
      headingPath: [],
      sourceSpan: region,
    };
    const empty = document('a.png', { text: '', blocks: [image] });
    const { chunks } = assembleChunks(empty, [{ start: 0, end: 0 }], labels);
    expect(chunks).toMatchObject([
      { text: '', blockIds: [empty.blocks[0]?.blockId], sourceSpans: [region], tokenEstimate: 0 },
    ]);
  });
});

describe('sectionLabel', () => {
  it.each([
    ['14. Chunking policy', '§14 Chunking policy'],
    ['14 Chunking policy', '§14 Chunking policy'],
    ['3.2.1 Exit codes', '§3.2.1 Exit codes'],
    ['7) Traps', '§7 Traps'],
    ['§14 Chunking policy', '§14 Chunking policy'],
    ['Chunking policy', 'Chunking policy'],
    ['2024 in review', '2024 in review'],
    ['14', '14'],
    ['3D printing', '3D printing'],
    ['1장 시작', '1장 시작'],
  ])('shows %j as %j', (heading, label) => {
    expect(sectionLabel(['Part', heading])).toBe(label);
  });

  it('is null without headings', () => {
    expect(sectionLabel([])).toBeNull();
  });
});
