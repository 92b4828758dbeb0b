import type { ChunkWithDocument, DocumentRow, DocumentWrite } from '../contracts/document-store.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { CommittedDocuments } from '../plugin/committed-documents.ts';
import { matchesFilters } from './matches-filters.ts';

/** What a plugin may read of a knowledge base that holds these documents, and nothing else: for tests of retrievers. */
export async function storeWith(documents: readonly DocumentWrite[]): Promise<CommittedDocuments> {
  const writes = documents.toSorted(
    ({ document: a }, { document: b }) =>
      compareCodePoints(a.sourceId, b.sourceId) || compareCodePoints(a.workspacePath, b.workspacePath),
  );
  const byId = new Map(writes.map((write) => [write.document.docId, write]));
  const chunks = new Map(
    writes.flatMap((write) =>
      write.chunks.map((chunk): [string, ChunkWithDocument] => [chunk.chunkId, { chunk, document: rowOf(write) }]),
    ),
  );
  const written = (id: DocumentId): readonly DocumentWrite[] => {
    const write = byId.get(id);
    return write === undefined ? [] : [write];
  };
  return {
    corpusRevision: async () => 1,
    documentCount: async () => writes.length,
    getDocuments: async (ids) => ids.flatMap(written).map(rowOf),
    getChunks: async (ids) => ids.flatMap((id) => chunks.get(id) ?? []),
    listChunks: async (id, from, to) => written(id).flatMap((write) => write.chunks.slice(from, to)),
    listDocuments: async (filters, { offset, limit }) => {
      const rows = writes.map(rowOf).filter((row) => matchesFilters(row, filters));
      return { documents: rows.slice(offset, offset + limit), total: rows.length };
    },
    readTexts: async (slices) =>
      slices.flatMap(({ docId, start, end }) => written(docId).map(({ document }) => document.text.slice(start, end))),
  };
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
    committedAt,
    indexedAt: committedAt,
  };
}
