-- What a search asks before it ranks: which documents a filter lets through, which are source code, where words of grammar count less,
-- and how many lack vectors. An index answers, because a row of documents is some ten times as long. A folder is a range of paths.
CREATE INDEX idx_docs_filters ON documents(workspace_path, source_id, media, lang, source_type, trust_level, repo, code_lang,
  first_chunk, chunk_count);
CREATE INDEX idx_docs_embedding ON documents(embedding_fingerprint);
CREATE INDEX idx_docs_code ON documents(first_chunk, chunk_count) WHERE media = 'code';
-- How many tokens each row of the full-text index has, 2,048 rows a block, two bytes each, the lower first; 0 is a row that is not
-- recorded here, but in FTS5's own table, which has a row for each. Rows from before are not.
CREATE TABLE chunk_lengths (block INTEGER PRIMARY KEY, lengths BLOB NOT NULL);
