import type { AbortOptions, ChunkId, CommittedDocuments, SearchFilters } from '@kebab/core';
import {
  comparedScore,
  compareCodePoints,
  INDEX_VERSION,
  isToken,
  MAX_TIED,
  type IndexToken,
  type NamedChunk,
  type NamesRequest,
  type PostedHit,
  type PostedRanking,
  type PostedScope,
  type TokensRequest,
  type WordEngine,
  type WordState,
} from '@kebab/core/store';
import type { Schemas } from '@qdrant/js-client-rest';
import { chunkIdOf, pointIdOf, WORDS } from '../payload.ts';
import { payloadConditions, type PointCondition, type PointFilter, pointFilters } from '../point-filter.ts';
import type { QdrantCollections } from '../qdrant-collections.ts';
import type { QdrantConnection } from '../qdrant-connection.ts';
import { readCount } from '../read-answers.ts';
import { dimensionOf, namedChunkOf, type WordPayload } from './word-points.ts';

/** How many hits are read beyond those that are wanted, which may tie with the last of them. */
const TIES_EXPECTED = 16;

/** What is known of a collection of words, in a point of its own without a vector. */
export interface StoredState {
  /** The corpus revision that it holds; -1 while it is rebuilt. */
  readonly revision: number;
  readonly index_version: string;
  /** The numbers of chunks: all, and those of source code. */
  readonly chunks: number;
  readonly code: number;
  /** The number of tokens of all chunks. */
  readonly tokens: number;
  /** The average length that points are computed with. */
  readonly average: number;
  /** Different after each change. */
  readonly stamp: string;
}

/** The id of the point that has the state. */
export const STATE_ID = '00000000-0000-0000-0000-000000000000';

const SCROLLED_AT_ONCE = 2000;
/** How many chunks with the words of a name are read, of which those with the shortest names are taken. */
const NAMES_READ = 2000;
const CODE: PointCondition = { key: 'media', match: { any: ['code'] } };

/** What an engine works with. */
export interface WordEngineInit {
  readonly connection: QdrantConnection;
  readonly collections: QdrantCollections;
  readonly documents: () => Promise<CommittedDocuments>;
}

/** A chunk with members of the payload of its point. */
interface ReadPoint {
  readonly chunkId: ChunkId;
  readonly payload: WordPayload;
}

/** The terms of chunks as sparse vectors and indexed payloads of a Qdrant collection. */
export class QdrantWordEngine implements WordEngine {
  readonly #connection: QdrantConnection;
  readonly #collections: QdrantCollections;
  readonly #documents: WordEngineInit['documents'];
  #vocabulary: { readonly stamp: string; readonly counts: Promise<ReadonlyMap<string, number>> } | undefined;

  constructor({ connection, collections, documents }: WordEngineInit) {
    this.#connection = connection;
    this.#collections = collections;
    this.#documents = documents;
  }

  async state(options: AbortOptions): Promise<WordState> {
    const documents = await this.#documents();
    const [stored, revision] = await Promise.all([this.storedState(options), documents.corpusRevision()]);
    if (stored === null) {
      const isCurrent = (await documents.documentCount()) === 0;
      return { version: '', size: { chunks: 0, code: 0 }, averageLength: 1, isCurrent };
    }
    const { chunks, code, average, stamp } = stored;
    const isCurrent = stored.revision === revision && stored.index_version === INDEX_VERSION;
    return { version: stamp, size: { chunks, code }, averageLength: average, isCurrent };
  }

  /** What the collection holds; null if there is none, or it has never been written. */
  async storedState(options: AbortOptions): Promise<StoredState | null> {
    const collection_name = await this.#collections.nameOf(WORDS);
    const body = { collection_name, ids: [STATE_ID], with_payload: true, with_vector: false };
    const points = await this.#connection.ask(
      'reading the state of the words',
      async (api, init) => (await api.getPoints(body, init)).data.result,
      options,
    );
    return (points?.[0]?.payload as unknown as StoredState | undefined) ?? null;
  }

  async frequencies(terms: readonly string[], options: AbortOptions): Promise<readonly number[]> {
    return Promise.all(terms.map((term) => this.countPoints({ must: [termCondition([term])] }, options)));
  }

  async count(scope: PostedScope, options: AbortOptions): Promise<number> {
    const filters = await this.#scopes(scope);
    const counts = await Promise.all(filters.map((filter) => this.countPoints(filter, options)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** The number of chunks that pass a filter. */
  async countPoints({ must = [] }: PointFilter, options: AbortOptions): Promise<number> {
    const filter = { must, must_not: [{ has_id: [STATE_ID] }] } as unknown as Schemas['Filter'];
    const body = { collection_name: await this.#collections.nameOf(WORDS), filter, exact: true };
    const counted = await this.#connection.ask(
      'counting words',
      async (api, init) => readCount((await api.countPoints(body, init)).data.result),
      options,
    );
    return counted ?? 0;
  }

  /** Asks for more while the end of the list ties with the last hit of the limit: the order of ties is not the server's. */
  async rank(ranking: PostedRanking, options: AbortOptions): Promise<readonly PostedHit[]> {
    for (let limit = ranking.limit + TIES_EXPECTED; ; limit *= 2) {
      const hits = await this.#best({ ...ranking, limit }, options);
      const last = hits.at(-1);
      const tied = hits[ranking.limit - 1];
      if (hits.length < limit || last === undefined || tied === undefined || limit >= MAX_TIED) return hits;
      // What ties with the end of the list may go on behind it.
      const end = comparedScore(last.score);
      if (end < comparedScore(tied.score)) return hits.filter(({ score }) => comparedScore(score) > end);
    }
  }

  /** Source code, where some words weigh less, and everything else are searched apart. */
  async #best({ terms, all, filters, limit }: PostedRanking, options: AbortOptions): Promise<readonly PostedHit[]> {
    const scopes = await this.#scopes({ all, filters });
    const isOne = terms.every(({ weight, inCode }) => weight === inCode);
    const plain = terms.map(({ term, weight }) => [term, weight] as const);
    const code = terms.map(({ term, inCode }) => [term, inCode] as const);
    const queries = scopes.flatMap(({ must = [], must_not: not = [] }) =>
      isOne
        ? [{ terms: plain, filter: { must, must_not: not } }]
        : [
            { terms: plain, filter: { must, must_not: [...not, CODE] } },
            { terms: code, filter: { must: [...must, CODE], must_not: not } },
          ],
    );
    const lists = await Promise.all(queries.map((query) => this.#query({ ...query, limit }, options)));
    const hits = lists.flat();
    return lists.length === 1 ? hits : hits.toSorted((a, b) => b.score - a.score).slice(0, limit);
  }

  async #query({ terms, filter, limit }: SparseQuery, options: AbortOptions): Promise<readonly PostedHit[]> {
    const weights = new Map<number, number>();
    for (const [term, weight] of terms) {
      const dimension = dimensionOf(term);
      weights.set(dimension, weight + (weights.get(dimension) ?? 0));
    }
    if (weights.size === 0) return [];
    const body = {
      collection_name: await this.#collections.nameOf(WORDS),
      query: { indices: [...weights.keys()], values: [...weights.values()] },
      using: WORDS,
      filter: filter as unknown as Schemas['Filter'],
      limit,
      with_payload: ['path', 'ordinal', 'source'],
    };
    const points = await this.#connection.ask(
      'searching words',
      async (api, init) => (await api.queryPoints(body, init)).data.result?.points,
      options,
    );
    return (points ?? []).map(({ id, score, payload }) => {
      const { path = '', ordinal, source = '' } = payload as unknown as WordPayload;
      return { chunkId: chunkIdOf(id), score, path, ordinal, sourceId: source };
    });
  }

  async matching(scope: PostedScope, options: AbortOptions): Promise<readonly ChunkId[]> {
    const ids: ChunkId[] = [];
    for (const filter of await this.#scopes(scope))
      for await (const page of this.points(filter, [], options)) for (const { chunkId } of page) ids.push(chunkId);
    return ids;
  }

  async named(
    tokens: readonly string[],
    { filters, limit, inText }: NamesRequest,
    options: AbortOptions,
  ): Promise<readonly NamedChunk[]> {
    const own = tokens.map((token): PointCondition =>
      inText ? termCondition([token]) : { key: 'name', match: { any: [token] } },
    );
    const members = ['doc_id', 'path', 'ordinal', 'title', 'aliases', 'headings', 'symbol', 'name_length'] as const;
    const read: ReadPoint[] = [];
    for (const { must = [], ...rest } of await this.#scopes({ all: [], filters }))
      for await (const page of this.points({ must: [...must, ...own], ...rest }, members, options)) {
        read.push(...page);
        if (read.length >= NAMES_READ) break;
      }
    return read
      .toSorted((a, b) => a.payload.name_length - b.payload.name_length || compareCodePoints(a.chunkId, b.chunkId))
      .slice(0, limit)
      .map(({ chunkId, payload }) => namedChunkOf(chunkId, payload));
  }

  async extras(ids: readonly ChunkId[], options: AbortOptions): Promise<ReadonlyMap<ChunkId, readonly string[]>> {
    const extras = new Map<ChunkId, readonly string[]>();
    const filter = { must: [{ has_id: ids.map(pointIdOf) }] };
    for await (const page of this.points(filter, ['extra'], options))
      for (const { chunkId, payload } of page) extras.set(chunkId, payload.extra);
    return extras;
  }

  async tokens({ beginning, limit }: TokensRequest, options: AbortOptions): Promise<readonly IndexToken[]> {
    const tokens: IndexToken[] = [];
    for (const [token, chunks] of await this.#terms(options))
      if (token.length > beginning.length && token.startsWith(beginning) && isToken(token))
        tokens.push({ token, chunks });
    return tokens.toSorted((a, b) => compareCodePoints(a.token, b.token)).slice(0, limit);
  }

  /** All terms with the number of chunks that have them, read once until the index changes. */
  async #terms(options: AbortOptions): Promise<ReadonlyMap<string, number>> {
    const stamp = (await this.storedState(options))?.stamp ?? '';
    if (this.#vocabulary?.stamp === stamp) return this.#vocabulary.counts;
    const counts = this.#countTerms(options);
    this.#vocabulary = { stamp, counts };
    counts.catch(() => (this.#vocabulary = undefined));
    return counts;
  }

  async #countTerms(options: AbortOptions): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for await (const page of this.points({}, ['term'], options))
      for (const { payload } of page) for (const term of payload.term) counts.set(term, (counts.get(term) ?? 0) + 1);
    return counts;
  }

  /** The points of chunks, page by page, with some members of their payloads. */
  async *points(
    { must = [], must_not: not = [] }: PointFilter,
    members: readonly (keyof WordPayload)[],
    options: AbortOptions,
  ): AsyncGenerator<readonly ReadPoint[]> {
    const filter = { must, must_not: [...not, { has_id: [STATE_ID] }] } as unknown as Schemas['Filter'];
    for (let offset: string | undefined; ;) {
      const body = {
        collection_name: await this.#collections.nameOf(WORDS),
        filter,
        limit: SCROLLED_AT_ONCE,
        with_payload: members.length === 0 ? false : [...members],
        with_vector: false,
        ...(offset === undefined ? {} : { offset }),
      };
      const page: Schemas['ScrollResult'] | undefined = await this.#connection.ask(
        'reading words',
        async (api, init) => (await api.scrollPoints(body, init)).data.result,
        options,
      );
      if (page === undefined) return;
      yield page.points.map(({ id, payload }) => ({
        chunkId: chunkIdOf(id as string),
        payload: payload as unknown as WordPayload,
      }));
      const next = page.next_page_offset as string | null | undefined;
      if (next === null || next === undefined || next === offset) return;
      offset = next;
    }
  }

  /** A scope as filters whose results are combined; none if nothing can pass. */
  async #scopes({ all, filters }: PostedScope): Promise<readonly PointFilter[]> {
    const own = all.map(termCondition);
    const found = Object.values(filters).every((value) => value === undefined) ? [{}] : await this.#filters(filters);
    return found.map(({ must = [], ...rest }: PointFilter) => ({ must: [...must, ...own], ...rest }));
  }

  /** Filters that payloads cannot express are resolved to documents. */
  async #filters(filters: SearchFilters): Promise<readonly PointFilter[]> {
    const isDirect = payloadConditions(filters) !== undefined;
    const docIds = isDirect ? new Set<never>() : await (await this.#documents()).documentIds(filters);
    return pointFilters({ allow: { kind: 'documents', docIds, ...(isDirect ? { where: filters } : {}) } });
  }
}

interface SparseQuery {
  readonly terms: readonly (readonly [term: string, weight: number])[];
  readonly filter: PointFilter;
  readonly limit: number;
}

function termCondition(terms: readonly string[]): PointCondition {
  return { key: 'term', match: { any: terms } };
}
