-- When the documents of a source were last found equal to their files, all of them at once: a run that finds nothing to do would write
-- every row of documents for that. The later of this and of its own indexed_at holds of a document.
CREATE TABLE equal_sources (source_id TEXT PRIMARY KEY NOT NULL, equal_at TEXT NOT NULL) WITHOUT ROWID;
-- Blocks of 2,032 lengths lie two to a page, those of 2,048 that were here before lay alone. The next writer records them again.
DELETE FROM chunk_lengths;
