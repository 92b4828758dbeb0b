import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { ResetScope } from '../admin/plan-reset.ts';
import { runReset } from '../admin/run-reset.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type {
  Damage,
  DocumentPlace,
  DocumentStore,
  DocumentWriter,
  RepairOptions,
  StoreRepair,
} from '../contracts/document-store.ts';
import { isReadableFolder } from '../documents/locate-file.ts';
import { isMissing, LOCK_WAIT_MS, openStore, openWriter } from '../documents/open-store.ts';
import { EXTERNAL, indexedSources } from '../documents/source-roots.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { readDatabaseHeader } from '../files/own-folder.ts';
import type { IngestOptions, IngestPorts } from '../ingest/ingest-context.ts';
import type { RepairReport, ResetReport } from '../wire/index.ts';
import type { AppPorts, INDEXING } from './app-ports.ts';

/** The options of a repair, and its callbacks. */
export interface RepairRequest extends Pick<IngestOptions, 'signal' | 'onProgress' | 'graceMs'> {
  /** Reports what needs to be done, and changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Called with each step, as a short text. */
  readonly onStep?: ((step: string) => void) | undefined;
}

type RepairPorts = IngestPorts & Pick<AppPorts, 'release'>;

/** The result for a store that cannot be opened, or cannot repair itself. */
const NOTHING: StoreRepair = { damage: [], setAside: null, documents: [] };

/**
 * Replaces a damaged database by a new one: what no file can give back is copied, the rest is read from the files again. The damaged one is
 * kept beside it. Damaged vectors are made again. Throws `locked`, and `store_damaged` for a store that cannot be repaired.
 */
export async function performRepair(ports: RepairPorts, request: RepairRequest = {}): Promise<RepairReport> {
  const { dryRun = false, onStep = () => {}, signal } = request;
  const opened = await openDamaged(ports, dryRun);
  const { store } = opened;
  const repaired =
    store === null ? NOTHING : await repairStore(store, { signal, dryRun, onStep, waitMs: LOCK_WAIT_MS });
  const isReplaced = opened.damage.length + repaired.damage.length > 0;
  if (isReplaced) await ports.release(); // drops what was cached from the damaged one
  const vectors = isReplaced || store === null ? [] : await repairVectors(ports, { signal, dryRun });
  const damage = [...opened.damage, ...repaired.damage, ...vectors];
  const again =
    damage.length === 0 || dryRun ? { read: [], failed: [] } : await readAgain(ports, { isNew: isReplaced, request });
  const lost = isReplaced && !dryRun ? await missingOf(repaired.documents, ports) : [];
  return {
    schema_version: 'repair_report.v1',
    dry_run: dryRun,
    damage: damage.map(({ table, problem }) => ({ table, problem: problem.replace(/\s+/g, ' ') })),
    read_again: [...again.read],
    incomplete: lost
      .filter(
        (place) =>
          !again.failed.includes(pathOf(place)) && !again.failed.includes(pathOf({ ...place, workspacePath: '.' })),
      )
      .map(({ sourceId, workspacePath }) => ({
        doc_path: workspacePath,
        source_id: sourceId,
        lost: 'everything',
      })),
    failed: [...again.failed],
    set_aside: opened.setAside ?? repaired.setAside,
  };
}

interface OpenedDamaged {
  /** Null when there is no database, or none that can be opened. */
  readonly store: DocumentStore | null;
  readonly damage: readonly Damage[];
  readonly setAside: string | null;
}

/** Opens the database without repairing it; one that cannot be opened is renamed. */
async function openDamaged(ports: RepairPorts, dryRun: boolean): Promise<OpenedDamaged> {
  try {
    return { store: await openStore(ports.documents), damage: [], setAside: null };
  } catch (error) {
    const file = ports.config.storage.sqlite;
    if (!isUnreadable(error, file)) throw error;
    await ports.release();
    const problem = `${(error as Error).message}; conversations and answers cannot be kept`;
    const damage = [{ table: null, problem }];
    return { store: null, damage, setAside: dryRun ? null : setAside(file) };
  }
}

/** Whether a database of kebab's cannot be opened; if its first bytes do not identify it, its name does. */
function isUnreadable(error: unknown, file: string): boolean {
  if (isKebabError(error, 'store_damaged')) return true;
  if (!isKebabError(error, 'io_error') || !error.details.kind.startsWith('SQLITE_NOTADB')) return false;
  return path.basename(file) === 'kebab.sqlite' || readDatabaseHeader(file).isMarked;
}

function setAside(file: string): string {
  let number = 1;
  while (existsSync(`${file}.damaged-${number}`)) number++;
  const target = `${file}.damaged-${number}`;
  for (const suffix of ['-wal', '-shm', '']) if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  return target;
}

async function repairStore(store: DocumentStore, options: RepairOptions): Promise<StoreRepair> {
  if (store.repair !== undefined) return store.repair(options);
  const [problem] = await store.checkIntegrity({ deep: true });
  if (problem === undefined) return NOTHING;
  throw new KebabError('store_damaged', `${store.location} is damaged: ${problem}`, {
    details: { store: store.location, table: null, cause: problem },
    hint: 'kebab does not repair this store: restore it from a backup of its server, or build it again with `kebab reset --data-only` and `kebab ingest`',
  });
}

async function repairVectors(
  { vectorStores, config }: RepairPorts,
  options: { readonly dryRun: boolean } & AbortOptions,
): Promise<readonly Damage[]> {
  if (config.models.embedding.provider === 'none') return [];
  try {
    const vectors = await vectorStores.get(config.storage.vectorStore, options.dryRun ? 'read' : 'write');
    return (await vectors.repair?.(options)) ?? [];
  } catch (error) {
    if (isKebabError(error, 'vector_store_unreachable') || isKebabError(error, 'config_invalid')) return [];
    throw error;
  }
}

/** Reads all files into a new database, or embeds what lacks vectors; `.` among those that failed is the folder of a source. */
async function readAgain(
  ports: RepairPorts,
  { isNew, request }: { readonly isNew: boolean; readonly request: RepairRequest },
): Promise<{ readonly read: readonly string[]; readonly failed: readonly string[] }> {
  const { onStep, dryRun: _, ...options } = request;
  onStep?.('reading documents again');
  const { rereadDocuments } = await import('../ingest/ingest-folder.ts');
  try {
    const { items } = await rereadDocuments(ports, isNew ? null : [], options);
    const placesOf = (isFailed: boolean): readonly string[] =>
      (items ?? [])
        .filter(({ kind }) => (isFailed ? kind === 'error' : kind === 'new'))
        .map((item) => pathOf({ sourceId: item.source_id, workspacePath: item.doc_path }));
    return { read: placesOf(false), failed: placesOf(true) };
  } catch (error) {
    const missing = isKebabError(error, 'io_error') ? await missingRoots(ports) : [];
    if (missing.length === 0) throw error;
    return { read: [], failed: missing.map(pathOf) };
  }
}

/** The documents that the ingest did not find again. */
async function missingOf(
  places: readonly DocumentPlace[],
  { documents }: RepairPorts,
): Promise<readonly DocumentPlace[]> {
  const store = await documents.read();
  const missing: DocumentPlace[] = [];
  for (const place of places)
    if ((await store.findDocument(place.sourceId, place.workspacePath)) === null) missing.push(place);
  return missing;
}

/** The unreadable folders of sources, named as in an ingest, which throws when there is no other. */
async function missingRoots({ documents, config }: RepairPorts): Promise<readonly DocumentPlace[]> {
  const sources = [...(await indexedSources(config, await documents.read())).values()];
  return sources
    .filter(({ id, connector, root }) => connector === 'fs' && id !== EXTERNAL && !isReadableFolder(root))
    .map(({ id }) => ({ sourceId: id, workspacePath: '.' }));
}

function pathOf({ sourceId, workspacePath }: DocumentPlace): string {
  return formatSourcePath({ sourceId, path: workspacePath });
}

/** The ports of a reset. */
type ResetPorts = Pick<AppPorts, (typeof INDEXING)[number] | 'config' | 'log' | 'resolution' | 'release'>;

/**
 * Removes what kebab created, while holding the writer lock, so that no ingest writes into what is being removed. Throws `locked` when
 * another process is writing.
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
        const { dropOrphans } = await import('../admin/copy-vectors.ts');
        await dropOrphans((await findOrphans(store, ports)).collections, writer, ports, options);
        return purged;
      },
      truncateEmbeddings: async () => {
        if (store === null || writer === null) return 0;
        const { forgetVectors } = await import('../admin/copy-vectors.ts');
        return forgetVectors(store, writer);
      },
      dropCollections: async () => {
        const { dropCollections } = await import('../admin/copy-vectors.ts');
        if (location !== null && removesDatabase(scope)) await (await ports.lexicalIndex.write()).drop?.(options);
        await dropCollections(ports, { ...options, keepsDatabase: store !== null && !removesDatabase(scope) });
      },
      removeTables: async () => {
        await writer?.removeAll?.();
        return location;
      },
      close: async () => {
        await writer?.close();
        await ports.release();
      },
    });
  } finally {
    await writer?.close();
  }
}

/** The store with the writer lock. */
interface Opened {
  /** The path of the database, as soon as it could be opened at all. */
  readonly location: string | null;
  readonly store: DocumentStore | null;
  readonly writer: DocumentWriter | null;
}

/**
 * Opens the parts of the database that a scope needs, or nothing if it is missing: a reset does not create it. A reset that removes a
 * database does not open one that is damaged or has another schema. Throws `io_error` for the database of another program, and
 * `not_indexed` when the scope keeps a database of another schema.
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
    const isBeyondUse = isDamaged(error) || isKebabError(error, 'not_indexed');
    if (!(isBeyondUse && removesDatabase(scope)) && !isMissing(error)) throw error;
    return { location, store: null, writer: null };
  }
}

function removesDatabase(scope: ResetScope): boolean {
  return scope === 'data_only' || scope === 'all';
}

/** Whether an error means that the database is unusable; removing it is the remedy. */
function isDamaged(error: unknown): boolean {
  if (isKebabError(error, 'store_damaged')) return true;
  return isKebabError(error, 'io_error') && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.details.kind);
}
