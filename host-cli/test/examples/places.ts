import type { Citation, CitationCheck } from '@kebab/core/app';

/** The home folder in these examples. */
export const home = '/home/ada';

export const chunkId = '9b4a8c1e0f2d3c4b5a69788796a5b4c3';
export const docId = '8547fe58cb42d593fd761d77242401db';
export const assetId = 'cec9353553efb238a7919d38d3e148f1';
export const time = '2026-03-01T09:30:00.125+09:00';

export const seen = { indexed_at: time, stale: false, freshness: 'fresh' } as const;

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

/** Its text is elsewhere now. */
export const moved: CitationCheck = {
  schema_version: 'citation_check.v1',
  uri: 'a.md#L1',
  status: 'moved',
  content_hash: '0f3c9a5d1b7e2468',
  found_uri: 'a.md#L2',
  freshness: 'changed',
};

/** Its text is nowhere. */
export const gone: CitationCheck = {
  schema_version: 'citation_check.v1',
  uri: 'gone.md#L1',
  status: 'gone',
  content_hash: null,
  found_uri: null,
  freshness: null,
};
