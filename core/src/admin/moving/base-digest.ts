import type { AnswerRow, EvalRunRow } from '../../contracts/logs.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { DocumentStore } from '../../contracts/document-store.ts';
import type { SessionRepo } from '../../contracts/session-repo.ts';
import type { ArchivePage, CommittedDocument, StoreArchive } from '../../contracts/store-archive.ts';
import type { VectorRecord, VectorStore } from '../../contracts/vector-store.ts';
import { allDocuments } from '../../documents/open-store.ts';
import { blake3Hex } from '../../domain/blake3.ts';
import type { DocumentId, EmbeddingId } from '../../domain/ids.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { MOVED_PARTS } from '../../wire/names.ts';

/** One of {@link MOVED_PARTS}. */
export type Part = (typeof MOVED_PARTS)[number];

/** A knowledge base in one place: what stores it, opened. */
export interface Base {
  readonly store: DocumentStore;
  readonly archive: StoreArchive;
  readonly sessions: SessionRepo;
  /** Null when its vectors are left behind, or there are none. */
  readonly vectors: VectorStore | null;
}

/** How many entries a part has, and the hash of all of them. */
export interface PartDigest {
  readonly count: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** Which vectors belong to a base: the committed ones of each of its collections, with the fingerprint of the collection. */
export type MovedVectors = ReadonlyMap<
  string,
  { readonly fingerprint: string; readonly ids: ReadonlySet<EmbeddingId> }
>;

/** The committed vectors of the collections that the vector store holds. */
export async function committedVectors(
  { store, vectors }: Pick<Base, 'store' | 'vectors'>,
  options: AbortOptions,
): Promise<MovedVectors> {
  const moved = new Map<string, { fingerprint: string; ids: ReadonlySet<EmbeddingId> }>();
  if (vectors === null) return moved;
  const present = new Set(await vectors.listCollections(options));
  for (const { collection, fingerprint, committed } of await store.vectors.collections())
    if (committed > 0 && present.has(collection))
      moved.set(collection, { fingerprint, ids: await idsWith('committed', collection, store) });
  return moved;
}

const PAGE = 5000;

/** The vectors of a collection in one state. */
export async function idsWith(
  status: 'committed' | 'pending' | 'tombstone',
  collection: string,
  store: Pick<DocumentStore, 'vectors'>,
): Promise<ReadonlySet<EmbeddingId>> {
  const ids = new Set<EmbeddingId>();
  for (let after = ''; ;) {
    const page = await store.vectors.listVectors(collection, status, { after, limit: PAGE });
    for (const id of page) ids.add(id);
    if (page.length < PAGE) return ids;
    after = page.at(-1) ?? '';
  }
}

/** The ids of all sources of which a store knows anything. */
export async function sourcesOf(store: DocumentStore): Promise<readonly string[]> {
  return [...new Set([...(await store.indexedRoots()).keys(), ...(await store.knownSources())])].toSorted();
}

/** All documents, some at a time. */
export async function* documentGroups(
  { store, archive }: Pick<Base, 'store' | 'archive'>,
  wanted: (ids: readonly DocumentId[]) => Promise<readonly DocumentId[]> = async (ids) => ids,
): AsyncGenerator<readonly CommittedDocument[], void, undefined> {
  let group: DocumentId[] = [];
  let length = 0;
  const read = async (): Promise<readonly CommittedDocument[]> => archive.documents(await wanted(group));
  for await (const { docId, textLength } of allDocuments(store)) {
    group.push(docId);
    length += textLength;
    if (group.length < MAX_DOCUMENTS && length < MAX_TEXT) continue;
    yield await read();
    group = [];
    length = 0;
  }
  if (group.length > 0) yield await read();
}

const MAX_DOCUMENTS = 100;
const MAX_TEXT = 2_000_000;

/** All entries of a log, in the order in which they were recorded. */
export async function* entriesOf<Row>(
  read: (page: ArchivePage) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
  for (let offset = 0; ; offset += LOG_PAGE) {
    const page = await read({ offset, limit: LOG_PAGE });
    yield* page;
    if (page.length < LOG_PAGE) return;
  }
}

const LOG_PAGE = 200;

/** What models read in pictures, by key. */
export async function* readingsOf(archive: StoreArchive): AsyncGenerator<Reading, void, undefined> {
  for (let after = ''; ;) {
    const page = await archive.derivations({ after, limit: LOG_PAGE });
    yield* page;
    if (page.length < LOG_PAGE) return;
    after = page.at(-1)?.key ?? '';
  }
}

type Reading = Awaited<ReturnType<StoreArchive['derivations']>>[number];

/** Everything in one part of a base, one value after the other. */
export function valuesOf(
  part: Part,
  base: Base,
  { moved, ...options }: { readonly moved: MovedVectors } & AbortOptions,
): AsyncIterable<unknown> {
  const { store, archive, sessions } = base;
  switch (part) {
    case 'sources':
      return later(async () => [...(await store.indexedRoots())]);
    case 'documents':
      return documentValues(base, new Set([...moved.values()].map(({ fingerprint }) => fingerprint)));
    case 'vectors':
      return vectorValues(base, moved, options);
    case 'sessions':
      return later(async () =>
        Promise.all(
          (await sessions.listSessions()).map(async (session) => ({
            session,
            turns: await sessions.listTurns(session.sessionId),
          })),
        ),
      );
    case 'answers':
      return entriesOf<AnswerRow>((page) => archive.answers(page));
    case 'evaluations':
      return evaluationValues(base);
    case 'runs':
      return later(() => archive.runs());
    case 'failed_files':
      return later(() => store.quarantined());
    case 'seen_places':
      return seenValues(store);
    case 'readings':
      return readingsOf(archive);
    default:
      return part satisfies never;
  }
}

/** Counts and hashes one part. The order of its entries does not matter, as two stores list them in different ones. */
export async function digestOf(
  part: Part,
  base: Base,
  options: { readonly moved: MovedVectors } & AbortOptions,
): Promise<PartDigest> {
  let sum = 0n;
  let count = 0;
  for await (const value of valuesOf(part, base, options)) {
    throwIfCancelled(options.signal, 'move');
    sum = BigInt.asUintN(HASH_BITS, sum + BigInt(`0x${blake3Hex(exactJson(value))}`));
    count++;
  }
  return { count, hash: sum.toString(16).padStart(HASH_BITS / 4, '0') };
}

const HASH_BITS = 256;

/** One hash of all parts. */
export function hashOfParts(parts: Readonly<Record<Part, PartDigest>>): string {
  return blake3Hex(MOVED_PARTS.map((part) => `${part} ${parts[part].count} ${parts[part].hash}\n`).join(''));
}

async function* documentValues(
  base: Base,
  fingerprints: ReadonlySet<string>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const group of documentGroups(base))
    for (const {
      index,
      asset: { sourceUri, stored, sourceId: _, ...asset },
      ...document
    } of group)
      yield {
        ...document,
        fingerprints: withMovedEmbedding(document.fingerprints, fingerprints),
        asset: { ...asset, uri: 'file' in sourceUri ? sourceUri.file : sourceUri.kb, kind: stored.kind },
        index: index.map(({ symbol, prefix = '' }) => [symbol, prefix]),
      };
}

/** A document whose vectors are left behind counts as not embedded. */
function withMovedEmbedding(
  fingerprints: CommittedDocument['fingerprints'],
  moved: ReadonlySet<string>,
): CommittedDocument['fingerprints'] {
  const { embedding } = fingerprints;
  return embedding === null || moved.has(embedding) ? fingerprints : { ...fingerprints, embedding: null };
}

async function* vectorValues(
  { vectors }: Base,
  moved: MovedVectors,
  options: AbortOptions,
): AsyncGenerator<unknown, void, undefined> {
  if (vectors === null) return;
  for (const [collection, { ids }] of moved)
    for await (const record of vectors.records(collection, options))
      if (ids.has(record.embeddingId)) yield [collection, record.embeddingId, record.chunkId, bytesOf(record)];
}

function bytesOf({ vector }: VectorRecord): string {
  return blake3Hex(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
}

async function* evaluationValues({ store, archive }: Base): AsyncGenerator<unknown, void, undefined> {
  for await (const run of entriesOf<EvalRunRow>((page) => archive.evals(page)))
    yield { run, results: await store.evals.results(run.runId) };
}

async function* seenValues(store: DocumentStore): AsyncGenerator<unknown, void, undefined> {
  for (const sourceId of await sourcesOf(store))
    for (const place of await store.seenPlaces(sourceId)) yield { sourceId, ...place };
}

async function* later<T>(read: () => Promise<readonly T[]>): AsyncGenerator<T, void, undefined> {
  yield* await read();
}

/** JSON that differs wherever values do: keys sorted, absent members left out, texts not normalised, bytes as hex digits. */
function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Date) return JSON.stringify(value);
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('hex')}"`;
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${exactJson(member)}`)
    .join(',')}}`;
}
