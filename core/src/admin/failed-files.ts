import { existsSync } from 'node:fs';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore, QuarantinedFile } from '../contracts/document-store.ts';
import { DEFAULT_SOURCE, sourceRoots } from '../documents/source-roots.ts';

/**
 * The files that the last runs could not take in, of the sources that there are: what is remembered of one that the configuration
 * no longer names concerns no ingest.
 */
export async function failedFiles(
  store: Pick<DocumentStore, 'quarantined' | 'indexedRoots'>,
  config: ResolvedConfig,
): Promise<readonly QuarantinedFile[]> {
  const indexed = await store.indexedRoots();
  const sources = new Map(sourceRoots(config, indexed));
  const own = sources.get(DEFAULT_SOURCE);
  const isMade = config.workspace.isRootSet === true || indexed.has(DEFAULT_SOURCE);
  if (own !== undefined && !isMade && !existsSync(own.root)) sources.delete(DEFAULT_SOURCE);
  return (await store.quarantined()).filter(({ sourceId }) => sources.has(sourceId));
}
