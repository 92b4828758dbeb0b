-- How far each job of the queue is. The jobs themselves are those of pg-boss, in a schema beside that of the knowledge base.
CREATE TABLE job_progress (
  job_id uuid PRIMARY KEY,
  size integer NOT NULL, done integer NOT NULL DEFAULT 0,    -- in files
  attempts integer NOT NULL DEFAULT 0,
  renewed_at timestamptz);                                   -- when its worker was last heard of; null while no worker has it
