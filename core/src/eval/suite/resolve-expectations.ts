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

/** The store methods that resolving needs. */
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

/** The expectations of a query, resolved against the knowledge base, and one line for each unknown one. */
interface ResolvedExpectations {
  readonly expected: Expected;
  readonly problems: readonly string[];
}

/** Resolves the expectations of a query. Paths resolve to documents, and a URI to every chunk that intersects its range. */
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
    ...(await resolve('expected_doc_ids', query.expected_doc_ids, async (id) => {
      const [row] = await store.getDocuments([parseDocumentId(id)]);
      return row === undefined ? `there is no document ${id}` : [documentKey(row)];
    })),
    ...(await resolve('expected_doc_paths', query.expected_doc_paths, async (path) => {
      const place = await findPlace(store, path);
      return place === null ? `there is no document ${JSON.stringify(path)}` : [documentKey(place.document)];
    })),
  ];
  const chunks = [
    ...(await resolve('expected_chunk_ids', query.expected_chunk_ids, async (id) => {
      const [match] = await store.getChunks([parseChunkId(id)]);
      return match === undefined ? `there is no chunk ${id}` : [expectedChunk(match.chunk.chunkId, match.document)];
    })),
    ...(await resolve('expected_uris', query.expected_uris, async (uri) => {
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
  return { expected: { ...expected, must_contain: query.must_contain, forbidden: query.forbidden }, problems };
}

/** Resolves a value, or returns why it cannot be resolved. */
type Find<T> = (value: string) => Promise<readonly T[] | string>;

/** Resolves a value; an error during the lookup becomes the explanation. */
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
    case 'page': // a chunk across two pages is cited by the first
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

/** Whether two closed ranges intersect. */
function overlap(start: number, end: number, otherStart: number, otherEnd: number): boolean {
  return start <= otherEnd && otherStart <= end;
}

/** A query of a suite with its resolved expectations. */
export interface JudgedQuery {
  readonly query: GoldenQuery;
  readonly expected: Expected;
}

/**
 * Reads a golden suite and resolves it against a knowledge base. Throws `invalid_input` with all mistakes in one sorted list: entries, ids,
 * groups, and expectations unknown to the knowledge base; `io_error` when there is no such file.
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
