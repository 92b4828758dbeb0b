import type { DocumentRow, DocumentStore } from '../../contracts/document-store.ts';
import { parseChunkId, parseDocumentId } from '../../domain/ids.ts';
import { parseUri } from '../../domain/uri.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { findDocument } from '../../documents/find-document.ts';
import { citeChunk } from '../../citation/cite-chunk.ts';
import { documentKey, type Expected, type ExpectedChunk } from '../query-result.ts';
import { chunkMeets } from './chunk-meets.ts';
import type { GoldenQuery } from './golden-query.ts';

/** What resolving needs of a store. */
export type ExpectationStore = Pick<
  DocumentStore,
  'getDocument' | 'findDocument' | 'findByPath' | 'getChunk' | 'listChunks' | 'readText' | 'getBlocks'
>;

/** What a query expects in terms of the knowledge base, and one line for each expectation that is unknown to it. */
export interface ResolvedExpectations {
  readonly expected: Expected;
  readonly problems: readonly string[];
}

/** Looks up everything that a query expects. Paths become documents, and a URI becomes every chunk that its range touches. */
export function resolveExpectations(store: ExpectationStore, query: GoldenQuery): ResolvedExpectations {
  const problems: string[] = [];
  const resolve = <T>(key: string, values: readonly string[], find: (value: string) => readonly T[] | string): T[] =>
    values.flatMap((value) => {
      const found = findOrExplain(find, value);
      if (typeof found !== 'string') return found;
      problems.push(`${query.id}: ${key}: ${found}`);
      return [];
    });
  const documents = [
    ...resolve('expected_doc_ids', query.expectedDocIds, (id) => {
      const row = store.getDocument(parseDocumentId(id));
      return row === null ? `there is no document ${id}` : [documentKey(row)];
    }),
    ...resolve('expected_doc_paths', query.expectedDocPaths, (path) => {
      const row = findDocument(store, path, undefined);
      return row === null ? `there is no document ${JSON.stringify(path)}` : [documentKey(row)];
    }),
  ];
  const chunks = [
    ...resolve('expected_chunk_ids', query.expectedChunkIds, (id) => {
      const found = store.getChunk(parseChunkId(id));
      return found === null ? `there is no chunk ${id}` : [expectedChunk(found.chunk.chunkId, found.document)];
    }),
    ...resolve('expected_uris', query.expectedUris, (uri) => {
      const { path, fragment } = parseUri(uri);
      const row = findDocument(store, path, undefined);
      if (row === null) return `there is no document ${JSON.stringify(path)}`;
      const touched = store
        .listChunks(row.docId)
        .filter((chunk) => chunkMeets(chunk, citeChunk(store, row, chunk), fragment));
      if (touched.length === 0) return `no chunk lies at ${uri}`;
      return touched.map(({ chunkId }) => expectedChunk(chunkId, row));
    }),
  ];
  const expected = { documents: [...new Set(documents)], chunks: distinct(chunks) };
  return { expected: { ...expected, must_contain: query.mustContain, forbidden: query.forbidden }, problems };
}

/** What is found; a value that cannot even be looked up is explained by the error it causes. */
function findOrExplain<T>(find: (value: string) => readonly T[] | string, value: string): readonly T[] | string {
  try {
    return find(value);
  } catch (error) {
    if (!isKebabError(error, 'invalid_input')) throw error;
    return error.message;
  }
}

function expectedChunk(chunkId: string, document: DocumentRow): ExpectedChunk {
  return { chunk_id: chunkId, document: documentKey(document) };
}

function distinct(chunks: readonly ExpectedChunk[]): readonly ExpectedChunk[] {
  return [...new Map(chunks.map((chunk) => [chunk.chunk_id, chunk])).values()];
}
