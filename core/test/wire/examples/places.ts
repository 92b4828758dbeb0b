import type { SourceSpan } from '../../../src/domain/span.ts';
import type { Citation, CitationCheck, Freshness } from '../../../src/wire/index.ts';

/** The home folder in these examples. */
export const home = '/home/ada';

export const chunkId = '9b4a8c1e0f2d3c4b5a69788796a5b4c3';
export const docId = '8547fe58cb42d593fd761d77242401db';
export const assetId = 'cec9353553efb238a7919d38d3e148f1';
export const time = '2026-03-01T09:30:00.125+09:00';

export const seen = { indexed_at: time, stale: false, freshness: 'fresh' } as const satisfies {
  indexed_at: string;
  stale: boolean;
  freshness: Freshness;
};

const hash = { schema_version: 'citation.v1', content_hash: '0f3c9a5d1b7e2468' } as const;

export const lineCitation: Citation = {
  ...hash,
  kind: 'line',
  path: 'notes/kebab-architecture.md',
  uri: 'notes/kebab-architecture.md#L661-L672',
  start: 661,
  end: 672,
  section: '§14 Chunking policy',
};

export const citations: readonly Citation[] = [
  lineCitation,
  {
    ...lineCitation,
    path: 'notes/kebab #1.md',
    uri: 'notes/kebab %231.md#L661-L672',
    permalink: 'notes/kebab %231.md#L661-L672~0f3c9a5d',
    source_id: 'work',
    section: null,
  },
  { ...hash, kind: 'page', path: 'papers/book.pdf', uri: 'papers/book.pdf#p=23', page: 23, section: null },
  { ...hash, kind: 'region', path: 'a.png', uri: 'a.png#xywh=0,0,640,480', x: 0, y: 0, w: 640, h: 480 },
  { ...hash, kind: 'caption', path: 'a.png', uri: 'a.png#caption', model: 'moondream' },
  {
    ...hash,
    kind: 'anchor',
    path: 'book.xlsx',
    uri: 'book.xlsx#sheet=Q3&row=17-20',
    anchor: 'sheet=Q3&row=17-20',
    label: 'sheet "Q3", row 17–20',
    section: 'Q3',
  },
  {
    ...hash,
    kind: 'time',
    path: 'talk.m4a',
    uri: 'talk.m4a#t=00:00:00.000,00:00:09.000',
    start_ms: 0,
    end_ms: 9000,
    speaker: null,
  },
  {
    ...hash,
    kind: 'code',
    path: 'src/ingest.rs',
    uri: 'src/ingest.rs#L10-L42',
    line_start: 10,
    line_end: 42,
    symbol: 'ingest',
    lang: 'rust',
  },
];

export const citationChecks: readonly CitationCheck[] = [
  {
    schema_version: 'citation_check.v1',
    uri: 'a.md#L1',
    status: 'moved',
    content_hash: '0f3c9a5d1b7e2468',
    found_uri: 'a.md#L2',
    freshness: 'changed',
  },
  {
    schema_version: 'citation_check.v1',
    uri: 'gone.md#L1',
    status: 'gone',
    content_hash: null,
    found_uri: null,
    freshness: null,
  },
];

export const sourceSpans: readonly SourceSpan[] = [
  { kind: 'line', start: 10, end: 20 },
  { kind: 'byte', start: 0, end: 512 },
  { kind: 'page', page: 13, char_start: 0, char_end: 900 },
  { kind: 'page', page: 1, char_start: null, char_end: null },
  { kind: 'region', x: 0, y: 0, w: 640, h: 480 },
  { kind: 'time', start_ms: 0, end_ms: 9000 },
  { kind: 'code', line_start: 10, line_end: 42, symbol: 'Foo::bar', lang: 'rust' },
];
