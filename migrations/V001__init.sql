-- The schema of a knowledge base: documents with their text, blocks and chunks, the full-text index over the chunks, the ledger of their
-- vectors, and the records of what was done.
CREATE TABLE schema_meta (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE migrations (
  id INTEGER PRIMARY KEY, applied_at TEXT NOT NULL, description TEXT NOT NULL,
  checksum TEXT NOT NULL);                                   -- blake3 of the file, so that an edited migration is noticed
CREATE TABLE kv (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO kv VALUES ('corpus_revision', '0'), ('full_text_rows', '0'), ('knowledge_base', lower(hex(randomblob(16))));

-- The folder that each source was indexed from.
CREATE TABLE indexed_roots (source_id TEXT PRIMARY KEY NOT NULL, root TEXT NOT NULL) WITHOUT ROWID;

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
  fallback_chunker TEXT,                                     -- the chunker that stood in for the planned one
  unread_json TEXT NOT NULL DEFAULT '[]',                    -- which readings of its pictures are still missing
  has_secrets INTEGER NOT NULL DEFAULT 0,
  pages_json TEXT NOT NULL DEFAULT '[]', metadata_json TEXT NOT NULL, provenance_json TEXT NOT NULL);
CREATE UNIQUE INDEX idx_docs_source_path ON documents(source_id, workspace_path);
CREATE INDEX idx_docs_asset ON documents(asset_id);
-- What a search asks before it ranks: which documents a filter lets through, which are source code, where words of grammar count less,
-- and how many lack vectors. An index answers, because a row of documents is some ten times as long. A folder is a range of paths.
CREATE INDEX idx_docs_filters ON documents(workspace_path, source_id, media, lang, source_type, trust_level, repo, code_lang,
  first_chunk, chunk_count);
CREATE INDEX idx_docs_embedding ON documents(embedding_fingerprint);
CREATE INDEX idx_docs_code ON documents(first_chunk, chunk_count) WHERE media = 'code';

CREATE TABLE document_texts (                                -- the one copy of the text, in segments
  doc_seq INTEGER NOT NULL REFERENCES documents(seq) ON DELETE CASCADE, start INTEGER NOT NULL, text TEXT NOT NULL,
  PRIMARY KEY (doc_seq, start));
CREATE TABLE document_tags (
  doc_seq INTEGER NOT NULL REFERENCES documents(seq) ON DELETE CASCADE, tag TEXT NOT NULL,
  PRIMARY KEY (doc_seq, tag)) WITHOUT ROWID;
CREATE TABLE document_blocks (                               -- all blocks of a document; ids are minted again when read
  doc_seq INTEGER PRIMARY KEY REFERENCES documents(seq) ON DELETE CASCADE, blocks_json TEXT NOT NULL);

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
  source_spans_json TEXT NOT NULL,
  index_symbol TEXT, index_prefix TEXT);                     -- what its full-text row was made from and is stored nowhere else
CREATE TRIGGER documents_bd BEFORE DELETE ON documents BEGIN
  DELETE FROM chunks WHERE seq >= old.first_chunk AND seq < old.first_chunk + old.chunk_count;
END;
-- rowid = chunks.seq; fed in the document's transaction. It keeps no texts: a row is deleted by FTS5's command `delete` with the texts it
-- was made from, analysed again, which is the form that subtracts it from the totals that ranking uses.
CREATE VIRTUAL TABLE chunks_fts USING fts5(text, heading, symbol, cjk, content = '',
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
-- A transaction of an ingest leaves one segment; 64 of a size become one. Small merges all the time would cost nearly twice as much.
INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('automerge', 0), ('crisismerge', 64), ('hashsize', 8388608);

-- What the last look at a folder saw: directories, ignore files and files with their sizes and times. What differs from it has changed
-- since. A negative time is one that cannot be relied on, because the place changed while it was looked at.
CREATE TABLE seen_places (
  source_id TEXT NOT NULL, path TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('directory','rules','file','left_out','other')),
  size INTEGER NOT NULL, mtime_ms REAL NOT NULL, PRIMARY KEY (source_id, path)) WITHOUT ROWID;
-- What a look compares first where a folder has more places than it can compare at once: directories, ignore files, and the files that
-- changed last. A save that is looked into reads the directories alone.
CREATE INDEX idx_seen_newest ON seen_places(source_id, kind, mtime_ms);

-- Which vectors exist, and what was derived by models.
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

-- Records of what was done: ingests and the files they could not take in, answers, evaluations.
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

-- Conversations. INTEGER times are Unix seconds.
CREATE TABLE chat_sessions (
  session_id TEXT PRIMARY KEY NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  title TEXT, config_snapshot_json TEXT NOT NULL) STRICT;
CREATE TABLE chat_turns (
  turn_id TEXT PRIMARY KEY NOT NULL, session_id TEXT NOT NULL REFERENCES chat_sessions(session_id) ON DELETE CASCADE,
  turn_index INTEGER NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL, citations_json TEXT NOT NULL,
  items_json TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL, UNIQUE (session_id, turn_index)) STRICT;
