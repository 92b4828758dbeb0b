import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { CitedQuery } from '../domain/query.ts';
import { formatUri, parseUri, type UriFragment } from '../domain/uri.ts';
import { citeChunk } from '../citation/cite-chunk.ts';
import { findDocument } from '../documents/find-document.ts';
import { notFound, notFoundAt } from '../documents/resolve-id.ts';

/** A place that somebody wants to look at. */
export interface CitedPlace {
  readonly document: DocumentRow;
  /** Null for the whole document. */
  readonly fragment: UriFragment | null;
  readonly uri: string;
  /** The chunk, when one was named; its URI may designate more than it. */
  readonly chunk: Chunk | null;
}

/**
 * Finds a cited place. Errors: `invalid_input` for a URI that is none and for a path in several sources, `chunk_not_found`,
 * `doc_not_found`.
 */
export function findCitedPlace(store: DocumentStore, query: CitedQuery): CitedPlace {
  if (query.kind === 'chunk') {
    const found = store.getChunk(query.chunkId);
    if (found === null) throw notFound('chunk', query.chunkId);
    const { uri } = citeChunk(store, found.document, found.chunk);
    return { ...found, uri, fragment: parseUri(uri).fragment };
  }
  const { path, fragment } = parseUri(query.uri);
  const document = findDocument(store, path, query.source);
  if (document === null) throw notFoundAt(path);
  return { document, fragment, uri: formatUri({ path: document.workspacePath, fragment }), chunk: null };
}
