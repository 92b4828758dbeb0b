import type { ResetScope } from '../admin/plan-reset.ts';
import { runReset } from '../admin/run-reset.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import { openWriter } from '../documents/open-store.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ResetReport } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

/** The ports of a reset. */
type ResetPorts = Pick<
  AppPorts,
  | 'documents'
  | 'lexicalIndex'
  | 'connectors'
  | 'extractors'
  | 'chunkers'
  | 'embedders'
  | 'vectorStores'
  | 'config'
  | 'log'
  | 'resolution'
  | 'release'
>;

/**
 * Removes what kebab made, holding the writer's lock while it does, so that no ingest writes into what is going away.
 * Throws `locked` when another process writes.
 */
export async function performReset(
  ports: ResetPorts,
  scope: ResetScope,
  options: AbortOptions = {},
): Promise<ResetReport> {
  const { location, store, writer } = await openForWriting(ports.documents, scope, options);
  try {
    return await runReset(scope, ports.resolution, {
      opened: location,
      purgeOrphans: async () => {
        if (store === null || writer === null) return [];
        const { purgeOrphans } = await import('../ingest/purge.ts');
        const purged = await purgeOrphans({ ...ports, store, writer }, options);
        const { findOrphans } = await import('../documents/orphans.ts');
        const { dropOrphans } = await import('../admin/forget-vectors.ts');
        await dropOrphans((await findOrphans(store, ports)).collections, writer, ports, options);
        return purged;
      },
      truncateEmbeddings: async () => {
        if (store === null || writer === null) return 0;
        const { forgetVectors } = await import('../admin/forget-vectors.ts');
        return forgetVectors(store, writer);
      },
      dropCollections: async () => {
        const { dropCollections } = await import('../admin/forget-vectors.ts');
        await dropCollections(ports, { ...options, hasDatabase: store !== null });
      },
      close: async () => {
        writer?.close();
        await ports.release();
      },
    });
  } finally {
    writer?.close();
  }
}

/** The store with the writer's lock. */
interface Opened {
  /** Where the database lies, as soon as it could be opened at all. */
  readonly location: string | null;
  readonly store: DocumentStore | null;
  readonly writer: DocumentWriter | null;
}

/**
 * Opens what a scope needs of the database, or nothing of one that is missing or damaged: a reset neither makes nor repairs
 * it. Throws `io_error` for the database of another program.
 */
async function openForWriting(
  documents: AppPorts['documents'],
  scope: ResetScope,
  options: AbortOptions,
): Promise<Opened> {
  let location: string | null = null;
  if (scope === 'config_only') return { location, store: null, writer: null };
  try {
    location = (await documents.read()).location;
    const store = await documents.write();
    return { location, store, writer: await openWriter(store, options) };
  } catch (error) {
    const isBeyondUse = isKebabError(error, 'not_indexed') || (removesDatabase(scope) && isDamaged(error));
    if (!isBeyondUse) throw error;
    return { location, store: null, writer: null };
  }
}

function removesDatabase(scope: ResetScope): boolean {
  return scope === 'data_only' || scope === 'all';
}

/** Whether what was thrown says that the database is beyond use; removing it is the remedy. */
function isDamaged(error: unknown): boolean {
  if (isKebabError(error, 'store_damaged')) return true;
  return isKebabError(error, 'io_error') && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.details.kind);
}
