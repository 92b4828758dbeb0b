/* eslint-disable typescript/require-await -- what is in memory is at hand */
import type {
  ChunkVector,
  CollectionCount,
  VectorLedger,
  VectorNote,
  VectorStatus,
} from '../contracts/vector-ledger.ts';
import type { ChunkId, DocumentId, EmbeddingId } from '../domain/ids.ts';
import type { StoredDocument } from './memory-transaction.ts';

/** A note and how its vector stands. */
interface LedgerEntry {
  readonly note: VectorNote;
  readonly status: VectorStatus;
}

/** The ledger of a store in memory, for tests; the store tells it after each transaction which chunks there are. */
export class MemoryVectorLedger implements VectorLedger {
  readonly #documents: () => readonly StoredDocument[];
  readonly #entries = new Map<EmbeddingId, LedgerEntry>();

  /** `documents` gives what is committed now, by source and path. */
  constructor(documents: () => readonly StoredDocument[]) {
    this.#documents = documents;
  }

  async collections(): Promise<readonly CollectionCount[]> {
    const counts = new Map<string, CollectionCount>();
    for (const { note, status } of this.#entries.values()) {
      const { collection, fingerprint } = note;
      const known = counts.get(collection) ?? { collection, fingerprint, committed: 0, pending: 0, tombstones: 0 };
      const field = status === 'tombstone' ? 'tombstones' : status;
      counts.set(collection, { ...known, [field]: known[field] + 1 });
    }
    return [...counts.values()].toSorted((a, b) => (a.collection < b.collection ? -1 : 1));
  }

  async documentsWithout(fingerprint: string): Promise<readonly DocumentId[]> {
    return this.#documents().flatMap(({ row }) => (row.fingerprints.embedding === fingerprint ? [] : [row.docId]));
  }

  async countDocumentsWithout(fingerprint: string | null): Promise<number> {
    if (fingerprint !== null) return (await this.documentsWithout(fingerprint)).length;
    return this.#documents().filter(({ row }) => row.fingerprints.embedding === null).length;
  }

  async committedChunks(collection: string, docId: DocumentId): Promise<ReadonlySet<ChunkId>> {
    const own = new Set(
      this.#documents()
        .find(({ row }) => row.docId === docId)
        ?.write.chunks.map((c) => c.chunkId),
    );
    const committed = this.#of(collection, ['committed']);
    return new Set(committed.map(({ note }) => note.chunkId).filter((chunkId) => own.has(chunkId)));
  }

  async unsettledChunks(collection: string): Promise<ReadonlySet<ChunkId>> {
    return new Set(this.#of(collection, ['pending', 'tombstone']).map(({ note }) => note.chunkId));
  }

  async listVectors(
    collection: string,
    status: VectorStatus,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly EmbeddingId[]> {
    const ids = this.#of(collection, [status]).map(({ note }) => note.embeddingId);
    return ids
      .filter((id) => id > after)
      .toSorted()
      .slice(0, limit);
  }

  async vectorsOf(chunkIds: readonly ChunkId[]): Promise<ReadonlyMap<ChunkId, readonly ChunkVector[]>> {
    const vectors = new Map<ChunkId, ChunkVector[]>();
    for (const { note, status } of this.#entries.values()) {
      const { chunkId, embeddingId, modelId, dimensions } = note;
      if (!chunkIds.includes(chunkId) || status === 'tombstone') continue;
      vectors.set(chunkId, [...(vectors.get(chunkId) ?? []), { embeddingId, modelId, dimensions, status }]);
    }
    return vectors;
  }

  /** Notes vectors as pending; an earlier note of the chunk for the same model is replaced. */
  begin(notes: readonly VectorNote[]): void {
    for (const note of notes) this.#entries.set(note.embeddingId, { note, status: 'pending' });
  }

  /** Gives those of some vectors that stand in one way another; returns how many there were. */
  move(ids: readonly EmbeddingId[], from: VectorStatus, to: VectorStatus): number {
    const moved = ids.filter((id) => this.#entries.get(id)?.status === from);
    for (const id of moved) this.#entries.set(id, { ...this.#required(id), status: to });
    return moved.length;
  }

  /** The documents that vectors belong to. */
  documentsOf(ids: readonly EmbeddingId[]): ReadonlySet<DocumentId> {
    const chunks = new Set(ids.map((id) => this.#entries.get(id)?.note.chunkId));
    const owners = this.#documents().filter(({ write }) => write.chunks.some(({ chunkId }) => chunks.has(chunkId)));
    return new Set(owners.map(({ row }) => row.docId));
  }

  forget(ids: readonly EmbeddingId[]): void {
    for (const id of ids) this.#entries.delete(id);
  }

  /** The ids of every vector of a collection, however it stands. */
  all(collection: string): readonly EmbeddingId[] {
    return [...this.#entries.values()].flatMap(({ note }) =>
      note.collection === collection ? [note.embeddingId] : [],
    );
  }

  /** Makes tombstones of vectors whose chunks have gone, and takes those whose chunks were written again back to pending. */
  settle(rewritten: readonly ChunkId[]): void {
    const again = new Set(rewritten);
    const chunks = new Set(this.#documents().flatMap(({ write }) => write.chunks.map(({ chunkId }) => chunkId)));
    for (const [id, { note, status }] of this.#entries) {
      if (!chunks.has(note.chunkId)) this.#entries.set(id, { note, status: 'tombstone' });
      else if (status === 'tombstone' || again.has(note.chunkId)) this.#entries.set(id, { note, status: 'pending' });
    }
  }

  #of(collection: string, statuses: readonly VectorStatus[]): readonly LedgerEntry[] {
    const entries = [...this.#entries.values()];
    return entries.filter(({ note, status }) => note.collection === collection && statuses.includes(status));
  }

  #required(id: EmbeddingId): LedgerEntry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new TypeError(`there is no vector ${id}`);
    return entry;
  }
}
