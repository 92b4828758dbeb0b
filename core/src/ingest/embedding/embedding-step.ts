import { setTimeout as delay } from 'node:timers/promises';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { AbortOptions, Clock, Logger } from '../../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter, DocumentRow } from '../../contracts/document-store.ts';
import type { EmbeddingId, DocumentId } from '../../domain/ids.ts';
import { mintEmbeddingId } from '../../domain/minted-ids.ts';
import {
  countedFingerprint,
  degradedBy,
  type Embedding,
  openEmbedding,
  type ReadyEmbedding,
  embeddingText,
  vectorPayload,
} from '../../embedding/open-embedding.ts';
import { isKebabError, messageOf } from '../../errors/kebab-error.ts';
import { pluginOf } from '../../plugin/components.ts';
import type { VectorsPart } from '../file-queue.ts';
import { VectorSource } from './vector-source.ts';
import type { Progress } from '../progress.ts';
import type { Ports } from '../../ports.ts';
import type { Degraded } from '../../wire/index.ts';
import type { VectorNote } from '../../contracts/vector-ledger.ts';
import type { VectorRecord } from '../../contracts/vector-store.ts';
import type { Chunk } from '../../domain/document.ts';

/** The parts of an open ingest that embedding uses. */
interface EmbeddingStepInit extends Pick<Ports, 'embedders' | 'vectorStores'> {
  readonly config: Pick<ResolvedConfig, 'models' | 'storage' | 'indexing'>;
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
  readonly clock: Clock;
  readonly log: Logger;
  readonly progress: Progress;
  /** Embeds only this share of the documents, beside other workers, and leaves the rest of the step to the last of them. */
  readonly part: VectorsPart | null;
}

/** The result of the embedding step. */
interface EmbeddingOutcome {
  /** Number of vectors committed. */
  readonly embedded: number;
  /** Number of documents that still lack vectors. */
  readonly pending: number;
  readonly degraded: readonly Degraded[];
  readonly isCancelled: boolean;
}

/** The last step of an ingest: every committed document gets its vectors, and the vector store is reconciled with the ledger. */
export class EmbeddingStep {
  readonly #init: EmbeddingStepInit;
  readonly #embedding: Embedding;

  private constructor(init: EmbeddingStepInit, embedding: Embedding) {
    this.#init = init;
    this.#embedding = embedding;
  }

  /** Opens the configured embedder and vector store; {@link EmbeddingStep.run} reports what is missing. */
  static async open(init: EmbeddingStepInit): Promise<EmbeddingStep> {
    return new EmbeddingStep(init, await openEmbedding(init, 'write'));
  }

  /** The embedding fingerprint of documents embedded by this step; null when nothing will be embedded. */
  get fingerprint(): string | null {
    return this.#embedding.kind === 'ready' ? this.#embedding.fingerprint : null;
  }

  /** A failing embedder or vector store leaves documents pending and is reported; a failure of the document store is thrown. */
  async run(options: AbortOptions): Promise<EmbeddingOutcome> {
    const embedding = this.#embedding;
    const { vectors } = this.#init.store;
    switch (embedding.kind) {
      case 'off':
        return { embedded: 0, pending: 0, degraded: [], isCancelled: isCancelled(options) };
      case 'failed': {
        const { model } = this.#init.config.models.embedding;
        const counted = await countedFingerprint(vectors, { model, known: embedding.fingerprint });
        const pending = await vectors.countDocumentsWithout(counted);
        this.#init.log.warn('nothing was embedded', { cause: String(embedding.error) });
        const isWrong = isKebabError(embedding.error, 'config_invalid'); // then the number of pending documents is unknown
        const degraded = pending === 0 && !isWrong ? [] : [embedding.degraded];
        return { embedded: 0, pending, degraded, isCancelled: isCancelled(options) };
      }
      case 'ready':
        return this.#embed(embedding, options);
      default:
        return embedding satisfies never;
    }
  }

  async #embed(embedding: ReadyEmbedding, options: AbortOptions): Promise<EmbeddingOutcome> {
    const { store, writer } = this.#init;
    const documents = new EmbedDocuments(this.#init, embedding);
    let lost = 0;
    const outcome = async (degraded: readonly Degraded[]): Promise<EmbeddingOutcome> => ({
      embedded: documents.embedded - lost,
      pending: await store.vectors.countDocumentsWithout(embedding.fingerprint),
      degraded,
      isCancelled: isCancelled(options),
    });
    if (isCancelled(options)) return outcome([]);
    try {
      if (this.#init.part !== null) {
        await embedding.vectors.ensureCollection(embedding.collection, embedding.embedder.dimensions, options);
        await documents.run(options);
        return await outcome(documents.degraded);
      }
      const before = await reconcileVectors({ store, writer, embedding }, options);
      await documents.run(options);
      if (documents.embedded > 0)
        lost = await lostInWriting({ store, writer, embedding }, before + documents.embedded, options);
      await this.#retireOthers(embedding, options);
      return await outcome([...documents.degraded, ...degradedByLosses(lost)]);
    } catch (error) {
      if (isCancelled(options)) return await outcome([]);
      const degraded = degradedBy(error);
      if (degraded === undefined) throw error;
      this.#init.log.warn('embedding stopped', { cause: String(error) });
      return await outcome([degraded]);
    }
  }

  /** Once every document has its vectors, the collections of other models are dropped: no search uses them any more. */
  async #retireOthers({ vectors, collection, fingerprint }: ReadyEmbedding, options: AbortOptions): Promise<void> {
    const { store, writer } = this.#init;
    if ((await store.vectors.countDocumentsWithout(fingerprint)) > 0) return;
    await vectors.activate?.(collection, options);
    const noted = (await store.vectors.collections()).map((one) => one.collection);
    const names = new Set([...(await vectors.listCollections(options)), ...noted]);
    names.delete(collection);
    for (const name of names) {
      await vectors.dropCollection(name, options);
      await writer.vectors.forgetCollection(name);
    }
  }
}

/** The degradation for texts that were left without a vector. */
function degradedByRefusals({ refusals }: VectorSource, paths: readonly string[]): readonly Degraded[] {
  if (refusals === null) return [];
  const degraded = degradedBy(refusals.error);
  if (degraded === undefined) return [];
  const what = refusals.count === 1 ? '1 text has' : `${refusals.count} texts have`;
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more files` : '';
  const where = `${paths.slice(0, MAX_NAMED).join(', ')}${more}`;
  const hint = `${what} no usable vector: ${where}: ${messageOf(refusals.error)}; ${degraded.hint}`;
  return [{ stage: 'vector', reason: 'vectors_incomplete', hint }];
}

/** The number of files that a notice names. */
const MAX_NAMED = 5;

/** The degradation for vectors that a store confirmed but does not contain. */
function degradedByLosses(lost: number): readonly Degraded[] {
  if (lost === 0) return [];
  const what = lost === 1 ? '1 vector' : `${lost} vectors`;
  const hint = `the vector store confirmed ${what} that it does not hold: look at its log, then run \`kebab ingest\` again`;
  return [{ stage: 'vector', reason: 'vector_store_unreachable', hint }];
}

function isCancelled({ signal }: AbortOptions): boolean {
  return signal?.aborted === true;
}

const PAGE = 1000;

/** The ledger and the vector store to reconcile. */
interface ReconcileTools {
  readonly store: Pick<DocumentStore, 'vectors'>;
  readonly writer: Pick<DocumentWriter, 'vectors'>;
  readonly embedding: Pick<ReadyEmbedding, 'vectors' | 'collection' | 'embedder'>;
}

/**
 * Reconciles the vector store with the ledger, whatever happened in between: deletes vectors whose chunks are gone, returns vectors that
 * the store lost to pending, and removes unrecorded ones. When the counts agree, no vectors are compared. A newly configured store has lost
 * them all. Returns the number of vectors that both contain.
 */
async function reconcileVectors(tools: ReconcileTools, options: AbortOptions = {}): Promise<number> {
  const { store, embedding } = tools;
  const { vectors, collection, embedder } = embedding;
  await vectors.ensureCollection(collection, embedder.dimensions, options);
  await buryTombstones({ ...tools, vectors }, options);
  const record = (await store.vectors.collections()).find((one) => one.collection === collection);
  const expected = record?.committed ?? 0;
  if ((record?.pending ?? 0) === 0 && (await vectors.count(collection, options)) === expected) return expected;
  return expected - (await compareIds(tools, options));
}

/** How long a lagging replica of a server gets to catch up with what another one confirmed. */
const CATCHING_UP_MS = [100, 400];

/**
 * Counts the written vectors again, since a store may confirm what it never wrote; returns missing ones to pending, and returns their
 * number.
 */
async function lostInWriting(tools: ReconcileTools, expected: number, options: AbortOptions): Promise<number> {
  const { vectors, collection } = tools.embedding;
  for (const waitMs of [0, ...CATCHING_UP_MS]) {
    if (waitMs > 0) await delay(waitMs, undefined, options);
    if (((await vectors.count(collection, options)) ?? 0) >= expected) return 0;
  }
  return compareIds(tools, options);
}

/** Deletes vectors whose chunks are gone, in every collection that still exists. */
export async function buryTombstones(
  {
    store,
    writer,
    vectors,
  }: Pick<ReconcileTools, 'store' | 'writer'> & { readonly vectors: ReadyEmbedding['vectors'] },
  options: AbortOptions,
): Promise<void> {
  const dead = (await store.vectors.collections()).filter((one) => one.tombstones > 0);
  if (dead.length === 0) return;
  const present = new Set(await vectors.listCollections(options));
  for (const { collection } of dead)
    for (;;) {
      const ids = await store.vectors.listVectors(collection, 'tombstone', { after: '', limit: PAGE });
      if (ids.length === 0) break;
      if (present.has(collection)) await vectors.delete(collection, ids, options);
      await writer.vectors.forget(ids);
    }
}

/** Returns the number of missing committed vectors. */
async function compareIds({ store, writer, embedding }: ReconcileTools, options: AbortOptions): Promise<number> {
  const { vectors, collection } = embedding;
  const held = new Set<EmbeddingId>();
  for await (const id of vectors.listIds(collection, options)) held.add(id);
  const lost: EmbeddingId[] = [];
  for (let after = ''; ;) {
    const ids = await store.vectors.listVectors(collection, 'committed', { after, limit: PAGE });
    for (const id of ids) if (!held.delete(id)) lost.push(id);
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  for (let at = 0; at < lost.length; at += PAGE) await writer.vectors.doubt(lost.slice(at, at + PAGE));
  const unknown = [...held];
  for (let at = 0; at < unknown.length; at += PAGE)
    await vectors.delete(collection, unknown.slice(at, at + PAGE), options);
  return lost.length;
}

/** A chunk that needs a vector. */
interface WaitingChunk {
  readonly chunk: Chunk;
  readonly document: DocumentRow;
}

/** Chunks with their vectors, and the documents that they complete. */
interface EmbeddedGroup {
  readonly group: readonly WaitingChunk[];
  readonly documents: readonly DocumentId[];
  readonly vectors: Awaited<ReturnType<VectorSource['vectorsOf']>>;
}

/** The number of chunks embedded and committed together. */
const GROUP_CHUNKS = 256;

/**
 * Embeds every document that lacks vectors of one embedder. Chunks of several documents are embedded together, recorded as pending, written
 * to the vector store, and committed; a document counts as embedded when all of its chunks are.
 */
class EmbedDocuments {
  readonly #init: EmbeddingStepInit;
  readonly #embedding: ReadyEmbedding;
  readonly #source: VectorSource;
  #waiting: WaitingChunk[] = [];
  #ended: DocumentId[] = [];
  /** The paths of documents with a chunk for which the embedder returned no usable vector: they stay pending. */
  readonly #refused = new Map<DocumentId, string>();
  #total = 0;
  #done = 0;
  #embedded = 0;
  /** Settles when the embedder has answered for the last batch, and when that batch is committed. */
  #made: Promise<unknown> = Promise.resolve();
  #written: Promise<void> = Promise.resolve();

  constructor(init: EmbeddingStepInit, embedding: ReadyEmbedding) {
    const { writer, clock, progress, config, embedders } = init;
    const { embedder } = embedding;
    this.#init = init;
    this.#embedding = embedding;
    this.#source = new VectorSource({
      embedder,
      plugin: pluginOf(embedders.names(), config.models.embedding.provider),
      derivations: writer.derivations,
      clock,
      progress,
      width: config.indexing.maxParallelEmbeddings,
      position: () => ({ done: this.#done, total: this.#total }),
    });
  }

  /** Number of vectors committed so far. */
  get embedded(): number {
    return this.#embedded;
  }

  /** What is to be reported about documents that the embedder had no usable vector for. */
  get degraded(): readonly Degraded[] {
    return degradedByRefusals(this.#source, [...this.#refused.values()]);
  }

  /** Errors: those of the embedder and of the vector store, `cancelled`. What was already committed is kept. */
  async run(options: AbortOptions): Promise<void> {
    const { store, part } = this.#init;
    const all = await store.vectors.documentsWithout(this.#embedding.fingerprint);
    const ids =
      part === null ? all : all.filter((id) => Number.parseInt(id.slice(0, 8), 16) % part.count === part.index);
    this.#total = ids.length;
    try {
      for (const id of ids) {
        await this.#take(id, options);
        this.#ended.push(id);
        if (this.#ended.length >= GROUP_CHUNKS) await this.#flush(options);
      }
      await this.#flush(options);
    } finally {
      await Promise.allSettled([this.#made]); // no work continues after an error is thrown
      await this.#written;
    }
  }

  async #take(id: DocumentId, options: AbortOptions): Promise<void> {
    const { store } = this.#init;
    const [document] = await store.getDocuments([id]);
    if (document === undefined) return;
    const committed = await store.vectors.committedChunks(this.#embedding.collection, id);
    for (const chunk of await store.listChunks(id)) {
      if (committed.has(chunk.chunkId) || textOf({ chunk, document }).trim() === '') continue;
      this.#waiting.push({ chunk, document });
      if (this.#waiting.length >= GROUP_CHUNKS) await this.#flush(options);
    }
  }

  /** The embedder works on one batch while the previous one is written; waiting for that keeps at most two in memory. */
  async #flush(options: AbortOptions): Promise<void> {
    const group = this.#waiting;
    const documents = this.#ended;
    this.#waiting = [];
    this.#ended = [];
    const texts = group.map(textOf);
    const made = this.#made.then(() => this.#source.vectorsOf(texts, options));
    const before = this.#written;
    const writing = before.then(async () => this.#write({ group, documents, vectors: await made }, options));
    this.#made = made;
    this.#written = writing;
    for (const one of [made, writing]) one.catch(() => {}); // rejections are thrown where the promise is awaited
    await before;
  }

  async #write({ group, documents, vectors }: EmbeddedGroup, options: AbortOptions): Promise<void> {
    const { writer, clock } = this.#init;
    const { vectors: store, collection, fingerprint } = this.#embedding;
    for (const [i, { document }] of group.entries())
      if (vectors[i] === undefined) this.#refused.set(document.docId, document.workspacePath);
    const records = group.flatMap((one, i) => this.#recordOf(one, vectors[i] ?? null));
    if (records.length > 0) {
      await writer.vectors.begin(records.map(this.#noteOf), clock.now());
      await store.upsert(collection, records, options);
    }
    const embeddingIds: readonly EmbeddingId[] = records.map(({ embeddingId }) => embeddingId);
    const whole = documents.filter((id) => !this.#refused.has(id));
    await writer.vectors.commit({
      embeddingIds,
      documents: whole,
      fingerprint,
      at: clock.now(),
    });
    this.#embedded += records.length;
    this.#done += documents.length;
  }

  #recordOf({ chunk, document }: WaitingChunk, vector: Float32Array | null): readonly VectorRecord[] {
    if (vector === null) return [];
    const { modelId, modelVersion, dimensions } = this.#embedding.embedder;
    const { chunkId } = chunk;
    const embeddingId = mintEmbeddingId({ chunkId, modelId, modelVersion, dimensions });
    return [{ embeddingId, chunkId, docId: document.docId, vector, payload: vectorPayload(document) }];
  }

  readonly #noteOf = ({ embeddingId, chunkId }: VectorRecord): VectorNote => {
    const { embedder, vectors, fingerprint, collection } = this.#embedding;
    const { modelId, modelVersion, dimensions } = embedder;
    return { embeddingId, chunkId, modelId, modelVersion, dimensions, fingerprint, store: vectors.id, collection };
  };
}

/** The text to embed for a chunk; for one without text, what else the document is found by. */
function textOf({ chunk, document: { title, tags } }: WaitingChunk): string {
  return chunk.text.trim() === '' ? [title, ...tags].join('\n') : embeddingText(chunk);
}
