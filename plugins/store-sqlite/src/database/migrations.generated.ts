// Generated from migrations/*.sql by scripts/embed-migrations.mjs; run it again after each change.
import type { Migration } from './migrate.ts';

/** Every migration, by version from 1 on. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    description: 'init',
    checksum: '203344b861bc17632e5de547433ae078f4779f6961f0f724cc6dfe250630eec9',
    sql: `-- Documents, their text, blocks and chunks, and the full-text index over the chunks.
CREATE TABLE schema_meta (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE migrations (
  id INTEGER PRIMARY KEY, applied_at TEXT NOT NULL, description TEXT NOT NULL,
  checksum TEXT NOT NULL);                                   -- blake3 of the file, so that an edited migration is noticed
CREATE TABLE kv (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO kv VALUES ('corpus_revision', '0');

CREATE TABLE assets (
  asset_id TEXT PRIMARY KEY NOT NULL, source_uri TEXT NOT NULL, workspace_path TEXT NOT NULL,  -- where first seen
  media_type TEXT NOT NULL, byte_len INTEGER NOT NULL, checksum TEXT NOT NULL,
  storage_kind TEXT NOT NULL CHECK (storage_kind IN ('copied', 'reference')),
  storage_path TEXT NOT NULL, discovered_at TEXT NOT NULL);

-- What filters read stands first: columns behind the JSON ones cost a walk through overflow pages.
CREATE TABLE documents (
  seq INTEGER PRIMARY KEY,                                   -- what the tables below refer to: 3 bytes instead of 32
  doc_id TEXT NOT NULL UNIQUE,
  source_id TEXT NOT NULL DEFAULT 'default', workspace_path TEXT NOT NULL,
  media TEXT NOT NULL, media_subtype TEXT,                   -- language of code, type of an image, extension of the rest
  lang TEXT NOT NULL, source_type TEXT NOT NULL,
  trust_level TEXT NOT NULL CHECK (trust_level IN ('primary', 'secondary', 'generated')),
  repo TEXT, code_lang TEXT,
  committed_at TEXT NOT NULL,                                -- this version was written
  indexed_at TEXT NOT NULL,                                  -- index last known to equal the source
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL,        -- of the content
  asset_id TEXT NOT NULL REFERENCES assets(asset_id) ON DELETE RESTRICT,
  title TEXT NOT NULL, text_length INTEGER NOT NULL,
  first_chunk INTEGER NOT NULL, chunk_count INTEGER NOT NULL,
  doc_version INTEGER NOT NULL, schema_version INTEGER NOT NULL,
  file_size INTEGER, file_mtime_ns INTEGER,
  parser_version TEXT NOT NULL, chunker_version TEXT NOT NULL, policy_hash TEXT NOT NULL,
  parser_fingerprint TEXT NOT NULL, chunker_fingerprint TEXT NOT NULL, embedding_fingerprint TEXT,
  pages_json TEXT NOT NULL DEFAULT '[]', metadata_json TEXT NOT NULL, provenance_json TEXT NOT NULL);
CREATE UNIQUE INDEX idx_docs_source_path ON documents(source_id, workspace_path);
CREATE INDEX idx_docs_asset ON documents(asset_id);

CREATE TABLE document_texts (                                -- the one copy of the text, in segments
  doc_seq INTEGER NOT NULL REFERENCES documents(seq) ON DELETE CASCADE, start INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (doc_seq, start));
CREATE TABLE document_tags (
  doc_seq INTEGER NOT NULL REFERENCES documents(seq) ON DELETE CASCADE, tag TEXT NOT NULL,
  PRIMARY KEY (doc_seq, tag)) WITHOUT ROWID;
CREATE TABLE document_blocks (                               -- all blocks of a document; ids are minted again when read
  doc_seq INTEGER PRIMARY KEY REFERENCES documents(seq) ON DELETE CASCADE,
  values_json TEXT NOT NULL, tape BLOB NOT NULL);

-- The chunks of a document have consecutive seqs from documents.first_chunk on, in order of their ordinals: a range takes
-- the place of an index. That is why they are removed by a trigger, and not by a reference.
CREATE TABLE chunks (
  seq INTEGER PRIMARY KEY,
  chunk_key BLOB NOT NULL UNIQUE, chunk_id TEXT GENERATED ALWAYS AS (lower(hex(chunk_key))) VIRTUAL,
  doc_seq INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  text_start INTEGER NOT NULL, text_end INTEGER NOT NULL,    -- the slice; the text itself is in document_texts
  first_block INTEGER NOT NULL, last_block INTEGER NOT NULL, -- ordinals of the blocks it intersects; -1 for none
  token_estimate INTEGER NOT NULL,
  heading_path_json TEXT NOT NULL,                           -- 0 in first place is the title of the document
  section_label TEXT,                                        -- NULL is the last heading
  source_spans_json TEXT NOT NULL);
CREATE TRIGGER documents_bd BEFORE DELETE ON documents BEGIN
  DELETE FROM chunks WHERE seq >= old.first_chunk AND seq < old.first_chunk + old.chunk_count;
END;
CREATE VIRTUAL TABLE chunks_fts USING fts5(text, heading, symbol, cjk, content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'");  -- rowid = chunks.seq; fed in the document's transaction
-- A transaction of an ingest leaves one segment; 64 of a size become one. Small merges all the time would cost nearly twice as much.
INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('hashsize', 8388608);
CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN DELETE FROM chunks_fts WHERE rowid = old.seq; END;
`,
  },
  {
    version: 2,
    description: 'vectors_and_cache',
    checksum: 'f6b1ea98c240bea45d87084cb8a40cd1c159d86ff4b13b9e4ede43ff3b19cbac',
    sql: `-- Which vectors exist, and what was derived by models.
CREATE TABLE embedding_records (
  embedding_id TEXT PRIMARY KEY NOT NULL, chunk_id TEXT NOT NULL,  -- no foreign key: a tombstone outlives its chunk
  model_id TEXT NOT NULL, model_version TEXT NOT NULL, dimensions INTEGER NOT NULL, fingerprint TEXT NOT NULL,
  store TEXT NOT NULL, collection TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'committed', 'tombstone')),
  created_at TEXT NOT NULL, committed_at TEXT, UNIQUE (chunk_id, model_id, model_version, dimensions));
CREATE INDEX idx_embed_status ON embedding_records(status, collection);
CREATE TRIGGER chunks_embed_ad AFTER DELETE ON chunks
BEGIN UPDATE embedding_records SET status = 'tombstone' WHERE chunk_id = old.chunk_id; END;

CREATE TABLE derivation_cache (
  cache_key TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('embedding', 'ocr', 'caption')),
  payload BLOB NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT NOT NULL);
`,
  },
  {
    version: 3,
    description: 'jobs_answers_eval',
    checksum: '41e1d11a82e62ef58620f38fb39f3e43107a01da637e21c54bbc1a3bb2eeb720',
    sql: `-- Records of what was done: jobs, ingests and the files they could not take in, answers, evaluations.
CREATE TABLE jobs (
  job_id TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'canceled')),
  payload_json TEXT NOT NULL, progress_json TEXT, error_json TEXT,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, finished_at TEXT);
CREATE INDEX idx_jobs_status ON jobs(status);
CREATE INDEX idx_jobs_kind ON jobs(kind);

CREATE TABLE ingest_runs (
  run_id TEXT PRIMARY KEY NOT NULL, scope_json TEXT NOT NULL, scanned INTEGER NOT NULL, new_count INTEGER NOT NULL,
  updated_count INTEGER NOT NULL, unchanged_count INTEGER NOT NULL, skipped_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL, purged_count INTEGER NOT NULL, embeddings_pending INTEGER NOT NULL,
  aborted INTEGER NOT NULL DEFAULT 0, duration_ms INTEGER NOT NULL,
  started_at TEXT NOT NULL, finished_at TEXT NOT NULL, items_json TEXT);

CREATE TABLE quarantined_files (
  source_id TEXT NOT NULL, workspace_path TEXT NOT NULL, reason TEXT NOT NULL, code TEXT NOT NULL, agent TEXT NOT NULL,
  attempts INTEGER NOT NULL, last_failed_at TEXT NOT NULL, PRIMARY KEY (source_id, workspace_path)) WITHOUT ROWID;

CREATE TABLE answers (
  trace_id TEXT PRIMARY KEY NOT NULL, query TEXT NOT NULL, answer TEXT NOT NULL, grounded INTEGER NOT NULL,
  refusal_reason TEXT, model_id TEXT NOT NULL, model_provider TEXT NOT NULL,
  embedding_model_id TEXT, embedding_dimensions INTEGER, prompt_template_version TEXT NOT NULL,
  retrieval_mode TEXT NOT NULL, retrieval_k INTEGER NOT NULL, score_gate REAL NOT NULL, top_score REAL NOT NULL,
  chunks_returned INTEGER NOT NULL, chunks_used INTEGER NOT NULL,
  citations_json TEXT NOT NULL, packed_chunks_json TEXT, answer_json TEXT NOT NULL,
  prompt_tokens INTEGER, completion_tokens INTEGER, latency_ms INTEGER, created_at TEXT NOT NULL);
CREATE INDEX idx_answers_created_at ON answers(created_at);
CREATE INDEX idx_answers_grounded ON answers(grounded);

CREATE TABLE eval_runs (
  run_id TEXT PRIMARY KEY NOT NULL, suite TEXT NOT NULL, config_snapshot_json TEXT NOT NULL,
  aggregate_json TEXT NOT NULL, commit_hash TEXT, created_at TEXT NOT NULL);
CREATE TABLE eval_query_results (
  run_id TEXT NOT NULL REFERENCES eval_runs(run_id) ON DELETE CASCADE, query_id TEXT NOT NULL,
  result_json TEXT NOT NULL, PRIMARY KEY (run_id, query_id));
`,
  },
  {
    version: 4,
    description: 'chat_sessions',
    checksum: '029d295ec46078777f4d4677a05c377b71e9f44a877f4a061996d19f6538e1b6',
    sql: `-- Conversations. INTEGER times are Unix seconds.
CREATE TABLE chat_sessions (
  session_id TEXT PRIMARY KEY NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  title TEXT, config_snapshot_json TEXT NOT NULL) STRICT;
CREATE TABLE chat_turns (
  turn_id TEXT PRIMARY KEY NOT NULL, session_id TEXT NOT NULL REFERENCES chat_sessions(session_id) ON DELETE CASCADE,
  turn_index INTEGER NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL, citations_json TEXT NOT NULL,
  items_json TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL, UNIQUE (session_id, turn_index)) STRICT;
`,
  },
];
