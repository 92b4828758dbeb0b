import type { ResetScope, RunOptions } from '../app/app.ts';
import { runReset } from '../admin/run-reset.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ResetReport } from '../wire/index.ts';
import type { UseCasesInit } from './use-cases.ts';

/** How long a reset waits for another writer. */
const LOCK_WAIT_MS = 1000;

/**
 * Removes what kebab made, holding the writer's lock while it does, so that no ingest writes into what is going away.
 * Throws `locked` when another process writes.
 */
export async function performReset(
  { components, resolution, log }: UseCasesInit,
  scope: ResetScope,
  options: RunOptions = {},
): Promise<ResetReport> {
  const opened = await openedForWriting(components, scope, options);
  const store = opened?.store ?? null;
  const writer = opened?.writer ?? null;
  try {
    return await runReset(scope, resolution, {
      purgeOrphans: async () => {
        if (store === null || writer === null) return [];
        const { purgeOrphans } = await import('../ingest/purge-orphans.ts');
        return purgeOrphans({ components, config: resolution.config, log, store, writer }, options);
      },
      truncateEmbeddings: async () => {
        if (store === null || writer === null) return 0;
        const { forgetVectors } = await import('../admin/forget-vectors.ts');
        return forgetVectors(store, writer);
      },
      dropCollections: async () => {
        const { dropCollections } = await import('../admin/forget-vectors.ts');
        await dropCollections({ components, config: resolution.config, hasDatabase: store !== null }, options);
      },
      close: async () => {
        writer?.close();
        await components.release();
      },
    });
  } finally {
    writer?.close();
  }
}

/** The store with the writer's lock, or null without a database that can be opened: a reset neither makes nor mends one. */
async function openedForWriting(
  components: UseCasesInit['components'],
  scope: ResetScope,
  options: RunOptions,
): Promise<{ readonly store: DocumentStore; readonly writer: DocumentWriter } | null> {
  try {
    await components.first('document_store');
    const store = await components.first('document_store', 'write');
    return { store, writer: await store.openWriter({ waitMs: LOCK_WAIT_MS, ...options }) };
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return null;
    if (removesDatabase(scope) && isDamaged(error)) return null;
    throw error;
  }
}

function removesDatabase(scope: ResetScope): boolean {
  return scope === 'data_only' || scope === 'all';
}

/** Whether what was thrown says that the database is beyond use; removing it is the remedy. */
function isDamaged(error: unknown): boolean {
  return isKebabError(error, 'io_error') && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.details.kind);
}
