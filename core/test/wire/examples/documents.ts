import type {
  ChunkInspection,
  DocInspection,
  DocList,
  DocListBrief,
  GrepResult,
  DocSummary,
  SkippedFile,
  FetchResult,
} from '../../../src/wire/index.ts';
import { assetId, chunkId, docId, lineCitation, seen, sourceSpans, time } from './places.ts';

const blockId = 'a1b2c3d4e5f6789012345678abcdef00';

export const chunkInspection: ChunkInspection = {
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
  source_spans: sourceSpans,
  citation: lineCitation,
  block_ids: [blockId],
  token_estimate: 11,
  chunker_version: 'md-heading-v1',
  policy_hash: '0123456789abcdef',
  embeddings: [{ model: 'multilingual-e5-small', dimensions: 384, embedding_id: assetId, status: 'pending' }],
};

const summary: DocSummary = {
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

export const skippedFiles: readonly SkippedFile[] = [
  {
    schema_version: 'skipped_file.v1',
    source_id: 'default',
    doc_path: 'logs/kiln.log',
    reason: 'size_exceeded',
    why: 'it has 90000000 bytes, more than the 33554432 that indexing.extract_memory_mb allows',
    remedy: 'raise the limit: kebab config set indexing.extract_memory_mb N',
  },
];

export const docSummaries: readonly DocSummary[] = [
  summary,
  {
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
  },
];

export const grepResults: readonly GrepResult[] = [
  {
    schema_version: 'grep_result.v1',
    files: [
      {
        path: 'src/retry.ts',
        lines: [
          { line: 3, text: '// how often', is_context: true },
          { line: 4, text: 'export const LIMIT = 3;' },
          { line: 90, text: '…a LIMIT…', column: 2041 },
        ],
      },
    ],
    skipped: [{ path: '.env', why: 'it is hidden, or in a hidden folder' }],
    skipped_total: 1,
    is_skipped_partial: true,
    next_cursor: null,
  },
  { schema_version: 'grep_result.v1', files: [], next_cursor: 'eyJ2IjoxfQ' },
];

export const docListBriefs: readonly DocListBrief[] = [
  {
    schema_version: 'doc_list_brief.v1',
    folders: [
      { folder: '', files: ['readme.md'] },
      { folder: 'notes/', files: ['a.md', 'b.md'] },
    ],
    skipped: [{ path: 'data/big.ts', why: 'it has more lines than code.max_file_lines allows (5000)' }],
    skipped_total: 1,
    total: 3,
    next_cursor: null,
  },
  { schema_version: 'doc_list_brief.v1', folders: [], total: 0, next_cursor: 'eyJ2IjoxfQ' },
];
export const docLists: readonly DocList[] = [
  { schema_version: 'doc_list.v1', docs: docSummaries, total: 2, next_cursor: null },
  { schema_version: 'doc_list.v1', docs: [], total: 0, next_cursor: 'eyJ2IjoxfQ' },
];

export const docInspections: readonly DocInspection[] = [
  {
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
  },
];

const fetched = {
  schema_version: 'fetch_result.v1',
  doc_id: docId,
  doc_path: 'notes/kebab-architecture.md',
  source_id: 'default',
  ...seen,
} as const;

export const fetchResults: readonly FetchResult[] = [
  {
    ...fetched,
    kind: 'chunk',
    truncated: false,
    chunk: chunkInspection,
    context_before: [{ ...chunkInspection, ordinal: 0, heading_path: [], section_label: null, text: 'Before.' }],
    context_after: [],
  },
  {
    ...fetched,
    kind: 'doc',
    truncated: true,
    stale: true,
    freshness: 'changed',
    text: '# Architecture\n\nfirst\tline',
    effective_end: 3,
    total_lines: 40,
  },
  {
    ...fetched,
    kind: 'span',
    truncated: false,
    text: '',
    line_start: 1,
    line_end: 4,
    effective_end: 0,
    total_lines: 0,
    citation: null,
  },
  { ...fetched, kind: 'page', truncated: false, text: 'x', page: 23, total_pages: 40, citation: lineCitation },
  { ...fetched, kind: 'anchor', truncated: false, text: 'x', anchor: 'cell=12', citation: lineCitation },
];
