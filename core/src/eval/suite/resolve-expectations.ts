import { citeChunks } from '../../citation/cite-chunk.ts';
import type { DocumentRow, DocumentStore } from '../../contracts/document-store.ts';
import { findPlace } from '../../documents/find-document.ts';
import { anchorsMeet } from '../../domain/anchor.ts';
import type { Chunk } from '../../domain/document.ts';
import { parseChunkId, parseDocumentId } from '../../domain/ids.ts';
import { parseUri, type UriFragment } from '../../domain/uri.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { documentKey, type Expected, type ExpectedChunk } from '../query-result.ts';
import { type GoldenQuery, groupProblems, parseSuite, readSuite } from './parse-suite.ts';
import type { Citation } from '../../wire/index.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { compareCodePoints } from '../../domain/code-point-order.ts';

/** What resolving needs of a store. */
type ExpectationStore = Pick<
  DocumentStore,
  | 'getDocuments'
  | 'findDocument'
  | 'findByPath'
  | 'knownSources'
  | 'indexedRoots'
  | 'getChunks'
  | 'listChunks'
  | 'readTexts'
  | 'getBlocks'
>;

/** What a query expects in terms of the knowledge base, and one line for each expectation that is unknown to it. */
interface ResolvedExpectations {
  readonly expected: Expected;
  readonly problems: readonly string[];
}

/** Looks up everything that a query expects. Paths become documents, and a URI becomes every chunk that its range touches. */
async function resolveExpectations(store: ExpectationStore, query: GoldenQuery): Promise<ResolvedExpectations> {
  const problems: string[] = [];
  const resolve = async <T>(key: string, values: readonly string[], find: Find<T>): Promise<readonly T[]> => {
    const resolved: T[] = [];
    for (const value of values) {
      const found = await findOrExplain(find, value);
      if (typeof found === 'string') problems.push(`${query.id}: ${key}: ${found}`);
      else resolved.push(...found);
    }
    return resolved;
  };
  const documents = [
    ...(await resolve('expected_doc_ids', query.expectedDocIds, async (id) => {
      const [row] = await store.getDocuments([parseDocumentId(id)]);
      return row === undefined ? `there is no document ${id}` : [documentKey(row)];
    })),
    ...(await resolve('expected_doc_paths', query.expectedDocPaths, async (path) => {
      const place = await findPlace(store, path);
      return place === null ? `there is no document ${JSON.stringify(path)}` : [documentKey(place.document)];
    })),
  ];
  const chunks = [
    ...(await resolve('expected_chunk_ids', query.expectedChunkIds, async (id) => {
      const [found] = await store.getChunks([parseChunkId(id)]);
      return found === undefined ? `there is no chunk ${id}` : [expectedChunk(found.chunk.chunkId, found.document)];
    })),
    ...(await resolve('expected_uris', query.expectedUris, async (uri) => {
      const place = await findPlace(store, uri);
      if (place === null) return `there is no document ${JSON.stringify(parseUri(uri).path)}`;
      const { document: row, fragment } = place;
      const chunksOfRow = await store.listChunks(row.docId);
      const cited = chunksOfRow.map((chunk) => ({ document: row, chunk }));
      const citations = await citeChunks(store, cited);
      const touched = chunksOfRow.filter((chunk, at) => chunkMeets(chunk, citations[at] as Citation, fragment));
      if (touched.length === 0) return `no chunk lies at ${uri}`;
      return touched.map(({ chunkId }) => expectedChunk(chunkId, row));
    })),
  ];
  const expected = { documents: [...new Set(documents)], chunks: distinct(chunks) };
  return { expected: { ...expected, must_contain: query.mustContain, forbidden: query.forbidden }, problems };
}

/** Finds what a value names, or says why there is nothing. */
type Find<T> = (value: string) => Promise<readonly T[] | string>;

/** What is found; a value that cannot even be looked up is explained by the error it causes. */
async function findOrExplain<T>(find: Find<T>, value: string): Promise<readonly T[] | string> {
  try {
    return await find(value);
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
    case 'anchor':
      return citation.kind === 'anchor' && anchorsMeet(citation.anchor, fragment.anchor);
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

/** A query of a suite with its expectations as the knowledge base knows them. */
export interface JudgedQuery {
  readonly query: GoldenQuery;
  readonly expected: Expected;
}

/**
 * Reads a golden suite and holds it against a knowledge base. Throws `invalid_input` with everything that is wrong with it in
 * one sorted list: entries, ids, groups, and expectations that the knowledge base does not know; `io_error` when there is no
 * such file.
 */
export async function openSuite(file: string, store: ExpectationStore): Promise<readonly JudgedQuery[]> {
  const { queries, problems } = parseSuite(await readSuite(file));
  const resolved = await Promise.all(
    queries.map(async (query) => ({ query, ...(await resolveExpectations(store, query)) })),
  );
  const all = [...problems, ...groupProblems(queries), ...resolved.flatMap(({ problems: each }) => each)];
  if (all.length === 0) return resolved.map(({ query, expected }) => ({ query, expected }));
  const list = [...new Set(all)].toSorted(compareCodePoints);
  const count = list.length === 1 ? 'a mistake' : `${list.length} mistakes`;
  throw invalidInput(`the golden suite ${file} has ${count}: ${list.join('; ')}`, {
    field: 'suite',
    value: file,
    hint: 'correct the suite; `kebab list docs` shows the paths that are indexed',
  });
}
