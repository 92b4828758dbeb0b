-- Documents, their text, blocks and chunks, and the full-text index over the chunks.
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
