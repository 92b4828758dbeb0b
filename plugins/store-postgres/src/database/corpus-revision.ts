import { sql } from 'kysely';

/** The channel of the server on which changes of a revision are said; what is said is the schema of the knowledge base. */
export const REVISION_CHANNEL = 'kebab_revision';

/** Increments the corpus revision, inside of the transaction that changes what a search finds, and says so when it is committed. */
export const GROW_REVISION = sql`
  WITH grown AS (UPDATE kv SET value = (value::bigint + 1)::text WHERE key = 'corpus_revision' RETURNING key)
  SELECT pg_notify(${REVISION_CHANNEL}, current_schema()) FROM grown`;
