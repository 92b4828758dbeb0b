import {
  invalidInput,
  mintIndexId,
  throwIfCancelled,
  type AbortOptions,
  type EmbeddingId,
  type IndexId,
  type VectorHit,
  type VectorRecord,
  type VectorSearch,
  type VectorStore,
} from '@kebab/plugin';
import { CollectionFiles, unreachable, type Collection } from './collection-file.ts';

/** Vectors in JSON files with exhaustive search: exact, and fast enough for about ten thousand of them. */
export class FileVectorStore implements VectorStore {
  readonly id = '{{id}}';
  readonly version = '1';
  readonly #files: CollectionFiles;

  constructor(folder: string) {
    this.#files = new CollectionFiles(folder);
  }

  fingerprint(): string {
    return `${this.id}@${this.version}`;
  }

  async ensureCollection(name: string, dimensions: number, { signal }: AbortOptions = {}): Promise<IndexId> {
    throwIfCancelled(signal, 'vectors');
    const known = this.#files.read(name);
    if (known === null) this.#files.write(name, { dimensions, records: new Map() });
    else if (known.dimensions !== dimensions)
      throw unreachable(name, `the collection has ${known.dimensions} dimensions, not ${dimensions}`);
    const shape = { embeddingModel: name, indexVersion: this.version, indexKind: 'exact', indexParamsHash: '' };
    return mintIndexId({ collection: name, dimensions, ...shape });
  }

  async upsert(name: string, records: readonly VectorRecord[], { signal }: AbortOptions = {}): Promise<void> {
    const collection = this.#collection(name, signal);
    const units = records.map((record) => ({ ...record, vector: unitOf(record.vector, collection) }));
    const merged = new Map([...collection.records, ...units.map((record) => [record.embeddingId, record] as const)]);
    this.#files.write(name, { ...collection, records: merged });
  }

  async delete(name: string, ids: readonly EmbeddingId[], { signal }: AbortOptions = {}): Promise<void> {
    const collection = this.#collection(name, signal);
    const gone = new Set(ids);
    const records = new Map([...collection.records].filter(([id]) => !gone.has(id)));
    if (records.size < collection.records.size) this.#files.write(name, { ...collection, records });
  }

  async search(name: string, query: VectorSearch, { signal }: AbortOptions = {}): Promise<readonly VectorHit[]> {
    const collection = this.#collection(name, signal);
    const vector = unitOf(query.vector, collection);
    return [...collection.records.values()]
      .filter((record) => isAllowed(record, query))
      .map(({ embeddingId, chunkId, vector: other }) => ({ embeddingId, chunkId, score: dot(vector, other) }))
      .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, query.limit);
  }

  async listCollections({ signal }: AbortOptions = {}): Promise<readonly string[]> {
    throwIfCancelled(signal, 'vectors');
    return this.#files.names();
  }

  async count(name: string, { signal }: AbortOptions = {}): Promise<number | null> {
    throwIfCancelled(signal, 'vectors');
    return this.#files.read(name)?.records.size ?? null;
  }

  async *listIds(name: string, { signal }: AbortOptions = {}): AsyncGenerator<EmbeddingId> {
    yield* this.#collection(name, signal).records.keys();
  }

  async *records(name: string, { signal }: AbortOptions = {}): AsyncGenerator<VectorRecord> {
    yield* this.#collection(name, signal).records.values();
  }

  async dropCollection(name: string, { signal }: AbortOptions = {}): Promise<void> {
    throwIfCancelled(signal, 'vectors');
    this.#files.remove(name);
  }

  #collection(name: string, signal: AbortSignal | undefined): Collection {
    throwIfCancelled(signal, 'vectors');
    const collection = this.#files.read(name);
    if (collection === null) throw unreachable(name, 'there is no such collection');
    return collection;
  }
}

/** Filters apply before the limit: a record that may not be returned takes no place in the list. */
function isAllowed({ chunkId, docId }: VectorRecord, { allow, except }: VectorSearch): boolean {
  if (except?.has(chunkId) === true) return false;
  switch (allow.kind) {
    case 'all':
      return true;
    case 'only':
      return allow.chunkIds.has(chunkId);
    case 'documents':
      return allow.docIds.has(docId);
    default:
      return allow satisfies never;
  }
}

function unitOf(vector: Float32Array, { dimensions }: Collection): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  if (vector.length !== dimensions || !(length > 0 && length < Infinity))
    throw invalidInput(`not a vector of ${dimensions} finite numbers that are not all zero`, { field: 'vector' });
  return vector.map((x) => x / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
