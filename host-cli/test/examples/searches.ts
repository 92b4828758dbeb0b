import type { Degraded, SearchHit, Trace } from '@kebab/core/app';
import { chunkId, docId, lineCitation, seen } from './places.ts';

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
