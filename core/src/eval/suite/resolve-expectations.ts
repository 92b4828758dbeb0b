import { citeChunk } from '../../citation/cite-chunk.ts';
import type { DocumentRow, DocumentStore } from '../../contracts/document-store.ts';
import { findDocument } from '../../documents/find-document.ts';
import type { Chunk } from '../../domain/chunk.ts';
import { parseChunkId, parseDocumentId } from '../../domain/ids.ts';
import { parseUri, type UriFragment } from '../../domain/uri.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { documentKey, type Expected, type ExpectedChunk } from '../query-result.ts';
import type { GoldenQuery } from './parse-suite.ts';
import type { Citation } from '../../wire/index.ts';

/** What resolving needs of a store. */
export type ExpectationStore = Pick<
  DocumentStore,
  'getDocument' | 'findDocument' | 'findByPath' | 'getChunk' | 'listChunks' | 'readText' | 'getBlocks'
>;

/** What a query expects in terms of the knowledge base, and one line for each expectation that is unknown to it. */
interface ResolvedExpectations {
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

/** Whether a chunk, cited as a hit would be, intersects what a fragment designates; without one every chunk does. */
export function chunkMeets(
  { sourceSpans }: Pick<Chunk, 'sourceSpans'>,
  citation: Citation,
  fragment: UriFragment | null,
): boolean {
  if (fragment === null) return true;
  switch (fragment.kind) {
    case 'line':
      if (citation.kind === 'line') return overlap(citation.start, citation.end, fragment.start, fragment.end);
      if (citation.kind !== 'code') return false;
      return overlap(citation.line_start, citation.line_end, fragment.start, fragment.end);
    case 'page': // a chunk over two pages is cited by its first
      return sourceSpans.some((span) => span.kind === 'page' && span.page === fragment.page);
    case 'region':
      if (citation.kind !== 'region') return false;
      return (
        overlap(citation.x, citation.x + citation.w - 1, fragment.x, fragment.x + fragment.w - 1) &&
        overlap(citation.y, citation.y + citation.h - 1, fragment.y, fragment.y + fragment.h - 1)
      );
    case 'caption':
      return citation.kind === 'caption';
    case 'time':
      return citation.kind === 'time' && overlap(citation.start_ms, citation.end_ms, fragment.startMs, fragment.endMs);
    default:
      return fragment satisfies never;
  }
}

/** Whether two ranges have a point in common; both include their ends. */
function overlap(start: number, end: number, otherStart: number, otherEnd: number): boolean {
  return start <= otherEnd && otherStart <= end;
}
