-- What a knowledge base is: an id of its own, and the folder that each of its sources was indexed from. The roots of databases
-- from before are those of the last run that walked them.
INSERT INTO kv VALUES ('knowledge_base', lower(hex(randomblob(16))));
CREATE TABLE indexed_roots (source_id TEXT PRIMARY KEY NOT NULL, root TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO indexed_roots (source_id, root)
  SELECT source_id, root FROM (
    SELECT json_extract(source.value, '$.id') AS source_id, json_extract(source.value, '$.root') AS root,
      row_number() OVER (PARTITION BY json_extract(source.value, '$.id') ORDER BY run.finished_at DESC, run.run_id DESC) AS age
    FROM ingest_runs AS run, json_each(run.scope_json, '$.sources') AS source
    WHERE json_valid(run.scope_json))
  WHERE age = 1 AND source_id IN (SELECT source_id FROM documents) AND root IS NOT NULL;
