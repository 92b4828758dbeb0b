-- What a run saw that found all documents of a source equal to their files: one that sees the same need not compare them. Whatever
-- writes documents or places of a source, in whichever process, takes its mark away.
ALTER TABLE equal_sources ADD COLUMN mark TEXT;
CREATE TRIGGER documents_mark_ai AFTER INSERT ON documents BEGIN
  UPDATE equal_sources SET mark = NULL WHERE source_id = new.source_id AND mark IS NOT NULL;
END;
CREATE TRIGGER documents_mark_au AFTER UPDATE ON documents BEGIN
  UPDATE equal_sources SET mark = NULL WHERE source_id IN (old.source_id, new.source_id) AND mark IS NOT NULL;
END;
CREATE TRIGGER documents_mark_ad AFTER DELETE ON documents BEGIN
  UPDATE equal_sources SET mark = NULL WHERE source_id = old.source_id AND mark IS NOT NULL;
END;
CREATE TRIGGER seen_places_mark_ai AFTER INSERT ON seen_places BEGIN
  UPDATE equal_sources SET mark = NULL WHERE source_id = new.source_id AND mark IS NOT NULL;
END;
CREATE TRIGGER seen_places_mark_au AFTER UPDATE ON seen_places BEGIN
  UPDATE equal_sources SET mark = NULL WHERE source_id IN (old.source_id, new.source_id) AND mark IS NOT NULL;
END;
CREATE TRIGGER seen_places_mark_ad AFTER DELETE ON seen_places BEGIN
  UPDATE equal_sources SET mark = NULL WHERE source_id = old.source_id AND mark IS NOT NULL;
END;
