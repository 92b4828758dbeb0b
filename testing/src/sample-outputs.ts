import type { Answer, IngestReport, SearchHit, SearchResponse } from '@kebab/core/app';

const TIME = '2026-03-01T09:30:00.125+09:00';
const CHUNK = '9b4a8c1e0f2d3c4b5a69788796a5b4c3';
const DOCUMENT = '8547fe58cb42d593fd761d77242401db';
const SEEN = { indexed_at: TIME, stale: false, freshness: 'fresh' } as const;

const citation: SearchHit['citation'] = {
  schema_version: 'citation.v1',
  kind: 'line',
  path: 'notes/coast.md',
  uri: 'notes/coast.md#L3-L4',
  content_hash: '0f3c9a5d1b7e2468',
  start: 3,
  end: 4,
  section: 'Lighthouses',
};

const hit: SearchHit = {
  schema_version: 'search_hit.v1',
  rank: 1,
  score: 0.82,
  score_kind: 'rrf',
  chunk_id: CHUNK,
  doc_id: DOCUMENT,
  doc_path: 'notes/coast.md',
  source_id: 'default',
  media: 'markdown',
  lang: 'en',
  heading_path: ['Coast', 'Lighthouses'],
  section_label: 'Lighthouses',
  snippet: 'The old lighthouse stands on the northern rock.',
  snippet_full_text: true,
  citation,
  retrieval: {
    method: 'lexical',
    lexical_score: 12.4,
    vector_score: null,
    fusion_score: null,
    lexical_rank: 1,
    vector_rank: null,
  },
  index_version: 'v1.2',
  embedding_model: null,
  chunker_version: 'md-heading-v1',
  trust_level: 'primary',
  source_type: 'note',
  ...SEEN,
};

const nothing: SearchResponse = {
  schema_version: 'search_response.v1',
  hits: [],
  next_cursor: null,
  truncated: false,
  mode: 'lexical',
  degraded: [{ stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' }],
};

/** Responses to searches: one without hits, one with a hit. */
export const RESPONSES: readonly SearchResponse[] = [nothing, { ...nothing, hits: [hit], degraded: [] }];

const answer: Answer = {
  schema_version: 'answer.v1',
  answer: 'It stands on the northern rock [1].',
  citations: [{ marker: '[1]', citation, score: 0.82, ...SEEN, quotes: [], verified: null }],
  grounded: true,
  refusal_reason: null,
  model: { id: 'qwen2.5:14b-instruct', provider: 'ollama' },
  embedding: null,
  prompt_template_version: 'rag-v2',
  retrieval: {
    trace_id: 'ret_0a1b2c3d',
    mode: 'lexical',
    k: 8,
    score_gate: 0.3,
    top_score: 0.82,
    chunks_returned: 8,
    chunks_used: 1,
  },
  usage: { prompt_tokens: 1184, completion_tokens: 12, latency_ms: 842 },
  created_at: TIME,
  conversation_id: null,
  turn_index: null,
  unsupported: [],
  alerts: [],
  degraded: [],
};

/** An answer with a citation, and a refusal without any. */
export const ANSWERS: readonly Answer[] = [
  answer,
  { ...answer, answer: '', citations: [], grounded: false, refusal_reason: 'no_chunks' },
];

/** The report of an ingest of one new file and one that failed. */
export const REPORTS: readonly IngestReport[] = [
  {
    schema_version: 'ingest_report.v1',
    run_id: 'run_018e5c3a0b7d',
    scope: { root: '/kb', include: ['**/*'], exclude: [], sources: [{ id: 'default', root: '/kb' }] },
    scanned: 2,
    new: 1,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    errors: 1,
    files: 2,
    unread: 0,
    purged: 0,
    purge_refused: [],
    embeddings_pending: 0,
    aborted: false,
    duration_ms: 1240,
    degraded: [],
    skipped_gitignore: 0,
    skipped_kebabignore: 0,
    skipped_builtin_blacklist: 0,
    skipped_excluded: 0,
    skipped_generated: 0,
    skipped_size_exceeded: 0,
    skipped_unfollowed_link: 0,
    skipped_secrets: 0,
    skipped_binary: 0,
    skipped_by_extension: {},
    skip_examples: {
      gitignore: [],
      kebabignore: [],
      builtin_blacklist: [],
      excluded: [],
      generated: [],
      size_exceeded: [],
      unfollowed_link: [],
      secrets: [],
      binary: [],
    },
    items: [
      {
        kind: 'new',
        doc_path: 'notes/coast.md',
        source_id: 'default',
        doc_id: DOCUMENT,
        asset_id: 'cec9353553efb238a7919d38d3e148f1',
        byte_len: 131,
        block_count: 4,
        chunk_count: 1,
        parser_version: 'markdown-v1',
        chunker_version: 'md-heading-v1',
        ocr_pages: null,
        warnings: [],
        error: null,
        error_code: null,
      },
      {
        kind: 'error',
        doc_path: 'papers/b.pdf',
        source_id: 'default',
        doc_id: null,
        asset_id: null,
        byte_len: null,
        block_count: null,
        chunk_count: null,
        parser_version: null,
        chunker_version: null,
        ocr_pages: null,
        warnings: [],
        error: 'it is encrypted',
        error_code: 'plugin_failed',
      },
    ],
  },
];
