import path from 'node:path';
import type { DocumentStore } from '../contracts/document-store.ts';
import { mediaTypeOfFile } from '../domain/media.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { Ports } from '../ports.ts';

/** Documents and vectors of removed plugins. They are still found and cited, but never updated. */
export interface Orphans {
  /** Paths of documents that no active extractor reads, sorted. */
  readonly documents: readonly string[];
  /** Collections of vectors that no active embedder created. */
  readonly collections: readonly string[];
}

/**
 * Finds what no active plugin would create. Nothing is an orphan while an extractor cannot be loaded: it may be the one that reads the
 * documents.
 */
export async function findOrphans(
  store: DocumentStore,
  { extractors, embedders }: Pick<Ports, 'extractors' | 'embedders'>,
): Promise<Orphans> {
  const collections = await store.vectors.collections();
  const ids = embedders.names().map(({ id }) => id);
  return {
    documents: await unreadDocuments(store, extractors),
    collections: collections
      .filter(({ fingerprint }) => !ids.some((id) => fingerprint.includes(id)))
      .map(({ collection }) => collection),
  };
}

async function unreadDocuments(store: DocumentStore, extractors: Ports['extractors']): Promise<readonly string[]> {
  const active = await extractors.all();
  if (active.length < extractors.names().length) return [];
  // The media type of these documents may have been determined by their first bytes.
  const others = [...(await store.documentIds({ media: ['other'] }))] as readonly DocumentId[];
  const rows = others.length === 0 ? [] : await store.getDocuments(others);
  return rows
    .map(({ workspacePath }) => workspacePath)
    .filter((file) => {
      const media = mediaTypeOfFile(path.posix.basename(file), new Uint8Array());
      return !active.some((extractor) => extractor.supports(media));
    })
    .toSorted();
}

/** Describes orphans, with the commands that help; null when there are none. */
export function describeOrphans({ documents, collections }: Orphans): { what: string; remedy: string } | null {
  const read = documents.length === 1 ? '1 document has no plugin' : `${documents.length} documents have no plugin`;
  const embedded = collections.length === 1 ? '1 set of vectors has' : `${collections.length} sets of vectors have`;
  const what = [
    ...(documents.length === 0 ? [] : [`${read} that reads them any more (${shown(documents)})`]),
    ...(collections.length === 0 ? [] : [`${embedded} no plugin that embeds queries for them any more`]),
  ];
  if (what.length === 0) return null;
  return {
    what: what.join('; '),
    remedy: 'install the plugin again, or remove what it left with `kebab reset --orphans-only`',
  };
}

const MAX_SHOWN = 3;

function shown(paths: readonly string[]): string {
  const rest = paths.length - MAX_SHOWN;
  return [...paths.slice(0, MAX_SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
