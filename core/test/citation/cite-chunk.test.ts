import { describe, expect, it } from 'vitest';
import type { DocumentRow, TextSlice } from '../../src/contracts/document-store.ts';
import { blake3Short } from '../../src/domain/blake3.ts';
import type { Block } from '../../src/domain/block.ts';
import type { BlockId } from '../../src/domain/ids.ts';
import type { SourceSpan } from '../../src/domain/span.ts';
import { citeChunk } from '../../src/citation/cite-chunk.ts';
import { sampleWrite } from '@kebab/testing';
import { CitationSchema } from '../../src/wire/citation.ts';
import { itemAt } from '../kb/item-at.ts';
import { rowOf } from '../../../testing/src/store-with.ts';

interface Cited {
  readonly path: string;
  readonly text: string;
  readonly range: readonly [number, number];
  readonly span?: SourceSpan;
  readonly blocks?: readonly Block[];
  readonly pages?: DocumentRow['pages'];
}

const cite = async ({ path, text, range: [start, end], span, blocks = [], pages = [] }: Cited): Promise<unknown> => {
  const write = sampleWrite(path, text, { cut: () => [{ start, end }] });
  const document = rowOf({ ...write, document: { ...write.document, pages } });
  const store = {
    readTexts: async (slices: readonly TextSlice[]) => slices.map((slice) => text.slice(slice.start, slice.end)),
    getBlocks: async () => new Map([[write.document.docId, blocks]]),
  };
  const chunk = {
    ...itemAt(write.chunks, 0),
    sectionLabel: '§1 Here',
    ...(span === undefined ? {} : { sourceSpans: [span] }),
  };
  return CitationSchema.parse(await citeChunk(store, { document, chunk }));
};

const image = (start: number, end: number, caption: string | null): Block => ({
  kind: 'imageref',
  assetId: null,
  src: '',
  alt: '',
  ocr: caption === null ? { joined: '', regions: [], engine: 'e', engineVersion: '1' } : null,
  caption: caption === null ? null : { text: '', model: caption, modelVersion: '1' },
  start,
  end,
  ordinal: 0,
  blockId: '' as BlockId,
  headingPath: [],
  sourceSpan: { kind: 'region', x: 0, y: 0, w: 9, h: 9 },
});

describe('citeChunk', () => {
  it('cites a chunk of a note by its lines', async () => {
    expect(await cite({ path: 'a#1.md', text: 'one\ntwo\nthree\n', range: [5, 10] })).toEqual({
      schema_version: 'citation.v1',
      kind: 'line',
      path: 'a#1.md',
      uri: 'a%231.md#L2-L3',
      permalink: `a%231.md#L2-L3~${blake3Short('two\nthree').slice(0, 8)}`,
      content_hash: blake3Short('two\nthree'),
      start: 2,
      end: 3,
      section: '§1 Here',
    });
  });

  it('cites code with its symbol and language', async () => {
    const span = { kind: 'code', line_start: 1, line_end: 2, symbol: 'A::b', lang: null } as const;
    expect(await cite({ path: 'a.rs', text: 'fn b() {\n}\n', range: [0, 10], span })).toMatchObject({
      kind: 'code',
      uri: 'a.rs#L1-L2',
      content_hash: blake3Short('fn b() {\n}'),
      line_start: 1,
      line_end: 2,
      symbol: 'A::b',
      lang: 'rust',
    });
  });

  it('cites a page with the hash of its whole text', async () => {
    const pages = [
      { page: 1, start: 0, end: 3 },
      { page: 2, start: 5, end: 13 },
    ];
    const span = { kind: 'page', page: 2, char_start: 0, char_end: 3 } as const;
    expect(await cite({ path: 'a.pdf', text: 'one\n\ntwo more', range: [5, 8], span, pages })).toMatchObject({
      kind: 'page',
      uri: 'a.pdf#p=2',
      content_hash: blake3Short('two more'),
      section: '§1 Here',
    });
  });

  it('cites a region with the hash of all text read in the image, and a caption separately', async () => {
    const blocks = [image(0, 3, null), image(5, 14, 'llava')];
    const span = { kind: 'region', x: 1, y: 2, w: 3, h: 4 } as const;
    const text = 'ocr\n\na caption';
    expect(await cite({ path: 'a.png', text, range: [0, 2], span, blocks })).toMatchObject({
      kind: 'region',
      uri: 'a.png#xywh=1,2,3,4',
      content_hash: blake3Short('ocr'),
    });
    expect(await cite({ path: 'a.png', text, range: [5, 14], span, blocks })).toMatchObject({
      kind: 'caption',
      uri: 'a.png#caption',
      content_hash: blake3Short('a caption'),
      model: 'llava',
    });
  });

  it('cites an image without any text', async () => {
    const span = { kind: 'region', x: 0, y: 0, w: 9, h: 9 } as const;
    expect(await cite({ path: 'a.png', text: '', range: [0, 0], span })).toMatchObject({
      content_hash: blake3Short(''),
    });
  });

  it('cites a time span', async () => {
    const span = { kind: 'time', start_ms: 0, end_ms: 9000 } as const;
    expect(await cite({ path: 'a.mp3', text: 'hello', range: [0, 5], span })).toMatchObject({
      kind: 'time',
      uri: 'a.mp3#t=00:00:00.000,00:00:09.000',
      start_ms: 0,
      end_ms: 9000,
      speaker: null,
    });
  });

  it('counts lines for spans without line numbers', async () => {
    const span = { kind: 'byte', start: 4, end: 7 } as const;
    expect(await cite({ path: 'a.xyz', text: 'one\ntwo\n', range: [4, 7], span })).toMatchObject({
      kind: 'line',
      uri: 'a.xyz#L2',
    });
  });
});
