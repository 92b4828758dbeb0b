import type { ResetScope, RunOptions } from '../app/app.ts';
import { runReset } from '../admin/run-reset.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
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
  const store = await existingStore(components);
  const writer = store === null ? null : await store.openWriter({ waitMs: LOCK_WAIT_MS, ...options });
  try {
    return await runReset(scope, resolution, {
      purgeOrphans: async () => {
        if (store === null || writer === null) return [];
        const { purgeOrphans } = await import('../ingest/purge-orphans.ts');
        return purgeOrphans({ components, config: resolution.config, log, store, writer }, options);
      },
      truncateEmbeddings: async () => 0,
      dropCollections: async () => {},
      close: async () => {
        writer?.close();
        await components.close();
      },
    });
  } finally {
    writer?.close();
  }
}

/** The store opened for writing, or null when there is no database yet: a reset does not make one. */
async function existingStore(components: UseCasesInit['components']): Promise<DocumentStore | null> {
  try {
    await components.first('document_store');
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return null;
    throw error;
  }
  return components.first('document_store', 'write');
}
