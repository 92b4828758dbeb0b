-- What a look compares first where a folder has more places than it can compare at once: directories, ignore files, and the files that
-- changed last. A save that is looked into reads the directories alone.
CREATE INDEX idx_seen_newest ON seen_places(source_id, kind, mtime_ms);
