import { setImmediate } from 'node:timers/promises';
import {
  KebabError,
  mintIndexId,
  throwIfCancelled,
  unitVector,
  type AbortOptions,
  type Damage,
  type EmbeddingId,
  type IndexId,
  type VectorHit,
  type VectorRecord,
  type VectorSearch,
  type VectorStore,
  type VectorStoreAdvice,
} from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { CollectionSearch } from './collection-search.ts';
import { Collections, type CollectionRow } from './database/collections.ts';
import { findVectorDamage, repairVectors } from './database/vector-repair.ts';
import { RowReader } from './database/row-reader.ts';
import { VectorWriter, writerStatements, type WriterStatements } from './database/vector-writer.ts';
import type { LocalVectorsConfig } from './local-config.ts';
import { vectorFailure } from './vector-failure.ts';

/** One segment, written in about ten milliseconds. */
const BATCH_ROWS = 256;

/** Above this, a server is recommended: with 384 dimensions a first search takes a tenth of a second, and later ones 250 MB of memory. */
const MAX_VECTORS = 500_000;

/**
 * Vectors in the SQLite file of the knowledge base: 8-bit codes select candidates, and float32 vectors rank them. Takes ownership of the
 * connection and closes it.
 */
export class LocalVectorStore implements VectorStore {
  readonly id = 'local';
  readonly version = '1.0.0';
  readonly #db: Connection;
  readonly #config: LocalVectorsConfig;
  readonly #collections: Collections;
  readonly #search: CollectionSearch;
  readonly #maxVectors: number;
  #rows: RowReader | undefined;
  #writing: WriterStatements | undefined;

  /** Above `maxVectors` in a collection, a server is recommended. */
  constructor(
    db: Connection,
    config: LocalVectorsConfig,
    { maxVectors = MAX_VECTORS }: { readonly maxVectors?: number } = {},
  ) {
    this.#db = db;
    this.#config = config;
    this.#collections = new Collections(db, config.file);
    this.#search = new CollectionSearch(db, config.file);
    this.#maxVectors = maxVectors;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+int8-float32`;
  }

  async ensureCollection(name: string, dimensions: number, { signal }: AbortOptions = {}): Promise<IndexId> {
    throwIfCancelled(signal, 'making a collection');
    const isThere = this.#attempt(() => this.#collections.find(name)?.dimensions === dimensions);
    if (!isThere) this.#change(() => this.#collections.ensure(name, dimensions));
    return mintIndexId({
      collection: name,
      embeddingModel: name, // a collection is named after its model and the model's fingerprint
      dimensions,
      indexVersion: this.version,
      indexKind: 'flat-int8-float32',
      indexParamsHash: '',
    });
  }

  async upsert(name: string, records: readonly VectorRecord[], { signal }: AbortOptions = {}): Promise<void> {
    throwIfCancelled(signal, 'writing vectors');
    const { dimensions } = this.#attempt(() => this.#collections.get(name));
    const units = records.map((record) => ({ ...record, vector: unitVector(record.vector, dimensions) }));
    await this.#inBatches(name, units, { signal, change: (writer, record) => writer.put(record) });
  }

  async delete(name: string, ids: readonly EmbeddingId[], { signal }: AbortOptions = {}): Promise<void> {
    throwIfCancelled(signal, 'deleting vectors');
    this.#attempt(() => this.#collections.get(name));
    await this.#inBatches(name, ids, { signal, change: (writer, id) => writer.remove(id) });
  }

  async search(name: string, query: VectorSearch, { signal }: AbortOptions = {}): Promise<readonly VectorHit[]> {
    throwIfCancelled(signal, 'vector search');
    return this.#read(() => {
      const row = this.#collections.get(name);
      return this.#search.find(row, this.#rowReader(), { ...query, vector: unitVector(query.vector, row.dimensions) });
    });
  }

  async listCollections({ signal }: AbortOptions = {}): Promise<readonly string[]> {
    throwIfCancelled(signal, 'listing collections');
    return this.#attempt(() => this.#collections.names());
  }

  async storedBytes(): Promise<number> {
    return this.#attempt(() => this.#collections.bytes());
  }

  async count(name: string, { signal }: AbortOptions = {}): Promise<number | null> {
    throwIfCancelled(signal, 'counting vectors');
    return this.#attempt(() => this.#collections.find(name)?.vectors ?? null);
  }

  async *listIds(name: string, { signal }: AbortOptions = {}): AsyncGenerator<EmbeddingId> {
    for (let after = ''; ;) {
      throwIfCancelled(signal, 'listing vectors');
      const ids = this.#read(() => this.#rowReader().ids(this.#collections.get(name), after));
      yield* ids;
      const last = ids.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  async *records(name: string, { signal }: AbortOptions = {}): AsyncGenerator<VectorRecord> {
    for (let after = -1; ;) {
      throwIfCancelled(signal, 'reading vectors');
      const { records, last } = this.#read(() => this.#rowReader().page(this.#collections.get(name), after));
      if (records.length === 0) return;
      yield* records;
      after = last;
    }
  }

  async checkIntegrity({ signal }: AbortOptions = {}): Promise<readonly string[]> {
    throwIfCancelled(signal, 'checking vectors');
    return this.#read(() => findVectorDamage(this.#db)).map(({ table, problem }) => `${table}: ${problem}`);
  }

  async advise({ signal }: AbortOptions = {}): Promise<VectorStoreAdvice | null> {
    throwIfCancelled(signal, 'counting vectors');
    const rows = this.#read(() => this.#collections.names().map((name) => this.#collections.get(name)));
    const tooLarge = rows.find(({ vectors }) => vectors > this.#maxVectors);
    if (tooLarge === undefined) return null;
    const sizes = `${tooLarge.vectors} vectors of ${tooLarge.dimensions} dimensions`;
    return {
      detail: `${sizes} are more than a file serves well: every search compares all of them`,
      hint: 'docker compose up -d qdrant, then `kebab vectors copy --from local --to qdrant` and `kebab config set storage.vector_store qdrant`',
    };
  }

  async repair({ dryRun, signal }: { readonly dryRun: boolean } & AbortOptions): Promise<readonly Damage[]> {
    throwIfCancelled(signal, 'repairing vectors');
    const damage = this.#read(() => findVectorDamage(this.#db));
    if (damage.length === 0 || dryRun) return damage;
    this.#change(() => repairVectors(this.#db, this.#config.file));
    return damage;
  }

  async dropCollection(name: string, { signal }: AbortOptions = {}): Promise<void> {
    throwIfCancelled(signal, 'removing a collection');
    const isThere = this.#attempt(() => this.#collections.find(name) !== null);
    if (!isThere) return;
    this.#change(() => this.#collections.hide(name));
    while (this.#change(() => this.#collections.sweep())) {
      await setImmediate();
      throwIfCancelled(signal, 'removing a collection'); // the rest is removed together with the next one
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Uses short transactions, so that neither other writers nor the event loop wait long. */
  async #inBatches<T>(
    name: string,
    items: readonly T[],
    {
      signal,
      change,
    }: { readonly signal: AbortSignal | undefined; readonly change: (to: VectorWriter, item: T) => void },
  ): Promise<void> {
    for (let at = 0; at < items.length; at += BATCH_ROWS) {
      if (at > 0) await setImmediate();
      throwIfCancelled(signal, 'writing vectors');
      this.#change(() => {
        const writer = this.#writer(this.#collections.get(name));
        for (const item of items.slice(at, at + BATCH_ROWS)) change(writer, item);
        writer.finish();
      });
    }
  }

  #writer(row: CollectionRow): VectorWriter {
    this.#writing ??= writerStatements(this.#db);
    return new VectorWriter(this.#writing, row, this.#config.file);
  }

  #rowReader(): RowReader {
    this.#rows ??= new RowReader(this.#db, this.#config.file);
    return this.#rows;
  }

  #change<T>(body: () => T): T {
    if (this.#config.readonly)
      throw new KebabError('readonly_mode', `${this.#config.file} is open for reading only`, {
        details: { command: 'write vectors' },
      });
    return this.#attempt(() => this.#db.transaction(body).immediate());
  }

  /** Runs in one read transaction, so that all statements see the same state of the vectors. */
  #read<T>(body: () => T): T {
    return this.#attempt(() => this.#db.transaction(body)());
  }

  #attempt<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw vectorFailure(error, this.#config.file) satisfies unknown;
    }
  }
}
