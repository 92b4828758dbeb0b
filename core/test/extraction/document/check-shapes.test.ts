import { describe, expect, it } from 'vitest';
import {
  misshapenExtraction,
  misshapenPicture,
  misshapenSlices,
} from '../../../src/extraction/document/check-shapes.ts';

const paragraph = {
  kind: 'paragraph',
  start: 0,
  end: 4,
  headingPath: ['A'],
  sourceSpan: { kind: 'line', start: 1, end: 1 },
};
const ocr = {
  joined: 'a',
  regions: [{ bbox: [0, 0, 1, 1], text: 'a', confidence: 1 }],
  engine: 'e',
  engineVersion: '1',
};
const image = { ...paragraph, kind: 'imageref', assetId: null, src: 'a.png', alt: '', ocr, caption: null };
const whole = {
  text: 'text',
  blocks: [
    paragraph,
    { ...paragraph, kind: 'heading', level: 1, text: 'A' },
    { ...paragraph, kind: 'list', ordered: false, items: [{ start: 0, end: 4 }] },
    { ...paragraph, kind: 'code', lang: null, symbol: 'f' },
    image,
    { ...paragraph, kind: 'audioref', assetId: 'a', durationMs: 1 },
  ],
  pages: [{ page: 1, start: 0, end: 4 }],
  title: 'A',
  lang: 'en',
  metadata: { tags: ['a'], createdAt: new Date(0), trustLevel: 'primary', user: { a: [1, { b: null }] } },
  warnings: [{ kind: 'ocr_failed', note: 'page 1' }],
  pictures: [{ id: 'image', page: null, uses: ['ocr'] }],
  chunkerId: 'x-v1',
  parserVersion: 'x-v1',
};
const withBlock = (block: object): object => ({ blocks: [{ ...paragraph, ...block }] });
const withMeta = (metadata: unknown): object => ({ metadata });
const cycle: Record<string, unknown> = {};
cycle['me'] = cycle;

describe('misshapenExtraction', () => {
  it('accepts a document with all members, and one with only the required members', () => {
    expect(misshapenExtraction(whole)).toBe(null);
    expect(misshapenExtraction({ text: '', blocks: [] })).toBe(null);
    expect(misshapenExtraction({ text: '', blocks: [], title: null, metadata: { repo: null } })).toBe(null);
  });

  it.each([
    [{ text: 5 }, 'text is not a text'],
    [{ blocks: {} }, 'blocks is not a list'],
    [{ blocks: [null] }, 'blocks[0] is not an object'],
    [withBlock({ headingPath: 'abc' }), 'blocks[0].headingPath is not a list of texts'],
    [withBlock({ headingPath: [5, null] }), 'blocks[0].headingPath is not a list of texts'],
    [withBlock({ kind: 'wibble' }), 'blocks[0].kind is not one of heading, paragraph, list, code, table'],
    [withBlock({ sourceSpan: undefined }), 'blocks[0].sourceSpan is not an object'],
    [withBlock({ kind: 'heading', level: 7, text: 'A' }), 'blocks[0].level is not one of 1, 2'],
    [
      { blocks: [{ ...image, ocr: { ...ocr, regions: [{ ...ocr.regions[0], bbox: [Number.NaN] }] } }] },
      'bbox[0] is not',
    ],
    [{ pages: 'x' }, 'pages is not a list'],
    [{ title: 5 }, 'title is not a text'],
    [{ lang: 7 }, 'lang is not a text'],
    [{ parserVersion: 9 }, 'parserVersion is not a text'],
    [{ warnings: 'x' }, 'warnings is not a list'],
    [{ warnings: [5, null] }, 'warnings[0] is not an object'],
    [{ pictures: [{}] }, 'pictures[0].id is not a text'],
    [withMeta(5), 'metadata is not an object'],
    [withMeta({ createdAt: 'garbage' }), 'metadata.createdAt is not a date'],
    [withMeta({ createdAt: new Date(Number.NaN) }), 'metadata.createdAt is not a date'],
    [withMeta({ tags: [1] }), 'metadata.tags is not a list of texts'],
    [withMeta({ trustLevel: 'god' }), 'metadata.trustLevel is not one of primary, secondary, generated'],
    [withMeta({ user: cycle }), 'metadata.user is not an object of JSON values, in at most 100 levels'],
    [withMeta({ user: { at: new Date() } }), 'metadata.user is not an object of JSON values'],
    [withMeta({ user: { n: 1n } }), 'metadata.user is not an object of JSON values'],
  ])('describes what is wrong with %o', (changed, fault) => {
    expect(misshapenExtraction({ ...whole, ...changed })).toContain(fault);
  });

  it.each([undefined, null, 5, [], 'text'])('rejects %o, which is not a document', (answer) => {
    expect(misshapenExtraction(answer)).toBe('its answer is not a document');
  });
});

describe('misshapenSlices', () => {
  const slice = { start: 0, end: 4 };

  it.each([
    [[], null],
    [[slice, { ...slice, headingPath: ['A'], sectionLabel: 'A', sourceSpans: [], symbol: 'f' }], null],
    [undefined, 'its answer is not a list of chunks'],
    [[null], 'chunks[0] is not an object'],
    [[slice, { ...slice, sectionLabel: {} }], 'chunks[1].sectionLabel is not a text'],
    [[{ ...slice, symbol: {} }], 'chunks[0].symbol is not a text'],
    [[{ ...slice, sourceSpans: 'x' }], 'chunks[0].sourceSpans is not a list'],
    [[{ ...slice, headingPath: [5, null] }], 'chunks[0].headingPath is not a list of texts'],
  ])('checks the chunks %o', (answer, fault) => {
    expect(misshapenSlices(answer)).toBe(fault);
  });
});

describe('misshapenPicture', () => {
  it.each([
    [{ png: new Uint8Array(1), width: 1, height: 1 }, null],
    [null, 'its answer is not a picture'],
    [{ png: 'x', width: 1, height: 1 }, 'png is not a Uint8Array'],
    [{ png: new Uint8Array(1), width: 0, height: 1 }, 'width is not a whole number from 1'],
  ])('checks the picture %o', (answer, fault) => {
    expect(misshapenPicture(answer)).toBe(fault);
  });
});
