import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import {
  DEFAULT_SOURCE,
  describeMoved,
  EXTERNAL,
  hasMoved,
  remedyForMissing,
  type SourceRoot,
  sourceRoots,
} from '../documents/source-roots.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';
import { databaseFile, hasNoVectors } from '../config/resolved-config.ts';
import { throwIfCancelled, withDeadline } from '../errors/abort.ts';
import { openStore } from '../documents/open-store.ts';
import { describeOrphans, findOrphans } from '../documents/orphans.ts';
import { isReadableFolder } from '../documents/locate-file.ts';
import { describeFailed, describePartlyRead, failedFiles } from './failed-files.ts';
import { chatEndpoint } from './chat-endpoint.ts';
import { embeddingModelInForce } from '../embedding/model-in-force.ts';
import { countedFingerprint } from '../embedding/open-embedding.ts';
import type { Ports } from '../ports.ts';
import type { Status } from '../wire/index.ts';

/** The differences between the folders and the index. */
export type FolderChanges = NonNullable<Status['changes']> & {
  /** The unreadable parts, with the reasons. */
  readonly unread: readonly string[];
  /** Files that are left out for their size or content. */
  readonly leftOut: readonly string[];
  /** Files that no plugin reads, by extension. */
  readonly unsupported: Readonly<Record<string, number>>;
};

/** How many files that are left out are named. */
const MAX_NAMED = 5;

/** The dependencies of a status. */
interface StatusPorts extends Pick<Ports, 'documents' | 'extractors' | 'embedders' | 'languageModels' | 'config'> {
  /** How the folders differ from the index; null before there is one. */
  readonly changes: FolderChanges | null;
}

/** How long a server may take to answer. */
const PROBE = { operation: 'status', timeoutMs: 1500 } as const;

/**
 * The status of the knowledge base: its sources, what is indexed and what has changed since, which models are available, and the next
 * useful command. Whatever is missing is part of the result. Throws `not_indexed` only for a database of another version.
 */
export async function describeStatus(ports: StatusPorts, options: AbortOptions = {}): Promise<Status> {
  throwIfCancelled(options.signal, 'status');
  const { config, changes } = ports;
  const { leftOut = [], unsupported = {}, unread = [] }: Partial<FolderChanges> = changes ?? {};
  const store = await openStore(ports.documents);
  const [embedding, answers] = await Promise.all([embeddingOf(ports, store), answersOf(ports)]);
  const stats = await store?.stats();
  const roots = [...sourceRoots(config, await store?.indexedRoots()).values()];
  const sources = roots
    .map((source) => ({ source, documents: stats?.sources[source.id] ?? 0 }))
    .filter(({ source, documents }) => documents > 0 || isWanted(source, config));
  const orphans = store === null ? null : describeOrphans(await findOrphans(store, ports));
  const folders = new Set(roots.flatMap(({ id, connector }) => (connector === 'fs' ? [`${id}:.`] : []))); // noted as they are now
  const failed = (store === null ? [] : await failedFiles(store, config)).filter(
    (file) => !folders.has(`${file.sourceId}:${file.workspacePath}`),
  );
  const queued = await queueIn(store);
  const status: Omit<Status, 'next'> = {
    schema_version: 'status.v1',
    database: databaseFile(config) ?? store?.location ?? config.storage.documentStore,
    knowledge_base: (await store?.knowledgeBase()) ?? null,
    sources: sources.map(({ source, documents }) => ({
      id: source.id,
      root: source.root,
      configured_root: source.configured,
      documents,
      readable: source.connector !== 'fs' || isReadableFolder(source.root),
    })),
    documents: stats?.documents ?? 0,
    chunks: stats?.chunks ?? 0,
    ...(stats && { documents_by: { media: stats.media, lang: stats.langs, code_lang: stats.codeLangs } }),
    last_ingest_at: stats?.lastIngestAt?.toISOString() ?? null,
    changes: changes === null ? null : { added: changes.added, changed: changes.changed, gone: changes.gone },
    // Files that wait for a worker are not indexed either: which are left out is known when it has read them.
    ...(leftOut.length === 0 || queued.queue !== undefined
      ? {}
      : { left_out: { files: leftOut.length, examples: leftOut.slice(0, MAX_NAMED) } }),
    ...(Object.keys(unsupported).length === 0 ? {} : { unsupported }),
    not_taken_in: failed.length,
    ...queued,
    embedding,
    answers,
    notes: [
      ...notesOf(sources.map(({ source }) => source)),
      ...unreadNotes(unread),
      ...describeFailed(failed),
      ...(store === null ? [] : await describePartlyRead(store, config)),
      ...(orphans === null ? [] : [`${orphans.what}: ${orphans.remedy}`]),
    ],
  };
  const moved = sources.map(({ source }) => source).find(hasMoved);
  return { ...status, next: moved === undefined ? nextOf(status) : describeMoved(moved).command };
}

/** What is left to workers. */
async function queueIn(store: DocumentStore | null): Promise<Pick<Status, 'queue'>> {
  const queue = await store?.jobs?.();
  if (queue === undefined) return {};
  try {
    const { vectors, ...files } = await queue.counts();
    if (files.waiting + files.running + files.failed + vectors === 0) return {};
    return { queue: { ...files, ...(vectors === 0 ? {} : { vectors: true }) } };
  } finally {
    await queue.close();
  }
}

/** A source without documents is shown only if it was requested. */
function isWanted({ id, root, configured }: SourceRoot, { workspace }: StatusPorts['config']): boolean {
  if (id === EXTERNAL || configured === null) return false;
  return id !== DEFAULT_SOURCE || workspace.isRootSet === true || isReadableFolder(root);
}

async function embeddingOf(
  { config, embedders }: StatusPorts,
  store: DocumentStore | null,
): Promise<Status['embedding']> {
  const { provider } = config.models.embedding;
  if (hasNoVectors(config)) return { provider, model: config.models.embedding.model, state: 'off', pending: 0 };
  const model = await embeddingModelInForce(config.models.embedding, embedders);
  try {
    const embedder = await embedders.get(provider);
    await withDeadline(() => embedder.probe?.() ?? Promise.resolve(), PROBE);
    const pending = (await store?.vectors.countDocumentsWithout(fingerprintOf(embedder))) ?? 0;
    return { provider, model, state: 'ready', pending };
  } catch {
    const counted = store === null ? null : await countedFingerprint(store.vectors, { model, known: null });
    const pending = (await store?.vectors.countDocumentsWithout(counted)) ?? 0;
    return { provider, model, state: 'missing', pending };
  }
}

async function answersOf({ config, languageModels }: StatusPorts): Promise<Status['answers']> {
  const { provider, model } = config.models.llm;
  const endpoint = chatEndpoint(config, languageModels);
  const answers = { provider, model: endpoint === null ? provider : model, endpoint: endpoint ?? '' };
  if (provider === 'none') return { ...answers, state: 'off' };
  try {
    const chat = await languageModels.get(provider);
    if (endpoint === null) answers.model = chat.model.id;
    await withDeadline(() => chat.probe?.() ?? Promise.resolve(), PROBE);
    return { ...answers, state: 'ready' };
  } catch {
    return { ...answers, state: 'missing' };
  }
}

function notesOf(sources: readonly SourceRoot[]): readonly string[] {
  const moved = sources.filter(hasMoved).map((source) => {
    const { what, remedy } = describeMoved(source);
    return `${what}: ${remedy}`;
  });
  const missing = sources.filter(({ root, connector }) => connector === 'fs' && !isReadableFolder(root));
  return [
    ...moved,
    ...missing.map(
      (source) => `the folder ${source.root} of source "${source.id}" cannot be read: ${remedyForMissing(source)}`,
    ),
  ];
}

/** A notice that changes in unreadable folders are unknown; empty when all could be read. */
function unreadNotes([first, ...more]: FolderChanges['unread']): readonly string[] {
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  return [`changes are unknown in what cannot be read: ${first}${others}`];
}

/** The next step for the user. */
function nextOf({ sources, documents, changes, embedding, queue }: Omit<Status, 'next'>): string {
  const hasFolder = sources.some(({ readable }) => readable);
  if (documents === 0 && !hasFolder) return 'kebab add FOLDER';
  if (queue !== undefined && (queue.waiting > 0 || (queue.vectors === true && queue.running === 0)))
    return 'kebab worker';
  if (changes === null || changes.added + changes.changed + changes.gone > 0) return 'kebab ingest';
  if (documents === 0) return 'kebab add FOLDER';
  if (embedding.state === 'ready' && embedding.pending > 0 && (queue?.running ?? 0) === 0) return 'kebab ingest';
  return 'kebab search "…"';
}
