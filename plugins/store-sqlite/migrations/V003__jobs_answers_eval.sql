-- Records of what was done: jobs, ingests and the files they could not take in, answers, evaluations.
CREATE TABLE jobs (
  job_id TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'canceled')),
  payload_json TEXT NOT NULL, progress_json TEXT, error_json TEXT,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, finished_at TEXT);
CREATE INDEX idx_jobs_status ON jobs(status);
CREATE INDEX idx_jobs_kind ON jobs(kind);

CREATE TABLE ingest_runs (
  run_id TEXT PRIMARY KEY NOT NULL, scope_json TEXT NOT NULL, scanned INTEGER NOT NULL, new_count INTEGER NOT NULL,
  updated_count INTEGER NOT NULL, unchanged_count INTEGER NOT NULL, skipped_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL, purged_count INTEGER NOT NULL, embeddings_pending INTEGER NOT NULL,
  aborted INTEGER NOT NULL DEFAULT 0, duration_ms INTEGER NOT NULL,
  started_at TEXT NOT NULL, finished_at TEXT NOT NULL, items_json TEXT);

CREATE TABLE quarantined_files (
  source_id TEXT NOT NULL, workspace_path TEXT NOT NULL, reason TEXT NOT NULL, code TEXT NOT NULL, agent TEXT NOT NULL,
  attempts INTEGER NOT NULL, last_failed_at TEXT NOT NULL, PRIMARY KEY (source_id, workspace_path)) WITHOUT ROWID;

CREATE TABLE answers (
  trace_id TEXT PRIMARY KEY NOT NULL, query TEXT NOT NULL, answer TEXT NOT NULL, grounded INTEGER NOT NULL,
  refusal_reason TEXT, model_id TEXT NOT NULL, model_provider TEXT NOT NULL,
  embedding_model_id TEXT, embedding_dimensions INTEGER, prompt_template_version TEXT NOT NULL,
  retrieval_mode TEXT NOT NULL, retrieval_k INTEGER NOT NULL, score_gate REAL NOT NULL, top_score REAL NOT NULL,
  chunks_returned INTEGER NOT NULL, chunks_used INTEGER NOT NULL,
  citations_json TEXT NOT NULL, packed_chunks_json TEXT, answer_json TEXT NOT NULL,
  prompt_tokens INTEGER, completion_tokens INTEGER, latency_ms INTEGER, created_at TEXT NOT NULL);
CREATE INDEX idx_answers_created_at ON answers(created_at);
CREATE INDEX idx_answers_grounded ON answers(grounded);

CREATE TABLE eval_runs (
  run_id TEXT PRIMARY KEY NOT NULL, suite TEXT NOT NULL, config_snapshot_json TEXT NOT NULL,
  aggregate_json TEXT NOT NULL, commit_hash TEXT, created_at TEXT NOT NULL);
CREATE TABLE eval_query_results (
  run_id TEXT NOT NULL REFERENCES eval_runs(run_id) ON DELETE CASCADE, query_id TEXT NOT NULL,
  result_json TEXT NOT NULL, PRIMARY KEY (run_id, query_id));
