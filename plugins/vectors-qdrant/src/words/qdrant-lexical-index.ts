import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { analyseChunk, throwIfCancelled, type AbortOptions, type ChunkId, type DocumentId } from '@kebab/core';
import {
  INDEX_VERSION,
  PostedLexicalIndex,
  searchExtras,
  type DocumentRow,
  type IndexUpdate,
  type LexicalIndex,
} from '@kebab/core/store';
import type { Schemas } from '@qdrant/js-client-rest';
import { pointIdOf, WORDS } from '../payload.ts';
import type { PointFilter } from '../point-filter.ts';
import type { QdrantCollections } from '../qdrant-collections.ts';
import type { QdrantConnection } from '../qdrant-connection.ts';
import { batches, writePoints } from '../write-points.ts';
import { QdrantWordEngine, STATE_ID, type StoredState, type WordEngineInit } from './qdrant-word-engine.ts';
import { wordPoints, type IndexedDocument } from './word-points.ts';

const DOCUMENTS_AT_ONCE = 64;
const LISTED_AT_ONCE = 500;
const DELETED_AT_ONCE = 1000;
/** The documents from which the average length of chunks is taken before the first point is written: evenly spread pages. */
const SAMPLED_PAGES = 50;
const SAMPLED_AT_ONCE = 40;
/** The documents whose points are looked at before an update. */
const RECONCILED = 32;
/** Points are computed again when the average length has moved by more than this share since. */
const MAX_DRIFT = 0.03;

/** A lexical index on a Qdrant server: one collection a knowledge base, a point a chunk. */
export class QdrantLexicalIndex extends PostedLexicalIndex implements LexicalIndex {
  readonly #engine: QdrantWordEngine;
  readonly #connection: QdrantConnection;
  readonly #collections: QdrantCollections;

  constructor({ connection, collections, documents }: WordEngineInit) {
    const engine = new QdrantWordEngine({ connection, collections, documents });
    super({ id: 'qdrant', version: '1.0.0', engine, documents });
    this.#engine = engine;
    this.#connection = connection;
    this.#collections = collections;
  }

  async update({ documents, changes }: IndexUpdate, options: AbortOptions = {}): Promise<void> {
    const revision = await documents.corpusRevision();
    const stored = await this.#engine.storedState(options);
    const isSame = stored !== null && stored.index_version === INDEX_VERSION;
    const known = { documents, average: isSame ? stored.average : 0, options };
    const isWhole = isSame && (await this.#holds(stored, known, changes?.docIds));
    if (isWhole && stored.revision === revision) return;
    await this.#collections.ensureWords(options);
    const average = isSame ? stored.average : await sampledAverage(documents);
    const isPartial = isWhole && changes !== undefined && stored.revision === changes.since;
    const run = { documents, average, options };
    let tokens = isPartial ? stored.tokens : 0;
    if (isPartial)
      for (const ids of batches([...changes.docIds], DOCUMENTS_AT_ONCE)) tokens += await this.#replace(ids, run);
    else tokens = await this.#compareAll({ ...run, isSame });
    const chunks = await this.#engine.countPoints({}, options);
    const exact = chunks === 0 ? average : tokens / chunks;
    if (Math.abs(exact / average - 1) > MAX_DRIFT) {
      await this.#setState({ revision: -1, chunks, tokens, average: exact }, options);
      await this.#compareAll({ documents, average: exact, options, isSame: true });
    }
    const isKept = Math.abs(exact / average - 1) <= MAX_DRIFT;
    await this.#setState({ revision, chunks, tokens, average: isKept ? average : exact }, options);
  }

  async drop(options: AbortOptions = {}): Promise<void> {
    await this.#collections.drop(WORDS, options);
  }

  /** Whether the collection has as many points as it had when it was written, and those of a sample of the documents that have not changed since. */
  async #holds(
    { chunks }: StoredState,
    { documents, average, options }: UpdateRun,
    changed: ReadonlySet<DocumentId> = new Set(),
  ): Promise<boolean> {
    if ((await this.#engine.countPoints({}, options)) !== chunks) return false;
    const first = Math.floor(Math.random() * Math.max(1, (await documents.documentCount()) - RECONCILED + 1));
    const { documents: listed } = await documents.listDocuments({}, { offset: first, limit: RECONCILED });
    const rows = listed.filter(({ docId, chunkCount }) => chunkCount > 0 && !changed.has(docId));
    const ofSample = { must: [{ key: 'doc_id', match: { any: rows.map(({ docId }) => docId) } }] } as const;
    const held = rows.length === 0 ? new Map<DocumentId, HeldDocument>() : await this.#held(ofSample, options);
    return rows.every((row) => {
      const document = held.get(row.docId);
      return document !== undefined && isHeld(document, row, average);
    });
  }

  /** Writes the points of documents, removes the others of theirs, and returns by how much the number of tokens has changed. */
  async #replace(ids: readonly DocumentId[], { documents, average, options }: UpdateRun): Promise<number> {
    throwIfCancelled(options.signal, 'ingest');
    const old = new Map<ChunkId, number>();
    const ofDocuments = { must: [{ key: 'doc_id', match: { any: ids } }] } as const;
    for await (const page of this.#engine.points(ofDocuments, ['length'], options))
      for (const { chunkId, payload } of page) old.set(chunkId, payload.length);
    let tokens = 0;
    for (const length of old.values()) tokens -= length;
    const points: Schemas['PointStruct'][] = [];
    for (const row of await documents.getDocuments(ids)) {
      await nextTurn(); // a store in this process answers without one, and connections would not notice that the server closes them
      for (const { length, ...point } of wordPoints(await readIndexed(documents, row), average)) {
        points.push(point);
        tokens += length;
      }
    }
    const target = { connection: this.#connection, collections: this.#collections, name: WORDS };
    await writePoints(target, points, options);
    const written = new Set(points.map(({ id }) => id));
    await this.#delete(
      [...old.keys()].map(pointIdOf).filter((id) => !written.has(id)),
      options,
    );
    return tokens;
  }

  /** Compares all documents with the points, writes those that differ, and returns the number of tokens. */
  async #compareAll({ isSame, ...run }: UpdateRun & { readonly isSame: boolean }): Promise<number> {
    const { documents, average, options } = run;
    const held = await this.#held({}, options);
    let tokens = 0;
    for (const { tokens: own } of held.values()) tokens += own;
    let differing: DocumentId[] = [];
    for (let offset = 0; ;) {
      const { documents: rows, total } = await documents.listDocuments({}, { offset, limit: LISTED_AT_ONCE });
      for (const row of rows) {
        const known = held.get(row.docId);
        held.delete(row.docId);
        if (!isSame || known === undefined || !isHeld(known, row, average)) differing.push(row.docId);
      }
      for (const ids of batches(differing, DOCUMENTS_AT_ONCE)) tokens += await this.#replace(ids, run);
      differing = [];
      offset += rows.length;
      if (rows.length === 0 || offset >= total) break;
    }
    for (const ids of batches([...held.keys()], DOCUMENTS_AT_ONCE)) tokens += await this.#replace(ids, run);
    return tokens;
  }

  /** What the points that pass a filter say about their documents. */
  async #held(filter: PointFilter, options: AbortOptions): Promise<Map<DocumentId, HeldDocument>> {
    const held = new Map<DocumentId, HeldDocument>();
    for await (const page of this.#engine.points(filter, ['doc_id', 'committed_at', 'average', 'length'], options))
      for (const { payload } of page) {
        const known = held.get(payload.doc_id) ?? { chunks: 0, tokens: 0, committed: new Set(), averages: new Set() };
        known.committed.add(payload.committed_at ?? 0);
        known.averages.add(payload.average);
        held.set(payload.doc_id, {
          ...known,
          chunks: known.chunks + 1,
          tokens: known.tokens + payload.length,
        });
      }
    return held;
  }

  async #delete(ids: readonly string[], options: AbortOptions): Promise<void> {
    for (const points of batches(ids, DELETED_AT_ONCE)) {
      const filter = { must: [{ has_id: [...points] }] };
      const body = { collection_name: await this.#collections.nameOf(WORDS), wait: true, filter };
      await this.#connection.ask(
        'deleting words',
        async (api, init) => (await api.deletePoints(body, init)).data.result,
        options,
      );
    }
  }

  async #setState(
    state: Pick<StoredState, 'revision' | 'chunks' | 'tokens' | 'average'>,
    options: AbortOptions,
  ): Promise<void> {
    const code = await this.#engine.countPoints({ must: [{ key: 'media', match: { any: ['code'] } }] }, options);
    const payload: StoredState = { ...state, code, index_version: INDEX_VERSION, stamp: randomUUID() };
    const target = { connection: this.#connection, collections: this.#collections, name: WORDS };
    await writePoints(target, [{ id: STATE_ID, vector: {}, payload: { ...payload } }], options);
  }
}

/** The inputs of an update that stay the same. */
interface UpdateRun {
  readonly documents: IndexUpdate['documents'];
  readonly average: number;
  readonly options: AbortOptions;
}

/** What the points of a document say. */
interface HeldDocument {
  readonly chunks: number;
  readonly tokens: number;
  readonly committed: Set<number>;
  readonly averages: Set<number>;
}

function isHeld({ chunks, committed, averages }: HeldDocument, row: DocumentRow, average: number): boolean {
  return (
    chunks === row.chunkCount &&
    committed.size === 1 &&
    committed.has(row.committedAt.getTime()) &&
    averages.size === 1 &&
    averages.has(average)
  );
}

/** The average number of tokens of chunks. */
async function sampledAverage(documents: IndexUpdate['documents']): Promise<number> {
  const count = await documents.documentCount();
  const step = Math.max(SAMPLED_AT_ONCE, Math.ceil(count / SAMPLED_PAGES));
  let tokens = 0;
  let chunks = 0;
  for (let offset = 0; offset < count; offset += step) {
    const { documents: rows } = await documents.listDocuments({}, { offset, limit: SAMPLED_AT_ONCE });
    for (const row of rows) {
      await nextTurn();
      for (const { length } of wordPoints(await readIndexed(documents, row), 1)) {
        tokens += length;
        chunks++;
      }
    }
  }
  return chunks === 0 ? 1 : tokens / chunks;
}

async function readIndexed(documents: IndexUpdate['documents'], document: DocumentRow): Promise<IndexedDocument> {
  const { docId } = document;
  const [chunks, canonical, stored] = await Promise.all([
    documents.listChunks(docId),
    documents.getCanonicalDocument(docId),
    documents.indexTexts?.(docId),
  ]);
  const extra = canonical === null ? [] : searchExtras(canonical.metadata);
  const index =
    stored ??
    chunks.map(({ text, headingPath, ordinal, sectionLabel }) =>
      analyseChunk({
        text,
        title: document.title,
        headingPath,
        workspacePath: document.workspacePath,
        symbol: document.media === 'code' ? sectionLabel : null,
        extra: ordinal === 0 ? extra : [],
        prefix: null,
      }),
    );
  return { document, chunks, index, aliases: canonical?.metadata.aliases ?? [], extra };
}
