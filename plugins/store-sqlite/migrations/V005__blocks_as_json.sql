-- The blocks of a document as one JSON value. The runner of the migrations brings the function `blocks_of_tape`, which reads
-- what versions 1 to 4 kept: texts as JSON, and all else as a tape of numbers.
CREATE TABLE blocks_as_json (
  doc_seq INTEGER PRIMARY KEY REFERENCES documents(seq) ON DELETE CASCADE, blocks_json TEXT NOT NULL);
INSERT INTO blocks_as_json SELECT doc_seq, blocks_of_tape(values_json, tape) FROM document_blocks ORDER BY doc_seq;
DROP TABLE document_blocks;
ALTER TABLE blocks_as_json RENAME TO document_blocks;
