import type { ChunkInspection, DocInspection, DocSummary, FetchResult } from '@kebab/core/app';
import { assetId, chunkId, docId, lineCitation, seen, time } from './places.ts';

const blockId = 'a1b2c3d4e5f6789012345678abcdef00';

export const chunk: ChunkInspection = {
  schema_version: 'chunk_inspection.v1',
  chunk_id: chunkId,
  doc_id: docId,
  doc_path: 'notes/kebab-architecture.md',
  ordinal: 1,
  text_start: 31,
  text_end: 62,
  heading_path: ['Architecture', '14 Chunking policy'],
  section_label: '§14 Chunking policy',
  text: 'Heading boundaries come first.\n',
  source_spans: [{ kind: 'line', start: 10, end: 20 }],
  citation: lineCitation,
  block_ids: [blockId],
  token_estimate: 11,
  chunker_version: 'md-heading-v1',
  policy_hash: '0123456789abcdef',
  embeddings: [{ model: 'multilingual-e5-small', dimensions: 384, embedding_id: assetId, status: 'pending' }],
};

export const summary: DocSummary = {
  schema_version: 'doc_summary.v1',
  doc_id: docId,
  doc_path: 'notes/kebab-architecture.md',
  source_id: 'default',
  media: 'markdown',
  title: 'Architecture',
  lang: 'en',
  tags: ['design', 'kebab'],
  trust_level: 'primary',
  source_type: 'note',
  byte_len: 30_934,
  chunk_count: 12,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: time,
  ...seen,
  parser_version: 'markdown-v1',
  chunker_version: 'md-heading-v1',
};

export const codeSummary: DocSummary = {
  ...summary,
  doc_id: assetId,
  doc_path: 'src/ingest.rs',
  source_id: 'work',
  media: 'code',
  title: 'ingest',
  lang: 'und',
  tags: [],
  source_type: 'code',
  chunk_count: 1,
  stale: true,
  freshness: 'changed',
  repo: 'kebab',
  code_lang: 'rust',
};

export const docInspection: DocInspection = {
  schema_version: 'doc_inspection.v1',
  summary,
  metadata: {
    aliases: ['layout'],
    tags: summary.tags,
    created_at: time,
    updated_at: time,
    source_type: 'note',
    trust_level: 'primary',
    user_id_alias: null,
    user: { rating: 5, links: ['a'] },
    repo: null,
    git_branch: 'main',
    git_commit: '0123456789ab',
    code_lang: null,
  },
  provenance: { events: [{ at: time, agent: 'markdown-v1', kind: 'parsed', note: null }] },
  doc_version: 2,
  blocks: [
    {
      block_id: blockId,
      kind: 'paragraph',
      ordinal: 0,
      heading_path: ['Architecture'],
      source_span: { kind: 'line', start: 3, end: 4 },
      text_start: 0,
      text_end: 30,
      payload: {},
    },
  ],
  pages: [{ page: 1, start: 0, end: 31 }],
  chunk_ids: [chunkId],
};

const fetched = {
  schema_version: 'fetch_result.v1',
  doc_id: docId,
  doc_path: 'notes/kebab-architecture.md',
  source_id: 'default',
  ...seen,
} as const;

export const fetchedChunk: FetchResult = {
  ...fetched,
  kind: 'chunk',
  truncated: false,
  chunk,
  context_before: [{ ...chunk, ordinal: 0, heading_path: [], section_label: null, text: 'Before.' }],
  context_after: [],
};

export const fetchedDoc: FetchResult = {
  ...fetched,
  kind: 'doc',
  truncated: true,
  stale: true,
  freshness: 'changed',
  text: '# Architecture\n\nfirst\tline',
  effective_end: 3,
  total_lines: 40,
};
