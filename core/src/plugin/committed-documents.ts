import type { DocumentStore } from '../contracts/document-store.ts';

/** The part of the knowledge base that a plugin may read: committed documents with their chunks, without anything that writes. */
export type CommittedDocuments = Pick<
  DocumentStore,
  | 'corpusRevision'
  | 'documentCount'
  | 'documentIds'
  | 'getDocuments'
  | 'getChunks'
  | 'listChunks'
  | 'listDocuments'
  | 'readTexts'
>;

/** Wraps a store so that only its reading methods are reachable. */
export function committedDocuments(store: CommittedDocuments): CommittedDocuments {
  return Object.freeze({
    corpusRevision: () => store.corpusRevision(),
    documentCount: () => store.documentCount(),
    documentIds: (filters) => store.documentIds(filters),
    getDocuments: (ids) => store.getDocuments(ids),
    getChunks: (ids) => store.getChunks(ids),
    listChunks: (id, from, to) => store.listChunks(id, from, to),
    listDocuments: (filters, page) => store.listDocuments(filters, page),
    readTexts: (slices) => store.readTexts(slices),
  } satisfies CommittedDocuments);
}
