import type { AbortOptions, Clock } from '../../contracts/contribution.ts';
import type { DocumentRow, DocumentStore, DocumentWriter } from '../../contracts/document-store.ts';
import type { VectorNote } from '../../contracts/vector-ledger.ts';
import type { VectorRecord } from '../../contracts/vector-store.ts';
import type { Chunk } from '../../domain/chunk.ts';
import type { DocumentId, EmbeddingId } from '../../domain/ids.ts';
import { mintEmbeddingId } from '../../domain/minted-ids.ts';
import { embeddingText, vectorPayload } from '../../embedding/embedding-text.ts';
import type { ReadyEmbedding } from '../../embedding/open-embedding.ts';
import type { VectorSource } from './vector-source.ts';

/** Where documents, vectors and the time come from. */
export interface EmbedDocumentsInit {
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
  readonly embedding: ReadyEmbedding;
  readonly source: VectorSource;
  readonly clock: Clock;
}

/** A chunk that waits for its vector. */
interface WaitingChunk {
  readonly chunk: Chunk;
  readonly document: DocumentRow;
}

/** Chunks with their vectors, and the documents that end with them. */
interface EmbeddedGroup {
  readonly group: readonly WaitingChunk[];
  readonly documents: readonly DocumentId[];
  readonly vectors: Awaited<ReturnType<VectorSource['vectorsOf']>>;
}

/** Chunks embedded and committed together. */
const GROUP_CHUNKS = 256;

/**
 * Gives every document that has none the vectors of one embedder. Chunks of several documents are embedded together, noted as
 * pending, written to the vector store, and committed; a document counts as embedded when all of its chunks are.
 */
export class EmbedDocuments {
  readonly #init: EmbedDocumentsInit;
  #waiting: WaitingChunk[] = [];
  #ended: DocumentId[] = [];
  /** Documents with a chunk that the embedder gave no vector for: they stay pending. */
  readonly #refused = new Set<DocumentId>();
  #total = 0;
  #done = 0;
  #embedded = 0;
  /** Settles when the embedder has answered for the last group that it was given, and when that is committed. */
  #made: Promise<unknown> = Promise.resolve();
  #written: Promise<void> = Promise.resolve();

  constructor(init: EmbedDocumentsInit) {
    this.#init = init;
  }

  /** Vectors committed so far. */
  get embedded(): number {
    return this.#embedded;
  }

  /** How far it is, in documents. */
  get position(): { readonly done: number; readonly total: number } {
    return { done: this.#done, total: this.#total };
  }

  /** Errors: those of the embedder and of the vector store, `cancelled`. What was committed before stays. */
  async run(options: AbortOptions): Promise<void> {
    const { store, embedding } = this.#init;
    const ids = await store.vectors.documentsWithout(embedding.fingerprint);
    this.#total = ids.length;
    try {
      for (const id of ids) {
        await this.#take(id, options);
        this.#ended.push(id);
        if (this.#ended.length >= GROUP_CHUNKS) await this.#flush(options);
      }
      await this.#flush(options);
    } finally {
      await Promise.allSettled([this.#made]); // nothing goes on behind what is thrown
      await this.#written;
    }
  }

  async #take(id: DocumentId, options: AbortOptions): Promise<void> {
    const { store, embedding } = this.#init;
    const [document] = await store.getDocuments([id]);
    if (document === undefined) return;
    const committed = await store.vectors.committedChunks(embedding.collection, id);
    for (const chunk of await store.listChunks(id)) {
      if (committed.has(chunk.chunkId) || chunk.text.trim() === '') continue;
      this.#waiting.push({ chunk, document });
      if (this.#waiting.length >= GROUP_CHUNKS) await this.#flush(options);
    }
  }

  /** The embedder works on a group while the one before is written; that is waited for, so that two are held in memory. */
  async #flush(options: AbortOptions): Promise<void> {
    const group = this.#waiting;
    const documents = this.#ended;
    this.#waiting = [];
    this.#ended = [];
    const made = this.#init.source.vectorsOf(
      group.map(({ chunk }) => embeddingText(chunk)),
      options,
    );
    const before = this.#written;
    const writing = before.then(async () => this.#write({ group, documents, vectors: await made }, options));
    this.#made = made;
    this.#written = writing;
    for (const one of [made, writing]) one.catch(() => {}); // thrown where it is waited for
    await before;
  }

  async #write({ group, documents, vectors }: EmbeddedGroup, options: AbortOptions): Promise<void> {
    const { writer, embedding, clock } = this.#init;
    for (const [i, { document }] of group.entries()) if (vectors[i] === undefined) this.#refused.add(document.docId);
    const records = group.flatMap((one, i) => this.#recordOf(one, vectors[i] ?? null));
    if (records.length > 0) {
      writer.vectors.begin(records.map(this.#noteOf), clock.now());
      await embedding.vectors.upsert(embedding.collection, records, options);
    }
    const embeddingIds: readonly EmbeddingId[] = records.map(({ embeddingId }) => embeddingId);
    const whole = documents.filter((id) => !this.#refused.has(id));
    writer.vectors.commit({
      embeddingIds,
      documents: whole,
      fingerprint: embedding.fingerprint,
      at: clock.now(),
    });
    this.#embedded += records.length;
    this.#done += documents.length;
  }

  #recordOf({ chunk, document }: WaitingChunk, vector: Float32Array | null): readonly VectorRecord[] {
    if (vector === null) return [];
    const { modelId, modelVersion, dimensions } = this.#init.embedding.embedder;
    const { chunkId } = chunk;
    const embeddingId = mintEmbeddingId({ chunkId, modelId, modelVersion, dimensions });
    return [{ embeddingId, chunkId, docId: document.docId, vector, payload: vectorPayload(document) }];
  }

  readonly #noteOf = ({ embeddingId, chunkId }: VectorRecord): VectorNote => {
    const { embedder, vectors, fingerprint, collection } = this.#init.embedding;
    const { modelId, modelVersion, dimensions } = embedder;
    return { embeddingId, chunkId, modelId, modelVersion, dimensions, fingerprint, store: vectors.id, collection };
  };
}
