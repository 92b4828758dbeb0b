import {
  type AbortOptions,
  type VectorHit,
  type VectorRecord,
  type VectorSearch,
  type VectorStore,
  mintIndexId,
  type EmbeddingId,
  type IndexId,
  throwIfCancelled,
  invalidInput,
  KebabError,
} from '@kebab/core';
import { exactSearch } from './sample-vectors.ts';

interface Collection {
  readonly dimensions: number;
  readonly records: Map<EmbeddingId, VectorRecord>;
}

/** The vectors of {@link MemoryVectorStore}s: two stores over one instance share their content. */
export class VectorMemory {
  readonly collections = new Map<string, Collection>();
  /** The active collection; null until one was activated. */
  active: string | null = null;
  /** The error message while the memory is unreachable. */
  failure: string | null = null;
}

/** An in-memory vector store for tests: exact, by the definition of cosine. */
export class MemoryVectorStore implements VectorStore {
  readonly id = 'memory';
  readonly version = '1';
  readonly #memory: VectorMemory;

  constructor(memory: VectorMemory = new VectorMemory()) {
    this.#memory = memory;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async ensureCollection(name: string, dimensions: number, { signal }: AbortOptions = {}): Promise<IndexId> {
    const { collections } = this.#reach(signal);
    const known = collections.get(name);
    if (known !== undefined && known.dimensions !== dimensions)
      throw unreachable(`collection "${name}" has ${known.dimensions} dimensions, not ${dimensions}`);
    if (known === undefined) collections.set(name, { dimensions, records: new Map() });
    const shape = { embeddingModel: name, indexVersion: this.version, indexKind: 'exact', indexParamsHash: '' };
    return mintIndexId({ collection: name, dimensions, ...shape });
  }

  async upsert(name: string, records: readonly VectorRecord[], { signal }: AbortOptions = {}): Promise<void> {
    const collection = this.#collection(name, signal);
    const units = records.map((record) => ({ ...record, vector: unitOf(record.vector, collection) }));
    for (const record of units) collection.records.set(record.embeddingId, record);
  }

  async delete(name: string, ids: readonly EmbeddingId[], { signal }: AbortOptions = {}): Promise<void> {
    const { records } = this.#collection(name, signal);
    for (const id of ids) records.delete(id);
  }

  async search(name: string, query: VectorSearch, { signal }: AbortOptions = {}): Promise<readonly VectorHit[]> {
    const collection = this.#collection(name, signal);
    return exactSearch(collection.records.values(), { ...query, vector: unitOf(query.vector, collection) });
  }

  async listCollections({ signal }: AbortOptions = {}): Promise<readonly string[]> {
    return [...this.#reach(signal).collections.keys()].toSorted();
  }

  async count(name: string, { signal }: AbortOptions = {}): Promise<number | null> {
    return this.#reach(signal).collections.get(name)?.records.size ?? null;
  }

  async *listIds(name: string, { signal }: AbortOptions = {}): AsyncGenerator<EmbeddingId> {
    yield* Array.from(this.#collection(name, signal).records.keys()); // a copy, so that records may be removed meanwhile
  }

  async *records(name: string, { signal }: AbortOptions = {}): AsyncGenerator<VectorRecord> {
    yield* Array.from(this.#collection(name, signal).records.values());
  }

  async dropCollection(name: string, { signal }: AbortOptions = {}): Promise<void> {
    this.#reach(signal).collections.delete(name);
  }

  async activate(name: string, { signal }: AbortOptions = {}): Promise<void> {
    this.#collection(name, signal);
    this.#memory.active = name;
  }

  #reach(signal: AbortSignal | undefined): VectorMemory {
    throwIfCancelled(signal, 'the vector store');
    if (this.#memory.failure !== null) throw unreachable(this.#memory.failure);
    return this.#memory;
  }

  #collection(name: string, signal: AbortSignal | undefined): Collection {
    const collection = this.#reach(signal).collections.get(name);
    if (collection === undefined) throw unreachable(`there is no collection "${name}"`);
    return collection;
  }
}

function unitOf(vector: Float32Array, { dimensions }: Collection): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  if (vector.length !== dimensions || !(length > 0 && length < Infinity))
    throw invalidInput(`not a vector of ${dimensions} finite numbers that are not all zero`, { field: 'vector' });
  return vector.map((x) => x / length);
}

function unreachable(cause: string): KebabError<'vector_store_unreachable'> {
  const details = { store: 'memory', endpoint: null, cause };
  return new KebabError('vector_store_unreachable', `the vector store cannot be used: ${cause}`, { details });
}
