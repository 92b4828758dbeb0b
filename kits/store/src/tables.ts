import type { ColumnType, Generated, GeneratedAlways, Insertable } from 'kysely';

/**
 * The type of a column: `?` may be NULL, `=` has a default, `generated` is computed from other columns, `key` is assigned by the database unless the row has one, `bigint` is an integer
 * beyond 2^53 that is written as bigint and read as text.
 */
export type ColumnKind =
  | 'key'
  | 'text'
  | 'text='
  | 'text?'
  | 'text generated'
  | 'integer'
  | 'integer='
  | 'integer?'
  | 'bigint?'
  | 'real'
  | 'blob';

/** The tables and columns that every store has, in the order of their columns; a store adds what it needs besides. */
export const TABLES = {
  schema_meta: { key: 'text', value: 'text' },
  migrations: { id: 'key', applied_at: 'text', description: 'text', checksum: 'text' },
  kv: { key: 'text', value: 'text' },
  assets: {
    asset_id: 'text',
    source_uri: 'text',
    workspace_path: 'text',
    media_type: 'text',
    byte_len: 'integer',
    checksum: 'text',
    storage_kind: 'text',
    storage_path: 'text',
    discovered_at: 'text',
  },
  documents: {
    seq: 'key',
    doc_id: 'text',
    source_id: 'text=',
    workspace_path: 'text',
    media: 'text',
    media_subtype: 'text?',
    lang: 'text',
    source_type: 'text',
    trust_level: 'text',
    repo: 'text?',
    code_lang: 'text?',
    committed_at: 'text',
    indexed_at: 'text',
    created_at: 'text',
    updated_at: 'text',
    asset_id: 'text',
    title: 'text',
    text_length: 'integer',
    first_chunk: 'integer',
    chunk_count: 'integer',
    doc_version: 'integer',
    schema_version: 'integer',
    file_size: 'integer?',
    file_mtime_ns: 'bigint?',
    parser_version: 'text',
    chunker_version: 'text',
    policy_hash: 'text',
    parser_fingerprint: 'text',
    chunker_fingerprint: 'text',
    embedding_fingerprint: 'text?',
    fallback_chunker: 'text?',
    unread_json: 'text=',
    has_secrets: 'integer=',
    pages_json: 'text=',
    metadata_json: 'text',
    provenance_json: 'text',
  },
  document_texts: { doc_seq: 'integer', start: 'integer', text: 'text' },
  document_tags: { doc_seq: 'integer', tag: 'text' },
  document_blocks: { doc_seq: 'key', blocks_json: 'text' },
  chunks: {
    seq: 'key',
    chunk_id: 'text',
    doc_seq: 'integer',
    ordinal: 'integer',
    text_start: 'integer',
    text_end: 'integer',
    first_block: 'integer',
    last_block: 'integer',
    token_estimate: 'integer',
    heading_path_json: 'text',
    section_label: 'text?',
    source_spans_json: 'text',
    index_symbol: 'text?',
    index_prefix: 'text?',
  },
  embedding_records: {
    embedding_id: 'text',
    chunk_id: 'text',
    model_id: 'text',
    model_version: 'text',
    dimensions: 'integer',
    fingerprint: 'text',
    store: 'text',
    collection: 'text',
    status: 'text',
    created_at: 'text',
    committed_at: 'text?',
  },
  derivation_cache: { cache_key: 'text', kind: 'text', payload: 'blob', created_at: 'text', last_used_at: 'text' },
  ingest_runs: {
    run_id: 'text',
    scope_json: 'text',
    scanned: 'integer',
    new_count: 'integer',
    updated_count: 'integer',
    unchanged_count: 'integer',
    skipped_count: 'integer',
    error_count: 'integer',
    purged_count: 'integer',
    embeddings_pending: 'integer',
    aborted: 'integer=',
    duration_ms: 'integer',
    started_at: 'text',
    finished_at: 'text',
    items_json: 'text?',
  },
  quarantined_files: {
    source_id: 'text',
    workspace_path: 'text',
    reason: 'text',
    code: 'text',
    agent: 'text',
    attempts: 'integer',
    last_failed_at: 'text',
  },
  answers: {
    trace_id: 'text',
    query: 'text',
    answer: 'text',
    grounded: 'integer',
    refusal_reason: 'text?',
    model_id: 'text',
    model_provider: 'text',
    embedding_model_id: 'text?',
    embedding_dimensions: 'integer?',
    prompt_template_version: 'text',
    retrieval_mode: 'text',
    retrieval_k: 'integer',
    score_gate: 'real',
    top_score: 'real',
    chunks_returned: 'integer',
    chunks_used: 'integer',
    citations_json: 'text',
    packed_chunks_json: 'text?',
    answer_json: 'text',
    prompt_tokens: 'integer?',
    completion_tokens: 'integer?',
    latency_ms: 'integer?',
    created_at: 'text',
  },
  eval_runs: {
    run_id: 'text',
    suite: 'text',
    config_snapshot_json: 'text',
    aggregate_json: 'text',
    commit_hash: 'text?',
    created_at: 'text',
  },
  eval_query_results: { run_id: 'text', query_id: 'text', result_json: 'text' },
  indexed_roots: { source_id: 'text', root: 'text' },
  seen_places: { source_id: 'text', path: 'text', kind: 'text', size: 'integer', mtime_ms: 'real' },
  chat_sessions: {
    session_id: 'text',
    created_at: 'integer',
    updated_at: 'integer',
    title: 'text?',
    config_snapshot_json: 'text',
  },
  chat_turns: {
    turn_id: 'text',
    session_id: 'text',
    turn_index: 'integer',
    question: 'text',
    answer: 'text',
    citations_json: 'text',
    items_json: 'text=',
    created_at: 'integer',
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

interface ColumnTypes {
  readonly key: Generated<number>;
  readonly text: string;
  readonly 'text=': Generated<string>;
  readonly 'text?': string | null;
  readonly 'text generated': GeneratedAlways<string>;
  readonly integer: number;
  readonly 'integer=': Generated<number>;
  readonly 'integer?': number | null;
  readonly 'bigint?': ColumnType<string | null, bigint | null, bigint | null>;
  readonly real: number;
  readonly blob: Uint8Array;
}

/** The type of a table for Kysely, from its columns. */
export type Table<Columns extends Readonly<Record<string, ColumnKind>>> = {
  [C in keyof Columns]: ColumnTypes[Columns[C]];
};

/** The tables of {@link TABLES} for Kysely. */
export type Tables = { [T in keyof typeof TABLES]: Table<(typeof TABLES)[T]> };

/** A row read from a table. */
export type Row<T extends keyof Tables> = {
  readonly [C in keyof Tables[T]]: Tables[T][C] extends ColumnType<infer Select, infer _Insert, infer _Update>
    ? Select
    : Tables[T][C];
};

/** A row to insert into a table. */
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>;
