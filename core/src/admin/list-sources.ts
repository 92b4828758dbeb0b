import { existsSync } from 'node:fs';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { EXTERNAL, hasMoved, type IndexedRoots, type SourceRoot, sourceRoots } from '../documents/source-roots.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import type { SourceList } from '../wire/index.ts';

/** Lists every source, configured or indexed, with its documents; `external` once something was brought in by hand. */
export async function listSources({
  documents,
  config,
}: Pick<Ports, 'documents'> & { readonly config: ResolvedConfig }): Promise<SourceList> {
  const store = await openIndex(documents);
  const indexed: IndexedRoots = (await store?.indexedRoots()) ?? new Map();
  const roots = sourceRoots(config, indexed);
  const sources: SourceList['sources'][number][] = [];
  for (const source of roots.values()) {
    const known = [...((await store?.knownDocuments(source.id)) ?? new Map()).values()];
    if (source.id === EXTERNAL && known.length === 0) continue;
    const { id, root, connector, configured } = source;
    const last = Math.max(0, ...known.map(({ indexedAt }) => indexedAt.getTime()));
    sources.push({
      id,
      root,
      configured_root: configured,
      connector,
      documents: known.length,
      last_ingest_at: last === 0 ? null : new Date(last).toISOString(),
      state: stateOf(source, indexed),
    });
  }
  return { schema_version: 'source_list.v1', sources };
}

/** The index for reading; null before the first ingest. */
export async function openIndex(documents: Ports['documents']): Promise<DocumentStore | null> {
  try {
    return await documents.read();
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return null;
    throw error;
  }
}

function stateOf(source: SourceRoot, indexed: IndexedRoots): SourceList['sources'][number]['state'] {
  if (source.configured === null) return 'not_configured';
  if (source.connector === 'fs' && !existsSync(source.configured)) return 'missing';
  if (hasMoved(source)) return 'moved';
  return indexed.has(source.id) ? 'ready' : 'not_ingested';
}
