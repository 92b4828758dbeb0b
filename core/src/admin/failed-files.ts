import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore, QuarantinedFile } from '../contracts/document-store.ts';
import { configuredSourceIds } from '../documents/source-roots.ts';

/**
 * The files of the current sources that recent runs could not index. Files of sources that are no longer configured are left out,
 * because no ingest will read them.
 */
export async function failedFiles(
  store: Pick<DocumentStore, 'quarantined' | 'indexedRoots'>,
  config: ResolvedConfig,
): Promise<readonly QuarantinedFile[]> {
  const sources = configuredSourceIds(config, await store.indexedRoots());
  return (await store.quarantined()).filter(({ sourceId }) => sources.has(sourceId));
}
