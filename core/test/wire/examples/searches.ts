import type {
  BulkSearchBrief,
  BulkSearchInput,
  BulkSearchItem,
  BulkSearchResponse,
  Degraded,
  SearchBrief,
  SearchHit,
  SearchResponse,
  Trace,
} from '../../../src/wire/index.ts';
import { errorOf } from './errors.ts';
import { chunkId, citations, docId, lineCitation, seen } from './places.ts';

export const hit: SearchHit = {
  schema_version: 'search_hit.v1',
  rank: 1,
  score: 0.82,
  score_kind: 'rrf',
  chunk_id: chunkId,
  doc_id: docId,
  doc_path: 'notes/kebab-architecture.md',
  source_id: 'default',
  media: 'markdown',
  lang: 'en',
  heading_path: ['Architecture', '14 Chunking policy'],
  section_label: '§14 Chunking policy',
  snippet:
    'Heading boundaries come first. Code blocks are never cut in the middle. Tables stay in one chunk where possible…',
  snippet_full_text: false,
  citation: lineCitation,
  retrieval: {
    method: 'hybrid',
    lexical_score: 12.4,
    vector_score: 0.78,
    fusion_score: 0.82,
    lexical_rank: 1,
    vector_rank: 2,
  },
  index_version: 'v1.2',
  embedding_model: 'multilingual-e5-small',
  chunker_version: 'md-heading-v1',
  trust_level: 'primary',
  source_type: 'note',
  ...seen,
};

export const hits: readonly SearchHit[] = [
  hit,
  {
    ...hit,
    score_kind: 'rerank',
    media: 'code',
    source_type: 'code',
    citation: citations[6] ?? lineCitation,
    embedding_model: null,
    section_label: null,
    retrieval: {
      method: 'lexical',
      lexical_score: 3.1,
      vector_score: null,
      fusion_score: null,
      lexical_rank: 4,
      vector_rank: null,
      rerank_score: 0.9,
      rerank_rank: 1,
    },
    freshness: 'deleted',
    stale: true,
    repo: 'kebab',
    code_lang: 'rust',
    duplicates: 2,
    duplicate_paths: ['notes/copy.md'],
  },
  { ...hit, rank: 2, duplicate_of: chunkId },
];

export const degraded: Degraded = { stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' };

export const trace: Trace = {
  lexical: [{ chunk_id: chunkId, rank: 1, score: 12.4 }],
  vector: [{ chunk_id: chunkId, rank: 2, score: -0.1 }],
  rrf_inputs: [{ chunk_id: chunkId, lexical_rank: 1, vector_rank: null, holds_all_words: true, fusion_score: 0.5 }],
  fusion: {
    method: 'relevance',
    rrf_k: 60,
    weight_lexical: 1,
    weight_vector: 0.31,
    weight_all_words: 1.31,
    reason: 'evidence',
  },
  code: [{ chunk_id: chunkId, before: 3, rank: 1, fit: 1.2, factor: 2 }],
  rerank: [{ chunk_id: chunkId, rank: 1, score: 0.9 }],
  duplicates: [{ chunk_id: chunkId, of: chunkId }],
  query: { terms: ['markdown'], phrases: ['chunking rules'], excluded: [] },
  timing: { lexical_ms: 1.5, vector_ms: 0, fusion_ms: 0.02, rerank_ms: 0, total_ms: 2 },
};

const nothing: SearchResponse = {
  schema_version: 'search_response.v1',
  hits: [],
  next_cursor: null,
  truncated: false,
  mode: 'lexical',
  degraded: [degraded],
};

const nowhere = {
  target: 'notes/a.md#L10',
  outcome: 'not_indexed',
  reason: 'no document has the path',
  hint: 'kebab ingest',
  chunk_id: null,
  rank: null,
  lexical_rank: null,
  vector_rank: null,
  has_vector: null,
  filters: [],
} as const;

export const searchResponses: readonly SearchResponse[] = [
  nothing,
  { ...nothing, expect: nowhere },
  { ...nothing, hits, next_cursor: 'eyJ2IjoxfQ', truncated: true, mode: 'hybrid', degraded: [], trace },
];

export const bulkSearchInputs: readonly BulkSearchInput[] = [
  { query: 'x' },
  {
    query: '"chunking rules" -draft',
    mode: 'lexical',
    k: 100,
    max_tokens: 0,
    snippet_chars: 60,
    cursor: 'eyJ2IjoxfQ',
    explain: true,
    expect: 'notes/a.md#L10',
    tag: ['rust'],
    lang: ['ko'],
    path_glob: ['notes/**'],
    trust_min: 'secondary',
    media: ['md', 'code'],
    ingested_after: '2026-01-01T00:00:00Z',
    doc_id: [docId],
    repo: ['kebab'],
    code_lang: ['rust'],
    source: ['default'],
    source_type: ['inbox'],
  },
];

export const bulkSearchItems: readonly BulkSearchItem[] = [
  { schema_version: 'bulk_search_item.v1', query: { query: 'x' }, response: nothing, error: null },
  { schema_version: 'bulk_search_item.v1', query: null, response: null, error: errorOf('invalid_input') },
];

export const bulkSearchResponses: readonly BulkSearchResponse[] = [
  {
    schema_version: 'bulk_search_response.v1',
    results: bulkSearchItems,
    summary: { total: 2, succeeded: 1, failed: 1 },
  },
];

const briefNothing: SearchBrief = { schema_version: 'search_brief.v1', hits: [], next_cursor: null, mode: 'lexical' };

export const searchBriefs: readonly SearchBrief[] = [
  { ...briefNothing, degraded: [degraded], expect: nowhere },
  {
    ...briefNothing,
    hits: [
      { uri: 'notes/a.md#L1-L3', score: 0.0164, content_hash: '0123456789abcdef', snippet: 'Headings come first.' },
      {
        uri: 'work:src/chunk.ts#L10-L20',
        section: 'chunk',
        score: 0.0161,
        relevance: 0.5,
        content_hash: 'fedcba9876543210',
        snippet: 'function chunk()',
        freshness: 'changed',
      },
    ],
    next_cursor: 'eyJ2IjoxfQ',
    truncated: true,
    trace,
  },
];

export const bulkSearchBriefs: readonly BulkSearchBrief[] = [
  {
    schema_version: 'bulk_search_brief.v1',
    results: [
      { query: 'x', response: briefNothing },
      { query: null, error: errorOf('invalid_input') },
    ],
    summary: { total: 2, succeeded: 1, failed: 1 },
  },
];
