import assert from 'node:assert/strict';
import { type DocumentId, type CommittedDocuments, TRUST_LEVELS, type SearchFilters } from '@kebab/core';
import {
  type ChunkWithDocument,
  type DocumentRow,
  type DocumentWrite,
  type DocumentStore,
  type DocumentTransaction,
  type DocumentWriter,
  compareCodePoints,
  documentDate,
  allTags,
  type IngestRunRow,
  type ReadRule,
  type VectorNote,
} from '@kebab/core/store';
import { mintEmbeddingId } from '@kebab/core/suites';
import { sampleWrite } from './sample-documents.ts';

/** The part that a plugin may read of a knowledge base with these documents: for tests of retrievers. */
export async function storeWith(documents: readonly DocumentWrite[]): Promise<CommittedDocuments> {
  return growingStore(documents).documents;
}

/** Like {@link storeWith}, with a way to commit further documents. */
export function growingStore(first: readonly DocumentWrite[]): {
  readonly documents: CommittedDocuments;
  readonly commit: (more: readonly DocumentWrite[]) => void;
} {
  let writes: readonly DocumentWrite[] = [];
  let revision = 0;
  const commit = (more: readonly DocumentWrite[]): void => {
    writes = [...writes, ...more].toSorted(
      ({ document: a }, { document: b }) =>
        compareCodePoints(a.sourceId, b.sourceId) || compareCodePoints(a.workspacePath, b.workspacePath),
    );
    revision += 1;
  };
  commit(first);
  const written = (id: DocumentId): readonly DocumentWrite[] => writes.filter(({ document }) => document.docId === id);
  const matching = (filters: SearchFilters): readonly DocumentRow[] =>
    writes.map(rowOf).filter((row) => matchesFilters(row, filters));
  const documents: CommittedDocuments = {
    corpusRevision: async () => revision,
    documentCount: async () => writes.length,
    documentIds: async (filters) => new Set(matching(filters).map(({ docId }) => docId)),
    getDocuments: async (ids) => ids.flatMap(written).map(rowOf),
    getChunks: async (ids) => {
      const chunks = new Map(
        writes.flatMap((write) =>
          write.chunks.map((chunk): [string, ChunkWithDocument] => [chunk.chunkId, { chunk, document: rowOf(write) }]),
        ),
      );
      return ids.flatMap((id) => chunks.get(id) ?? []);
    },
    listChunks: async (id, from, to) => written(id).flatMap((write) => write.chunks.slice(from, to)),
    listDocuments: async (filters, { offset, limit }) => {
      const rows = matching(filters);
      return { documents: rows.slice(offset, offset + limit), total: rows.length };
    },
    readTexts: async (slices) =>
      slices.flatMap(({ docId, start, end }) => written(docId).map(({ document }) => document.text.slice(start, end))),
  };
  return { documents, commit };
}

/** A document as a store lists it. */
export function rowOf(write: DocumentWrite): DocumentRow {
  const { asset, document, chunks, fingerprints, chunkerVersion, file, committedAt } = write;
  const { metadata } = document;
  return {
    docId: document.docId,
    assetId: asset.assetId,
    sourceId: document.sourceId,
    workspacePath: document.workspacePath,
    media: document.mediaType.kind,
    title: document.title,
    lang: document.lang,
    sourceType: metadata.sourceType,
    trustLevel: metadata.trustLevel,
    repo: metadata.repo,
    codeLang: metadata.codeLang,
    tags: metadata.tags,
    ...(metadata.inlineTags === undefined ? {} : { inlineTags: metadata.inlineTags }),
    parserVersion: document.parserVersion,
    chunkerVersion,
    fingerprints,
    docVersion: document.docVersion,
    byteLen: asset.byteLen,
    chunkCount: chunks.length,
    textLength: document.text.length,
    pages: document.pages,
    file,
    checksum: asset.checksum,
    createdAt: metadata.createdAt,
    updatedAt: metadata.updatedAt,
    date: documentDate(metadata.user, metadata.updatedAt),
    committedAt,
    indexedAt: committedAt,
  };
}

function isReadable({ sourceId, workspacePath }: DocumentRow, rules: readonly ReadRule[]): boolean {
  const fits = ({ source = sourceId, path: glob = '**' }: ReadRule): boolean =>
    source === sourceId && (workspacePath === glob || globPattern(glob).test(workspacePath));
  return rules.find(fits)?.isAllowed ?? false;
}

/** Whether a document without front matter passes every filter: the reference definition for stores. */
export function matchesFilters(document: DocumentRow, filters: SearchFilters): boolean {
  return (
    (filters.tag === undefined ||
      filters.tag.some((tag) => allTags(document).some((other) => isTagBelow(other, tag)))) &&
    among(filters.lang, document.lang) &&
    (filters.pathGlob === undefined ||
      filters.pathGlob.some((glob) =>
        [document.workspacePath, `${document.sourceId}:${document.workspacePath}`].some(
          (path) => path === glob || globPattern(glob).test(path),
        ),
      )) &&
    (filters.trustMin === undefined || trustOf(document.trustLevel) <= trustOf(filters.trustMin)) &&
    among(filters.media, document.media) &&
    (filters.ingestedAfter === undefined || document.committedAt >= filters.ingestedAfter) &&
    (filters.since === undefined || documentDate({}, document.updatedAt) >= filters.since) &&
    (filters.until === undefined || documentDate({}, document.updatedAt) < filters.until) &&
    among(filters.docId, document.docId) &&
    among(filters.repo, document.repo) &&
    among(filters.codeLang, document.codeLang) &&
    among(filters.source, document.sourceId) &&
    among(filters.sourceType, document.sourceType) &&
    (filters.title === undefined || filters.title.some((words) => holdsWords(document.title, words))) &&
    (filters.within === undefined || matchesFilters(document, filters.within)) &&
    (filters.readable === undefined || isReadable(document, filters.readable))
  );
}

/** Whether a tag is `wanted` or nested below it; a leading `#` from front matter is ignored. */
function isTagBelow(tag: string, wanted: string): boolean {
  const bare = tag.replace(/^#+/, '');
  return bare === wanted || bare.startsWith(`${wanted}/`);
}

function holdsWords(title: string, words: string): boolean {
  const spaced = (text: string): string =>
    ` ${
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? ''
    } `;
  return spaced(title).includes(spaced(words));
}

function among<T>(wanted: readonly T[] | undefined, value: T | null): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value));
}

function trustOf(level: DocumentRow['trustLevel']): number {
  return TRUST_LEVELS.indexOf(level);
}

/** All other characters stand for themselves; `[…]` is the same in both languages. */
const GLOB_PIECES: Readonly<Record<string, string>> = { '**/': '(?:[^/]+/)*', '**': '.*', '*': '[^/]*', '?': '[^/]' };

function globPattern(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[\\^$.+(){}|]/g, (piece) => GLOB_PIECES[piece] ?? `\\${piece}`);
  return new RegExp(`^${source}${below(glob)}$`, 'su');
}

/** The name of a folder stands for everything below it: with a trailing slash, or with a last name without wildcards. */
function below(glob: string): string {
  if (glob.endsWith('/')) return '.*';
  return /[*?[{\\]/.test(glob.slice(glob.lastIndexOf('/') + 1)) ? '' : '(?:/.*)?';
}

/** A document store without documents. */
export interface OpenDocumentStore {
  readonly store: DocumentStore;
  /** Opens the same documents again, read-only; absent when only the opener can see them. */
  readonly reader?: () => Promise<DocumentStore>;
  readonly close?: () => void | Promise<void>;
}

/** One promise of a document store, tested on its own store. */
export type DocumentStoreCase = readonly [name: string, check: (opened: OpenDocumentStore) => void | Promise<void>];

/** Applies changes in one transaction of a writer that is opened for it. */
export async function change(store: DocumentStore, perform: (tx: DocumentTransaction) => void): Promise<void> {
  return withWriter(store, (writer) => writer.transaction(perform));
}

/** Opens a writer for the duration of `act`. */
export async function withWriter<T>(store: DocumentStore, act: (writer: DocumentWriter) => T | Promise<T>): Promise<T> {
  const writer = await store.openWriter({ waitMs: 0 });
  try {
    return await act(writer);
  } finally {
    await writer.close();
  }
}

/** Writes documents in one transaction. */
export async function put(store: DocumentStore, ...writes: readonly DocumentWrite[]): Promise<void> {
  await change(store, (tx) => {
    for (const write of writes) tx.putDocument(write);
  });
}

/** Writes a text at each of some paths, and returns what was written. */
export async function putTexts(
  store: DocumentStore,
  texts: Readonly<Record<string, string>>,
): Promise<readonly DocumentWrite[]> {
  const writes = Object.entries(texts).map(([path, text]) => sampleWrite(path, text));
  await put(store, ...writes);
  return writes;
}

/** The record of an ingest that ended at a time. */
export function ingestRun(runId: string, finishedAt: Date): IngestRunRow {
  return {
    runId,
    scopeJson: '{"root":"/a\\u0000"}',
    scanned: 9,
    newCount: 1,
    updatedCount: 2,
    unchangedCount: 3,
    skippedCount: 4,
    errorCount: 5,
    purgedCount: 6,
    embeddingsPending: 7,
    aborted: false,
    durationMs: 123,
    startedAt: new Date(finishedAt.getTime() - 123),
    finishedAt,
    itemsJson: null,
  };
}

/** The fingerprint of the vectors of {@link vectorNotes}. */
export const FINGERPRINT = 'sample@1';
/** The collection of the vectors of {@link vectorNotes}. */
export const COLLECTION = 'chunk_embeddings_sample_4_0123456789ab';

/** The notes of a ledger about a vector for each chunk of a document. */
export function vectorNotes({ chunks }: DocumentWrite): readonly VectorNote[] {
  const model = { modelId: 'sample', modelVersion: 'v1', dimensions: 4 };
  const place = { fingerprint: FINGERPRINT, store: 'sample-store', collection: COLLECTION };
  return chunks.map(({ chunkId }) => ({
    ...model,
    ...place,
    chunkId,
    embeddingId: mintEmbeddingId({ chunkId, ...model }),
  }));
}

/** Fails unless a store contains exactly what was written, undamaged. */
export async function assertHolds(store: DocumentStore, writes: readonly DocumentWrite[]): Promise<void> {
  assert.equal(await store.documentCount(), writes.length);
  assert.equal(
    (await store.stats()).chunks,
    writes.reduce((count, { chunks }) => count + chunks.length, 0),
  );
  for (const write of writes) await assertStored(store, write);
  assert.deepEqual(await store.checkIntegrity(), []);
}

/** Fails unless a document is returned exactly as it was written, by every way of reading it. */
async function assertStored(store: DocumentStore, write: DocumentWrite): Promise<void> {
  const { document, chunks } = write;
  const { docId, sourceId, workspacePath } = document;
  assert.deepEqual(await store.getCanonicalDocument(docId), document);
  assert.deepEqual((await store.getBlocks([docId])).get(docId), document.blocks);
  assert.deepEqual(await store.readTexts([{ docId }]), [document.text]);
  assert.deepEqual(await store.listChunks(docId), chunks);
  const [row] = await store.getDocuments([docId]);
  assert.deepEqual(row, rowOf(write));
  assert.deepEqual(await store.findDocument(sourceId, workspacePath), row);
  for (const chunk of chunks) {
    const [whole] = await store.getChunks([chunk.chunkId]);
    const { around, ...found } = whole ?? {};
    assert.deepEqual(found, { chunk, document: row });
    if (around === undefined) continue;
    const { start, text } = around;
    assert.ok(start <= chunk.start && start + text.length >= chunk.end);
    assert.ok(document.text.startsWith(text, start));
  }
}
