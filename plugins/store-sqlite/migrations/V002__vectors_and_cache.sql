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
