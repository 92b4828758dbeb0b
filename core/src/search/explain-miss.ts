import { isAbsolute } from 'node:path';
import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { Retriever } from '../contracts/retriever.ts';
import { findPlaces, literalGlob, sourcePathsOf } from '../documents/find-document.ts';
import type { SourceConfig } from '../documents/source-roots.ts';
import { anchorsMeet } from '../domain/anchor.ts';
import type { Chunk } from '../domain/document.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { SourceSpan } from '../domain/span.ts';
import { formatSourcePath, parseUri, type UriFragment, normalizeWorkspacePath } from '../domain/uri.ts';
import { FILTER_KEYS } from '../requests/filters.ts';
import { rankByWords, type Ranking } from './rank-chunks.ts';
import type { Expectation } from '../wire/index.ts';

/** A search that was run, and the place that was expected among its hits. */
interface MissRequest {
  /** A citation URI: a path, optionally with a line or page. */
  readonly target: string;
  readonly query: AnalysedQuery;
  readonly filters: SearchFilters;
  readonly ranking: Ranking;
  /** The page that was shown. */
  readonly page: { readonly offset: number; readonly k: number };
  readonly store: DocumentStore;
  /** For the folders of sources, to resolve an absolute path. */
  readonly config: SourceConfig;
  readonly index: LexicalIndex;
  /** Null when vectors took no part. */
  readonly vector: Retriever | null;
}

/** How deep lists are read to find one chunk. */
const DEEPEST = 10_000;

/**
 * Reports the rank of a place in the result of a search, and why it is not among the hits: for the best of its chunks, or what excludes all
 * of them. Searches again, deeper than a page needs. Throws `invalid_input` for a target that is not a URI.
 */
export async function explainMiss(request: MissRequest, options: AbortOptions = {}): Promise<Expectation> {
  const place = await findExpectedPlace(request);
  return place.kind === 'searched' ? locate(request, place, options) : keptOut(request.target, place);
}

type SearchedPlace = Extract<ExpectedPlace, { readonly kind: 'searched' }>;

function keptOut(target: string, place: Exclude<ExpectedPlace, SearchedPlace>): Expectation {
  switch (place.kind) {
    case 'not_indexed':
      return expectation(target, { outcome: 'not_indexed', reason: place.reason, hint: place.hint });
    case 'no_such_place':
      return expectation(target, { outcome: 'no_such_place', reason: place.reason });
    case 'excluded': {
      const reason = `it is indexed, but left out by ${place.filters.join(', ')}`;
      return expectation(target, { outcome: 'excluded_by_filter', reason, filters: place.filters });
    }
    default:
      return place satisfies never;
  }
}

async function locate(request: MissRequest, place: SearchedPlace, options: AbortOptions): Promise<Expectation> {
  const { target, query, index, ranking } = request;
  const docId = place.documents.map((document) => document.docId);
  const admitted = await index.admitted(query, { docId }, options);
  const ids = place.chunks.map(({ chunkId }) => chunkId).filter((id) => admitted === null || admitted.has(id));
  if (ids.length === 0) return expectation(target, { outcome: 'not_admitted', reason: whyNotAdmitted(query) });
  const at = ranking.entries.findIndex(({ chunkId }) => ids.includes(chunkId));
  const deep = await deepRanks(request, new Set(at === -1 ? ids : [ranking.entries[at]?.chunkId as ChunkId]), options);
  const best = ranking.entries[at]?.chunkId ?? deep.best ?? ids[0] ?? null;
  const has_vector = request.vector === null ? null : await hasVector(request.vector, request, { docId, ids, options });
  const facts = { chunk_id: best, lexical_rank: deep.lexical, vector_rank: deep.vector, has_vector };
  if (at !== -1) return expectation(target, { ...facts, ...inList(request, at) });
  // Nothing is moved after the reordered beginning of a single list: the rank there is the rank in the list of hits.
  const rank = ranking.mode === 'hybrid' ? null : (deep.lexical ?? deep.vector);
  if (rank !== null) return expectation(target, { ...facts, ...elsewhere(rank) });
  if (deep.lexical !== null || deep.vector !== null)
    return expectation(target, {
      ...facts,
      outcome: 'beyond_candidates',
      reason: 'it matches, but neither side ranks it among its candidates',
      hint: 'make the query more specific, or raise search.candidates',
    });
  const unembedded = has_vector === false ? ', and it has no vector yet' : '';
  return expectation(target, {
    ...facts,
    outcome: 'no_match',
    reason: `${ranking.mode === 'vector' ? 'the vectors do not lead to it' : 'no word of the query is in it'}${unembedded}`,
    hint: has_vector === false ? 'run `kebab ingest` to embed it' : null,
  });
}

function inList({ ranking, page }: MissRequest, at: number): Pick<Expectation, 'outcome' | 'reason' | 'hint' | 'rank'> {
  const rank = at + 1;
  if (rank > page.offset && rank <= page.offset + page.k)
    return { outcome: 'on_page', reason: `it is hit ${rank}`, hint: null, rank };
  const original = ranking.entries[at]?.duplicateOf;
  if (original === undefined) return elsewhere(rank);
  const better = ranking.entries.findIndex(({ chunkId }) => chunkId === original) + 1;
  const reason = `it nearly equals hit ${better}, and so stands behind all others as hit ${rank}`;
  return { outcome: 'set_back', reason, hint: null, rank };
}

function elsewhere(rank: number): Pick<Expectation, 'outcome' | 'reason' | 'hint' | 'rank'> {
  const hint = rank <= 100 ? `ask for ${rank} hits, or follow the cursor` : 'make the query more specific';
  return { outcome: 'other_page', reason: `it is hit ${rank}, which is not on this page`, hint, rank };
}

/** The rank of the best of some chunks on each side, and which chunk that is. */
async function deepRanks(
  { query, filters, index, vector, ranking }: MissRequest,
  ids: ReadonlySet<ChunkId>,
  options: AbortOptions,
): Promise<{ readonly best: ChunkId | null; readonly lexical: number | null; readonly vector: number | null }> {
  const retrieval = { query, filters };
  const [words, vectors] = [
    ranking.mode === 'vector' ? [] : await rankByWords(index, { retrieval, limit: DEEPEST, signal: options.signal }),
    (await vector?.retrieve({ ...retrieval, limit: DEEPEST }, options)) ?? [],
  ];
  const [byWords, byVectors] = [words, vectors].map((list) => list.find(({ chunkId }) => ids.has(chunkId)));
  const best = (byWords?.rank ?? Infinity) <= (byVectors?.rank ?? Infinity) ? byWords : byVectors;
  return { best: best?.chunkId ?? null, lexical: byWords?.rank ?? null, vector: byVectors?.rank ?? null };
}

/** A pure vector search ranks every chunk that has a vector. */
async function hasVector(
  retriever: Retriever,
  { query }: MissRequest,
  {
    docId,
    ids,
    options,
  }: { readonly docId: SearchFilters['docId'] & {}; ids: readonly ChunkId[]; options: AbortOptions },
): Promise<boolean> {
  const list = await retriever.retrieve({ query, filters: { docId }, limit: DEEPEST }, options);
  return list.some(({ chunkId }) => ids.includes(chunkId));
}

function whyNotAdmitted({ phrases, demands = [], excluded }: AnalysedQuery): string {
  const wanted = [...phrases, ...demands];
  const lacks = wanted.length === 0 ? [] : [`it does not hold ${quoted(wanted)}`];
  const holds = excluded.length === 0 ? [] : [`it holds ${quoted(excluded)}, which the query excludes`];
  return [...lacks, ...holds].join(', or ');
}

function quoted(phrases: readonly { readonly text: string }[]): string {
  return phrases.map(({ text }) => JSON.stringify(text)).join(', ');
}

function expectation(
  target: string,
  known: Pick<Expectation, 'outcome' | 'reason'> & Partial<Expectation>,
): Expectation {
  const unknown = { hint: null, chunk_id: null, rank: null, lexical_rank: null, vector_rank: null, has_vector: null };
  return { target, filters: [], ...unknown, ...known };
}

/** The stored state of a place that was expected among the hits. */
type ExpectedPlace =
  | { readonly kind: 'not_indexed'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'no_such_place'; readonly reason: string }
  | { readonly kind: 'excluded'; readonly filters: readonly string[] }
  | {
      readonly kind: 'searched';
      /** One or more documents, each with a chunk at the place. */
      readonly documents: readonly DocumentRow[];
      readonly chunks: readonly Chunk[];
    };

/** Looks up a citation URI: which chunks are there, and whether filters admit their documents. Throws `invalid_input`. */
async function findExpectedPlace({ store, config, target: uri, filters }: MissRequest): Promise<ExpectedPlace> {
  const scope = isAbsolute(uri) ? { cwd: '/', config } : undefined;
  const places = await findPlaces(store, uri, { scope });
  if (places === null) {
    const { path } = parseUri(uri);
    const [place] = scope === undefined ? [] : await sourcePathsOf(store, path, scope);
    return notIndexed(store, place?.path ?? normalizeWorkspacePath(path));
  }
  const { documents, fragment } = places;
  const left = await passing(store, filters, documents);
  if (left.length === 0) return { kind: 'excluded', filters: await excludingFilters(store, filters, documents) };
  const lists = await Promise.all(left.map(({ docId }) => store.listChunks(docId)));
  const chunks = lists.flat().filter((chunk) => liesAt(chunk, fragment));
  if (chunks.length > 0) return { kind: 'searched', documents: left, chunks };
  const path = documents[0]?.workspacePath ?? uri;
  return { kind: 'no_such_place', reason: `${path} is indexed, but no passage of it lies at ${uri}` };
}

async function notIndexed(store: DocumentStore, path: string): Promise<ExpectedPlace> {
  const failed = (await store.quarantined()).find(({ workspacePath }) => workspacePath === path);
  if (failed !== undefined)
    return {
      kind: 'not_indexed',
      reason: `${path} could not be indexed: ${failed.reason}`,
      hint: 'repair the file, then run `kebab ingest`',
    };
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { documents } = await store.listDocuments({ pathGlob: [`**/${literalGlob(name)}`] }, { offset: 0, limit: 1 });
  const [other] = documents;
  return {
    kind: 'not_indexed',
    reason: `no document has the path ${path}`,
    hint:
      other === undefined
        ? 'run `kebab ingest`; its report names files that were skipped, and why'
        : `did you mean ${formatSourcePath({ sourceId: other.sourceId, path: other.workspacePath })}?`,
  };
}

/** Those of some documents that match the filters. */
async function passing(
  store: DocumentStore,
  filters: SearchFilters,
  documents: readonly DocumentRow[],
): Promise<readonly DocumentRow[]> {
  const docId = documents.map((row) => row.docId).filter((id) => filters.docId?.includes(id) ?? true);
  if (docId.length === 0) return [];
  const ids = await store.documentIds({ ...filters, docId });
  return documents.filter((row) => ids.has(row.docId));
}

/** The filters, by their request names, that on their own exclude all of the documents; `query` stands for its fields. */
async function excludingFilters(
  store: DocumentStore,
  filters: SearchFilters,
  documents: readonly DocumentRow[],
): Promise<readonly string[]> {
  const set = [...FILTER_KEYS, { key: 'query', member: 'within' } as const].filter(
    ({ member }) => filters[member] !== undefined,
  );
  const left = await Promise.all(set.map(({ member }) => passing(store, { [member]: filters[member] }, documents)));
  const excluding = set.filter((_, at) => left[at]?.length === 0);
  return (excluding.length > 0 ? excluding : set).map(({ key }) => key);
}

function liesAt(chunk: Chunk, fragment: UriFragment | null): boolean {
  switch (fragment?.kind) {
    case undefined:
    case 'caption':
    case 'region':
      return true;
    case 'line':
      return chunk.sourceSpans.some((span) => linesMeet(span, fragment));
    case 'page':
      return chunk.sourceSpans.some((span) => span.kind === 'page' && span.page === fragment.page);
    case 'anchor':
      return chunk.sourceSpans.some((span) => span.kind === 'anchor' && anchorsMeet(span.anchor, fragment.anchor));
    case 'time':
      return chunk.sourceSpans.some(
        (span) => span.kind === 'time' && span.start_ms < fragment.endMs && span.end_ms > fragment.startMs,
      );
    default:
      return fragment satisfies never;
  }
}

function linesMeet(span: SourceSpan, { start, end }: { readonly start: number; readonly end: number }): boolean {
  if (span.kind === 'line') return span.start <= end && span.end >= start;
  return span.kind === 'code' && span.line_start <= end && span.line_end >= start;
}
