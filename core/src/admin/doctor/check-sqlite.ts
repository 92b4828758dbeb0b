import { basename } from 'node:path';
import { checkOf, failed, fine } from './outcome.ts';

/** Whether the database opens and is whole. */
export const checkSqlite = checkOf('sqlite_open', async ({ ports }) => {
  const store = await ports.documents.read();
  const problems = store.checkIntegrity();
  const detail = `${basename(store.location)} (schema v${store.schemaVersion})`;
  if (problems.length === 0) return fine(detail);
  return failed(
    `${detail}: ${problems.join('; ')}`,
    'rebuild the index: `kebab reset --data-only`, then `kebab ingest`',
  );
});
