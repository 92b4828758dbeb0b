import { existsSync } from 'node:fs';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore, QuarantinedFile } from '../contracts/document-store.ts';
import { DEFAULT_SOURCE, sourceRoots } from '../documents/source-roots.ts';

/**
 * The files of the current sources that recent runs could not index. Files of sources that are no longer configured are left out,
 * because no ingest will read them.
 */
export async function failedFiles(
  store: Pick<DocumentStore, 'quarantined' | 'indexedRoots'>,
  config: ResolvedConfig,
): Promise<readonly QuarantinedFile[]> {
  const indexed = await store.indexedRoots();
  const sources = new Map(sourceRoots(config, indexed));
  const own = sources.get(DEFAULT_SOURCE);
  const isExpected = config.workspace.isRootSet === true || indexed.has(DEFAULT_SOURCE);
  if (own !== undefined && !isExpected && !existsSync(own.root)) sources.delete(DEFAULT_SOURCE);
  return (await store.quarantined()).filter(({ sourceId }) => sources.has(sourceId));
}
