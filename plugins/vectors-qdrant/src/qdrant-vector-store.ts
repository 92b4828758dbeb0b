import { setTimeout as sleep } from 'node:timers/promises';
import {
  mintIndexId,
  unitVector,
  type AbortOptions,
  type EmbeddingId,
  type IndexId,
  type VectorHit,
  type VectorRecord,
  type VectorSearch,
  type VectorStore,
} from '@kebab/core';
import type { Schemas } from '@qdrant/js-client-rest';
import { searchParameters, QdrantCollections } from './qdrant-collections.ts';
import { payloadOf, pointIdOf, VECTOR } from './payload.ts';
import { pointFilters, type PointFilter } from './point-filter.ts';
import type { QdrantConfig } from './qdrant-config.ts';
import type { QdrantConnection } from './qdrant-connection.ts';
import { unreachable } from './qdrant-failure.ts';
import { batches, writePoints } from './write-points.ts';
import { readCount, readHits, readIds, readPoints, readRecords, type Page } from './read-answers.ts';

const DELETE_IDS = 1000;
const LIST_IDS = 1000;
const READ_POINTS = 256;
/** Delays that give a lagging replica time to catch up with a confirmed write. */
const CATCHING_UP_MS = [100, 400];
/** The minimum cosine of a vector with itself, given the server's rounding. */
const SAME = 0.999;

/** Vectors on a Qdrant server: one collection for each name and knowledge base, a point for each chunk, an indexed payload for every filter. */
export class QdrantVectorStore implements VectorStore {
  readonly id = 'qdrant';
  readonly version = '1.0.0';
  readonly #connection: QdrantConnection;
  readonly #config: QdrantConfig;
  readonly #collections: QdrantCollections;

  constructor(connection: QdrantConnection, config: QdrantConfig, knowledgeBase: () => Promise<string>) {
    this.#connection = connection;
    this.#config = config;
    this.#collections = new QdrantCollections(connection, config, knowledgeBase);
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${this.#config.quantization}`;
  }

  async ensureCollection(name: string, dimensions: number, options: AbortOptions = {}): Promise<IndexId> {
    await this.#collections.ensure(name, dimensions, options);
    return mintIndexId({
      collection: await this.#collections.nameOf(name),
      embeddingModel: name, // a collection is named after its model and the model's fingerprint
      dimensions,
      indexVersion: this.version,
      indexKind: 'qdrant-hnsw',
      indexParamsHash: this.#config.quantization,
    });
  }

  async upsert(name: string, records: readonly VectorRecord[], options: AbortOptions = {}): Promise<void> {
    const dimensions = await this.#collections.dimensions(name, options, records[0]?.vector.length);
    const points = records.map((record) => ({
      id: pointIdOf(record.chunkId),
      vector: { [VECTOR]: [...unitVector(record.vector, dimensions)] },
      payload: { ...payloadOf(record) } as Record<string, unknown>,
    }));
    await writePoints({ connection: this.#connection, collections: this.#collections, name }, points, options);
    const last = records.at(-1);
    if (last !== undefined) await this.#readBack(name, last, options);
  }

  /** Reads back one of the vectors that the server has confirmed; throws if it is missing or different. */
  async #readBack(name: string, { chunkId, embeddingId, vector }: VectorRecord, options: AbortOptions): Promise<void> {
    const dimensions = vector.length;
    const unit = unitVector(vector, dimensions);
    const body = {
      collection_name: await this.#collections.nameOf(name),
      ids: [pointIdOf(chunkId)],
      with_payload: true,
      with_vector: true,
    };
    for (const waitMs of [0, ...CATCHING_UP_MS]) {
      if (waitMs > 0) await sleep(waitMs, undefined, options);
      const found = await this.#connection.ask(
        'reading a vector back',
        async (api, init) => readPoints((await api.getPoints(body, init)).data.result, dimensions),
        options,
      );
      if (found === undefined) throw await this.#collections.missing(name);
      const isThere = found.some((point) => point.embeddingId === embeddingId && cosine(point.vector, unit) > SAME);
      if (isThere) return;
    }
    throw unreachable(this.#connection.endpoint, 'it confirmed vectors that it does not hold', {
      hint: 'look at the log of the server, then run `kebab ingest` again',
    });
  }

  async delete(name: string, ids: readonly EmbeddingId[], options: AbortOptions = {}): Promise<void> {
    await this.#collections.dimensions(name, options);
    for (const any of batches(ids, DELETE_IDS)) {
      const filter = { must: [{ key: 'embedding_id', match: { any: [...any] } }] };
      const deleted = await this.#connection.ask(
        'deleting vectors',
        async (api, init) =>
          (await api.deletePoints({ collection_name: await this.#collections.nameOf(name), wait: true, filter }, init))
            .data.result,
        options,
      );
      if (deleted === undefined) throw await this.#collections.missing(name);
    }
  }

  async search(name: string, query: VectorSearch, options: AbortOptions = {}): Promise<readonly VectorHit[]> {
    const dimensions = await this.#collections.dimensions(name, options, query.vector.length);
    const vector = [...unitVector(query.vector, dimensions)];
    const { limit } = query;
    if (limit < 1) return [];
    const hits: VectorHit[] = [];
    for (const filter of pointFilters(query))
      hits.push(...(await this.#query(name, { vector, limit, filter }, options)));
    return hits
      .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : Number(a.chunkId > b.chunkId)))
      .slice(0, limit);
  }

  async listCollections(options: AbortOptions = {}): Promise<readonly string[]> {
    return this.#collections.names(options);
  }

  async count(name: string, options: AbortOptions = {}): Promise<number | null> {
    const body = { collection_name: await this.#collections.nameOf(name), exact: true };
    const found = await this.#connection.ask(
      'counting vectors',
      async (api, init) => readCount((await api.countPoints(body, init)).data.result),
      options,
    );
    return found ?? null;
  }

  listIds(name: string, options: AbortOptions = {}): AsyncGenerator<EmbeddingId> {
    return this.#pages(name, { parts: { limit: LIST_IDS, with_payload: ['embedding_id'] }, read: readIds }, options);
  }

  async *records(name: string, options: AbortOptions = {}): AsyncGenerator<VectorRecord> {
    const parts = { limit: READ_POINTS, with_payload: true, with_vector: true };
    const dimensions = await this.#collections.dimensions(name, options);
    yield* this.#pages(name, { parts, read: (result) => readRecords(result, dimensions) }, options);
  }

  async dropCollection(name: string, options: AbortOptions = {}): Promise<void> {
    await this.#collections.drop(name, options);
  }

  async activate(name: string, options: AbortOptions = {}): Promise<void> {
    await this.#collections.activate(name, options);
  }

  async #query(
    name: string,
    { vector, limit, filter }: { readonly vector: number[]; readonly limit: number; readonly filter: PointFilter },
    options: AbortOptions,
  ): Promise<readonly VectorHit[]> {
    const body = {
      collection_name: await this.#collections.nameOf(name),
      query: vector,
      using: VECTOR,
      filter: filter as Schemas['Filter'],
      limit,
      params: searchParameters(this.#config, limit),
      with_payload: ['embedding_id'],
    };
    const found = await this.#connection.ask(
      'vector search',
      async (api, init) => readHits((await api.queryPoints(body, init)).data.result),
      options,
    );
    if (found === undefined) throw await this.#collections.missing(name);
    return found;
  }

  /** Pages of points by id; the collection must not be dropped while they are read. */
  async *#pages<T>(name: string, { parts, read }: Paging<T>, options: AbortOptions): AsyncGenerator<T> {
    const seen = new Set<string | number>();
    let offset: Page<T>['next'];
    do {
      const body = {
        collection_name: await this.#collections.nameOf(name),
        ...parts,
        ...(offset === undefined ? {} : { offset }),
      };
      const page: Page<T> | undefined = await this.#connection.ask(
        'reading vectors',
        async (api, init) => {
          const found = read((await api.scrollPoints(body, init)).data.result);
          if (found?.next !== undefined && seen.has(found.next)) throw new Error('its pages go in a circle');
          return found;
        },
        options,
      );
      if (page === undefined) throw await this.#collections.missing(name);
      yield* page.points;
      offset = page.next;
      if (offset !== undefined) seen.add(offset);
    } while (offset !== undefined);
  }
}

/** Which parts of points are read, and how. */
interface Paging<T> {
  readonly parts: Pick<Schemas['ScrollRequest'], 'limit' | 'with_payload' | 'with_vector'>;
  readonly read: (result: unknown) => Page<T> | undefined;
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0);
}
