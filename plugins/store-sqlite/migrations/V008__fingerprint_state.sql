-- What fingerprints said behind a mark gets columns of its own: "…+x ~secrets !caption+ocr" in parser_fingerprint, and the second of
-- the three parts of "planned > id > fingerprint" in chunker_fingerprint, which itself stays as it is.
ALTER TABLE documents ADD COLUMN fallback_chunker TEXT;
ALTER TABLE documents ADD COLUMN unread_json TEXT NOT NULL DEFAULT '[]';
ALTER TABLE documents ADD COLUMN has_secrets INTEGER NOT NULL DEFAULT 0;
UPDATE documents SET fallback_chunker = substr(chunker_fingerprint, instr(chunker_fingerprint, ' > ') + 3)
  WHERE instr(chunker_fingerprint, ' > ') > 0;
UPDATE documents SET fallback_chunker = substr(fallback_chunker, 1, instr(fallback_chunker, ' > ') - 1)
  WHERE instr(fallback_chunker, ' > ') > 0;
UPDATE documents SET
  unread_json = '["' || replace(substr(parser_fingerprint, instr(parser_fingerprint, ' !') + 2), '+', '","') || '"]',
  parser_fingerprint = substr(parser_fingerprint, 1, instr(parser_fingerprint, ' !') - 1)
  WHERE instr(parser_fingerprint, ' !') > 0;
UPDATE documents SET
  has_secrets = 1, parser_fingerprint = substr(parser_fingerprint, 1, instr(parser_fingerprint, ' ~secrets') - 1)
  WHERE instr(parser_fingerprint, ' ~secrets') > 0;
