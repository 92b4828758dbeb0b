-- What the last look at a folder saw: directories, ignore files and files with their sizes and times. What differs from it has changed
-- since. A negative time is one that cannot be relied on, because the place changed while it was looked at.
CREATE TABLE seen_places (
  source_id TEXT NOT NULL, path TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('directory','rules','file','left_out','other')),
  size INTEGER NOT NULL, mtime_ms REAL NOT NULL, PRIMARY KEY (source_id, path)) WITHOUT ROWID;
