-- Whether a document equals its file is recorded with the document alone.
DROP TRIGGER documents_mark_ai;
DROP TRIGGER documents_mark_au;
DROP TRIGGER documents_mark_ad;
DROP TRIGGER seen_places_mark_ai;
DROP TRIGGER seen_places_mark_au;
DROP TRIGGER seen_places_mark_ad;
UPDATE documents SET indexed_at = max(indexed_at,
  coalesce((SELECT equal_at FROM equal_sources WHERE equal_sources.source_id = documents.source_id), ''));
DROP TABLE equal_sources;
