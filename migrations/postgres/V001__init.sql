-- The schema of a knowledge base on PostgreSQL: the tables of ../V001__init.sql, with a table of words in place of its full-text index, and
-- those that several machines need. It is applied in the schema of the knowledge base, which is the first of the search path. Texts compare
-- by code points, as everywhere in kebab.
CREATE TABLE schema_meta (key text COLLATE "C" PRIMARY KEY, value text NOT NULL);
CREATE TABLE migrations (
  id integer PRIMARY KEY, applied_at text NOT NULL, description text NOT NULL,
  checksum text NOT NULL);                                   -- blake3 of the file, so that an edited migration is noticed
CREATE TABLE kv (key text COLLATE "C" PRIMARY KEY, value text NOT NULL);
INSERT INTO kv VALUES ('corpus_revision', '0'), ('knowledge_base', replace(gen_random_uuid()::text, '-', ''));

-- Who has the lock of the writer, for messages; the lock itself is an advisory lock of the server.
CREATE TABLE writer (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  backend integer NOT NULL,                                  -- pg_backend_pid() of the connection that has the lock
  pid integer NOT NULL, host text NOT NULL, command text, since text NOT NULL);

-- The folder that each source was indexed from.
CREATE TABLE indexed_roots (source_id text COLLATE "C" PRIMARY KEY, root text NOT NULL);

CREATE TABLE assets (
  asset_id text COLLATE "C" PRIMARY KEY, source_uri text NOT NULL, workspace_path text COLLATE "C" NOT NULL,
  media_type text NOT NULL, byte_len bigint NOT NULL, checksum text NOT NULL,
  storage_kind text NOT NULL CHECK (storage_kind IN ('copied', 'reference')),
  storage_path text NOT NULL, discovered_at text NOT NULL);

CREATE TABLE documents (
  seq bigint PRIMARY KEY,                                    -- what the tables below refer to
  doc_id text COLLATE "C" NOT NULL UNIQUE,
  source_id text COLLATE "C" NOT NULL, workspace_path text COLLATE "C" NOT NULL,
  media text COLLATE "C" NOT NULL, media_subtype text COLLATE "C",
  lang text COLLATE "C" NOT NULL, source_type text COLLATE "C" NOT NULL,
  trust_level text COLLATE "C" NOT NULL CHECK (trust_level IN ('primary', 'secondary', 'generated')),
  repo text COLLATE "C", code_lang text COLLATE "C",
  committed_at text COLLATE "C" NOT NULL,                    -- this version was written
  indexed_at text COLLATE "C" NOT NULL,                      -- index last known to equal the source
  created_at text COLLATE "C" NOT NULL, updated_at text COLLATE "C" NOT NULL,
  document_date text COLLATE "C" NOT NULL,                   -- what filters by time compare
  asset_id text COLLATE "C" NOT NULL REFERENCES assets(asset_id) ON DELETE RESTRICT,
  title text COLLATE "C" NOT NULL, text_length bigint NOT NULL,
  first_chunk bigint NOT NULL, chunk_count integer NOT NULL,
  doc_version integer NOT NULL, schema_version integer NOT NULL,
  file_size bigint, file_mtime_ns bigint,
  parser_version text NOT NULL, chunker_version text NOT NULL, policy_hash text NOT NULL,
  parser_fingerprint text COLLATE "C" NOT NULL, chunker_fingerprint text COLLATE "C" NOT NULL,
  embedding_fingerprint text COLLATE "C", fallback_chunker text COLLATE "C",
  unread_json text NOT NULL DEFAULT '[]', has_secrets integer NOT NULL DEFAULT 0,
  pages_json text NOT NULL DEFAULT '[]', metadata_json text NOT NULL, provenance_json text NOT NULL);
CREATE UNIQUE INDEX documents_by_path ON documents(source_id, workspace_path);
CREATE INDEX documents_at_path ON documents(workspace_path);
CREATE INDEX documents_by_asset ON documents(asset_id);
CREATE INDEX documents_by_embedding ON documents(embedding_fingerprint);

CREATE TABLE document_texts (                                -- the one copy of the text, in segments
  doc_seq bigint NOT NULL REFERENCES documents(seq) ON DELETE CASCADE, start bigint NOT NULL, text text NOT NULL,
  PRIMARY KEY (doc_seq, start));
-- Each tag of a document without the leading #, and the tags above it: `work` and `work/search` for `#work/search`.
CREATE TABLE document_tags (
  doc_seq bigint NOT NULL REFERENCES documents(seq) ON DELETE CASCADE, tag text COLLATE "C" NOT NULL,
  PRIMARY KEY (doc_seq, tag));
CREATE INDEX document_tags_by_tag ON document_tags(tag);
CREATE TABLE document_blocks (                               -- all blocks of a document; ids are minted again when read
  doc_seq bigint PRIMARY KEY REFERENCES documents(seq) ON DELETE CASCADE, blocks_json text NOT NULL);

-- The chunks of a document have consecutive seqs from documents.first_chunk on, in order of their ordinals: a range takes the place of an
-- index. That is why the writer removes them, and not a reference.
CREATE TABLE chunks (
  seq bigint PRIMARY KEY, chunk_id text COLLATE "C" NOT NULL UNIQUE, doc_seq bigint NOT NULL, ordinal integer NOT NULL,
  text_start bigint NOT NULL, text_end bigint NOT NULL,      -- the slice; the text itself is in document_texts
  first_block integer NOT NULL, last_block integer NOT NULL, -- ordinals of the blocks it intersects; -1 for none
  token_estimate integer NOT NULL, heading_path_json text NOT NULL, section_label text,
  source_spans_json text NOT NULL, index_symbol text, index_prefix text);

-- The index of words: what SQLite's full-text index is to a knowledge base in a file. A word is a term of core's `postedTerms`: a token; two
-- words side by side, after a space; the first character of tokens without spaces, with * behind it; or a token of the names of a chunk, after
-- an exclamation mark. A row has the chunks with one word of 1024 consecutive ones, in order, each in six bytes, as three numbers of 16 bits
-- whose first byte is the lowest: its number in the block; how often it has the word, weighted by column, times 10, times 2, and 1 more for
-- source code; its length in tokens, or that of its names.
CREATE TABLE postings (
  word text COLLATE "C" NOT NULL, block integer NOT NULL, chunks bytea NOT NULL,
  PRIMARY KEY (word, block)) WITH (fillfactor = 80);         -- room for new chunks of the last block
ALTER TABLE postings ALTER COLUMN chunks SET STORAGE EXTERNAL; -- its length is read without its value

-- What the last look at a folder saw. A negative time is one that cannot be relied on.
CREATE TABLE seen_places (
  source_id text COLLATE "C" NOT NULL, path text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('directory', 'rules', 'file', 'left_out', 'other')),
  size bigint NOT NULL, mtime_ms double precision NOT NULL, PRIMARY KEY (source_id, path));
CREATE INDEX seen_places_newest ON seen_places(source_id, kind, mtime_ms);

-- Which vectors exist, and what was derived by models.
CREATE TABLE embedding_records (
  embedding_id text COLLATE "C" PRIMARY KEY, chunk_id text COLLATE "C" NOT NULL, -- no foreign key: a tombstone outlives its chunk
  model_id text COLLATE "C" NOT NULL, model_version text COLLATE "C" NOT NULL, dimensions integer NOT NULL,
  fingerprint text COLLATE "C" NOT NULL, store text NOT NULL, collection text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'committed', 'tombstone')),
  created_at text NOT NULL, committed_at text, UNIQUE (chunk_id, model_id, model_version, dimensions));
CREATE INDEX embedding_records_unsettled ON embedding_records(collection, status) WHERE status <> 'committed';
CREATE INDEX embedding_records_by_collection ON embedding_records(collection, status, embedding_id);
CREATE TABLE derivation_cache (
  cache_key text COLLATE "C" PRIMARY KEY, kind text NOT NULL CHECK (kind IN ('embedding', 'ocr', 'caption')),
  payload bytea NOT NULL, created_at text NOT NULL, last_used_at text COLLATE "C" NOT NULL);

-- Records of what was done, in order of recording: ingests and the files they could not take in, answers, evaluations.
CREATE TABLE ingest_runs (
  recorded bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id text COLLATE "C" NOT NULL UNIQUE, scope_json text NOT NULL, scanned integer NOT NULL, new_count integer NOT NULL,
  updated_count integer NOT NULL, unchanged_count integer NOT NULL, skipped_count integer NOT NULL,
  error_count integer NOT NULL, purged_count integer NOT NULL, embeddings_pending integer NOT NULL,
  aborted integer NOT NULL DEFAULT 0, duration_ms bigint NOT NULL,
  started_at text NOT NULL, finished_at text NOT NULL, items_json text);
CREATE TABLE quarantined_files (
  source_id text COLLATE "C" NOT NULL, workspace_path text COLLATE "C" NOT NULL, reason text NOT NULL, code text NOT NULL,
  agent text NOT NULL, attempts integer NOT NULL, last_failed_at text NOT NULL, PRIMARY KEY (source_id, workspace_path));
CREATE TABLE answers (
  recorded bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trace_id text COLLATE "C" NOT NULL UNIQUE, query text NOT NULL, answer text NOT NULL, grounded integer NOT NULL,
  refusal_reason text, model_id text NOT NULL, model_provider text NOT NULL,
  embedding_model_id text, embedding_dimensions integer, prompt_template_version text NOT NULL,
  retrieval_mode text NOT NULL, retrieval_k integer NOT NULL, score_gate double precision NOT NULL,
  top_score double precision NOT NULL, chunks_returned integer NOT NULL, chunks_used integer NOT NULL,
  citations_json text NOT NULL, packed_chunks_json text, answer_json text NOT NULL,
  prompt_tokens integer, completion_tokens integer, latency_ms bigint, created_at text COLLATE "C" NOT NULL);
CREATE INDEX answers_by_time ON answers(created_at);
CREATE TABLE eval_runs (
  recorded bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  run_id text COLLATE "C" PRIMARY KEY, suite text NOT NULL, config_snapshot_json text NOT NULL,
  aggregate_json text NOT NULL, commit_hash text, created_at text COLLATE "C" NOT NULL);
CREATE TABLE eval_query_results (
  recorded bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  run_id text COLLATE "C" NOT NULL REFERENCES eval_runs(run_id) ON DELETE CASCADE, query_id text COLLATE "C" NOT NULL,
  result_json text NOT NULL, PRIMARY KEY (run_id, query_id));

-- Conversations. Times are Unix seconds.
CREATE TABLE chat_sessions (
  session_id text COLLATE "C" PRIMARY KEY, created_at bigint NOT NULL, updated_at bigint NOT NULL,
  title text, config_snapshot_json text NOT NULL);
CREATE TABLE chat_turns (
  turn_id text COLLATE "C" PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL REFERENCES chat_sessions(session_id) ON DELETE CASCADE,
  turn_index integer NOT NULL, question text NOT NULL, answer text NOT NULL, citations_json text NOT NULL,
  items_json text NOT NULL DEFAULT '[]', created_at bigint NOT NULL, UNIQUE (session_id, turn_index));

-- How far each job of the queue is. The jobs themselves are those of pg-boss, in a schema beside that of the knowledge base.
CREATE TABLE job_progress (
  job_id uuid PRIMARY KEY,
  size integer NOT NULL, done integer NOT NULL DEFAULT 0,    -- in files
  attempts integer NOT NULL DEFAULT 0,
  renewed_at timestamptz);                                   -- when its worker was last heard of; null while no worker has it
