-- Conversations. INTEGER times are Unix seconds.
CREATE TABLE chat_sessions (
  session_id TEXT PRIMARY KEY NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  title TEXT, config_snapshot_json TEXT NOT NULL) STRICT;
CREATE TABLE chat_turns (
  turn_id TEXT PRIMARY KEY NOT NULL, session_id TEXT NOT NULL REFERENCES chat_sessions(session_id) ON DELETE CASCADE,
  turn_index INTEGER NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL, citations_json TEXT NOT NULL,
  items_json TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL, UNIQUE (session_id, turn_index)) STRICT;
