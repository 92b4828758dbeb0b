import { isKebabError, type AbortOptions } from '@kebab/core';
import type { Schemas } from '@qdrant/js-client-rest';
import { PAYLOAD_INDEXES, VECTOR, WORDS } from './payload.ts';
import type { QdrantConfig } from './qdrant-config.ts';
import type { QdrantConnection } from './qdrant-connection.ts';
import { readNames, readShape } from './read-answers.ts';
import { answerStatus, foreignCollection, missingCollection, requestFailure } from './qdrant-failure.ts';

/** How many digits of a knowledge base's id are used in names on the server. */
const SCOPE_DIGITS = 12;

/**
 * The collections of one knowledge base on a server: `<prefix>_<id of the knowledge base>_<name>`. Those of other knowledge bases with the
 * same server and prefix are never listed, written or dropped, nor are collections of versions before ids.
 */
export class QdrantCollections {
  readonly #connection: QdrantConnection;
  readonly #config: QdrantConfig;
  readonly #knowledgeBase: () => Promise<string>;
  /** Dimensions by name, of collections that existed when last used. */
  readonly #known = new Map<string, number>();

  constructor(connection: QdrantConnection, config: QdrantConfig, knowledgeBase: () => Promise<string>) {
    this.#connection = connection;
    this.#config = config;
    this.#knowledgeBase = knowledgeBase;
  }

  /** The name of a collection on the server. Throws `not_indexed` while the knowledge base has no database. */
  async nameOf(name: string): Promise<string> {
    const id = await this.#knowledgeBase();
    return `${this.#config.collectionPrefix}_${id.slice(0, SCOPE_DIGITS)}_${name}`;
  }

  /** The alias of the collection in use. */
  async alias(): Promise<string> {
    return this.nameOf('current');
  }

  /** The names of all collections of this knowledge base, without their prefix, sorted; none while it has no database. */
  async names(options: AbortOptions): Promise<readonly string[]> {
    const found = await this.#connection.ask(
      'listing collections',
      async (api, init) => readNames((await api.getCollections({}, init)).data.result, 'collections', 'name'),
      options,
    );
    const prefix = await this.nameOf('').catch(withoutDatabase);
    if (prefix === null) return [];
    const names = found?.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)) ?? [];
    return names.filter((name) => name !== WORDS).toSorted();
  }

  /** Creates a collection with an index for every filter, or adds missing indexes. Throws if it has different dimensions. */
  async ensure(name: string, dimensions: number, options: AbortOptions): Promise<void> {
    const info = await this.#ensure(name, denseCollection(this.#config, dimensions), options);
    const found = dimensionsOf(info);
    if (found !== dimensions)
      throw foreignCollection(
        this.#connection.endpoint,
        `collection "${await this.nameOf(name)}" has ${found ?? 'no known'} dimensions, the embedder ${dimensions}`,
      );
    await this.#ensureIndexes({ name, info, indexes: PAYLOAD_INDEXES }, options);
    this.#known.set(name, dimensions);
  }

  /** Creates the collection of words, with an index for every filter and every term, or adds missing indexes. */
  async ensureWords(options: AbortOptions): Promise<void> {
    const info = await this.#ensure(WORDS, wordCollection(this.#config), options);
    const indexes = { ...PAYLOAD_INDEXES, term: 'keyword', name: 'keyword' } as const;
    await this.#ensureIndexes({ name: WORDS, info, indexes }, options);
  }

  async #ensure(
    name: string,
    shape: Schemas['CreateCollection'],
    options: AbortOptions,
  ): Promise<Schemas['CollectionInfo']> {
    const known = await this.#describe(name, options);
    if (known !== undefined) return known;
    await this.#create(name, shape, options);
    const made = await this.#describe(name, options);
    if (made === undefined) throw await this.missing(name);
    return made;
  }

  async #ensureIndexes({ name, info, indexes }: IndexedCollection, options: AbortOptions): Promise<void> {
    for (const [field, schema] of Object.entries(indexes))
      if (info.payload_schema[field] === undefined) await this.#index(name, { field, schema }, options);
  }

  /**
   * The dimensions of a collection; read again if a vector has different ones, since the collection may have been recreated. Throws
   * `vector_store_unreachable` if there is none.
   */
  async dimensions(name: string, options: AbortOptions, ofVector?: number): Promise<number> {
    let dimensions = this.#known.get(name);
    if (dimensions === undefined || (ofVector !== undefined && dimensions !== ofVector)) {
      const info = await this.#describe(name, options);
      dimensions = info === undefined ? undefined : dimensionsOf(info);
      if (dimensions === undefined) throw await this.missing(name);
      this.#known.set(name, dimensions);
    }
    return dimensions;
  }

  /** The error for a missing collection; its cached dimensions are dropped, since it may be recreated with different ones. */
  async missing(name: string): Promise<Error> {
    this.#known.delete(name);
    return missingCollection(this.#connection.endpoint, await this.nameOf(name));
  }

  /** Removes a collection, if it exists. */
  async drop(name: string, options: AbortOptions): Promise<void> {
    this.#known.delete(name);
    const collection_name = await this.nameOf(name);
    await this.#connection.ask(
      'removing a collection',
      async (api, init) => (await api.deleteCollection({ collection_name }, init)).data.result,
      options,
    );
  }

  /** Points the alias to a collection atomically. */
  async activate(name: string, options: AbortOptions): Promise<void> {
    await this.dimensions(name, options);
    const known = await this.#connection.ask(
      'listing aliases',
      async (api, init) => readNames((await api.getCollectionsAliases({}, init)).data.result, 'aliases', 'alias_name'),
      options,
    );
    const alias_name = await this.alias();
    const isThere = known?.includes(alias_name) === true;
    const actions = [
      ...(isThere ? [{ delete_alias: { alias_name } }] : []),
      { create_alias: { alias_name, collection_name: await this.nameOf(name) } },
    ];
    const switched = await this.#connection.ask(
      'switching an alias',
      async (api, init) => (await api.updateAliases({ actions }, init)).data.result,
      options,
    );
    if (switched === undefined) throw await this.missing(name);
  }

  async #describe(name: string, options: AbortOptions): Promise<Schemas['CollectionInfo'] | undefined> {
    const collection_name = await this.nameOf(name);
    return this.#connection.ask(
      'looking at a collection',
      async (api, init) => readShape((await api.getCollection({ collection_name }, init)).data.result),
      options,
    );
  }

  async #create(name: string, shape: Schemas['CreateCollection'], options: AbortOptions): Promise<void> {
    const collection_name = await this.nameOf(name);
    await this.#connection.ask(
      'making a collection',
      async (api, init) => {
        try {
          return (await api.createCollection({ collection_name, ...shape }, init)).data.result;
        } catch (error) {
          if (answerStatus(error) === 409) return true; // another process created it first; its collection is checked next
          throw answerStatus(error) === 404 ? requestFailure(this.#connection.endpoint, error) : error;
        }
      },
      options,
    );
  }

  async #index(
    name: string,
    { field, schema }: { readonly field: string; readonly schema: 'keyword' | 'integer' },
    options: AbortOptions,
  ): Promise<void> {
    const body = {
      collection_name: await this.nameOf(name),
      wait: true,
      field_name: field,
      field_schema: schema,
    } as const;
    const made = await this.#connection.ask(
      'indexing a payload',
      async (api, init) => (await api.createFieldIndex(body, init)).data.result,
      options,
    );
    if (made === undefined) throw await this.missing(name);
  }
}

/** Without a database, nothing on the server is known to belong to this knowledge base. */
function withoutDatabase(error: unknown): null {
  if (isKebabError(error, 'not_indexed')) return null;
  throw error;
}

/** A collection, and the indexes that its payloads need. */
interface IndexedCollection {
  readonly name: string;
  readonly info: Schemas['CollectionInfo'];
  readonly indexes: Readonly<Record<string, 'keyword' | 'integer'>>;
}

/** The parameters of a new collection of dense vectors. */
function denseCollection(config: QdrantConfig, dimensions: number): Schemas['CreateCollection'] {
  const { onDisk, quantization } = config;
  return {
    vectors: { [VECTOR]: { size: dimensions, distance: 'Cosine', on_disk: onDisk } },
    ...(quantization === 'int8'
      ? { quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } } }
      : {}),
    ...distribution(config),
  };
}

/** The parameters of a new collection of words: queries bring the rarity of each word, counted over all shards, so that no shard adds its own. */
function wordCollection(config: QdrantConfig): Schemas['CreateCollection'] {
  return { vectors: {}, sparse_vectors: { [WORDS]: { index: { on_disk: config.onDisk } } }, ...distribution(config) };
}

function distribution({ shardNumber, replicationFactor }: QdrantConfig): Schemas['CreateCollection'] {
  return {
    on_disk_payload: true,
    ...(shardNumber === undefined ? {} : { shard_number: shardNumber }),
    ...(replicationFactor === undefined
      ? {}
      : { replication_factor: replicationFactor, write_consistency_factor: ENOUGH_COPIES }),
  };
}

/**
 * A write succeeds when one replica of a shard has it, and a read uses one, so that an unavailable node has no effect while a replica is
 * left. A lagging replica may contain deleted points, which the database filters out, or lack points, which the next ingest writes again.
 */
const ENOUGH_COPIES = 1;

/** Search parameters: wide enough for a recall of 0.99, with quantised results rescored by the full vectors. */
export function searchParameters({ quantization }: QdrantConfig, limit: number): Schemas['SearchParams'] {
  return {
    hnsw_ef: Math.max(256, limit * 2),
    ...(quantization === 'int8' ? { quantization: { rescore: true, oversampling: 2 } } : {}),
  };
}

/** The dimensions of a collection's vectors; undefined if it was not created by kebab. */
function dimensionsOf({ config }: Schemas['CollectionInfo']): number | undefined {
  const { vectors } = config.params;
  const shape = (vectors as Readonly<Record<string, { readonly size?: unknown } | undefined>> | undefined)?.[VECTOR];
  return typeof shape?.size === 'number' ? shape.size : undefined;
}
