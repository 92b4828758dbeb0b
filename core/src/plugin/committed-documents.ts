import type { DocumentStore } from '../contracts/document-store.ts';

/** What a plugin may read of the knowledge base: committed documents with their chunks, and nothing that writes. */
export type CommittedDocuments = Pick<
  DocumentStore,
  'corpusRevision' | 'documentCount' | 'getDocuments' | 'getChunks' | 'listChunks' | 'listDocuments' | 'readTexts'
>;

/** The reading side of a store alone, so that what is given it cannot reach the rest. */
export function committedDocuments(store: CommittedDocuments): CommittedDocuments {
  return Object.freeze({
    corpusRevision: () => store.corpusRevision(),
    documentCount: () => store.documentCount(),
    getDocuments: (ids) => store.getDocuments(ids),
    getChunks: (ids) => store.getChunks(ids),
    listChunks: (id, from, to) => store.listChunks(id, from, to),
    listDocuments: (filters, page) => store.listDocuments(filters, page),
    readTexts: (slices) => store.readTexts(slices),
  } satisfies CommittedDocuments);
}
