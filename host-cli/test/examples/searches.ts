import type { Citation, SearchHit, SearchResponse } from '@kebab/core/app';

export const chunkId = '9b4a8c1e0f2d3c4b5a69788796a5b4c3';
export const docId = '8547fe58cb42d593fd761d77242401db';
export const otherId = 'cec9353553efb238a7919d38d3e148f1';
export const time = '2026-03-01T09:30:00.000Z';

export const citation: Citation = {
  schema_version: 'citation.v1',
  kind: 'line',
  path: 'notes/kebab-architecture.md',
  uri: 'notes/kebab-architecture.md#L661-L672',
  content_hash: '0f3c9a5d1b7e2468',
  start: 661,
  end: 672,
  section: '§14 Chunking policy',
};

/** The hit of the documentation. */
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
  citation,
  retrieval: {
    method: 'hybrid',
    lexical_score: 12.4,
    vector_score: 0.78,
    fusion_score: 0.82,
    lexical_rank: 1,
    vector_rank: 2,
  },
  index_version: 'v1.0',
  embedding_model: 'multilingual-e5-small',
  chunker_version: 'md-heading-v1',
  trust_level: 'primary',
  source_type: 'note',
  indexed_at: time,
  stale: false,
  freshness: 'fresh',
};

/** A hit of a lexical search. */
export const lexicalHit: SearchHit = {
  ...hit,
  score: 12.4,
  score_kind: 'bm25',
  retrieval: {
    method: 'lexical',
    lexical_score: 12.4,
    vector_score: null,
    fusion_score: null,
    lexical_rank: 1,
    vector_rank: null,
  },
  embedding_model: null,
};

/** An answer with these hits. */
export function responseOf(hits: readonly SearchHit[], more: Partial<SearchResponse> = {}): SearchResponse {
  return {
    schema_version: 'search_response.v1',
    hits,
    next_cursor: null,
    truncated: false,
    mode: hits[0]?.retrieval.method ?? 'lexical',
    degraded: [],
    ...more,
  };
}
