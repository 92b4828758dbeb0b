import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import { bestWindow } from '../analysis/snippet.ts';
import { citeChunks, type CitedStore } from '../citation/cite-chunk.ts';
import type { ChunkWithDocument, DocumentRow, TextSlice } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/retriever.ts';
import { codeFacts } from '../documents/document-facts.ts';
import type { FreshnessState } from '../documents/freshness.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { Mode } from '../domain/query.ts';
import { sixDigits } from '../domain/json.ts';
import { charCount } from '../domain/text-size.ts';
import { countThatFits } from '../paging/cursor.ts';
import { SNIPPET_FLOOR } from '../requests/search.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { Citation, SearchHit, SearchResponse } from '../wire/index.ts';

/** A hit names where so many of its near-identical passages lie; it counts them all. */
const SHOWN_DUPLICATES = 5;

/** A page of a ranked list with its chunks; chunks that are gone are missing from `found`. */
interface PageOfChunks {
  readonly offset: number;
  readonly entries: readonly ChunkRank[];
  readonly found: readonly ChunkWithDocument[];
}

/** How relevant a hit is, and what that rests on. */
export type JudgedHit = Pick<SearchHit['retrieval'], 'relevance' | 'evidence'>;

/** What hits are written with. */
export interface HitWriter extends Pick<
  HitParts,
  'mode' | 'scoreKind' | 'indexVersion' | 'embeddingModel' | 'readsPictures'
> {
  readonly store: CitedStore;
  /** What is known of passages; ids that are gone are missing. */
  readonly passagesOf: (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, Pick<Passage, 'workspacePath'>>>;
  readonly stateOf: (document: DocumentRow) => Promise<FreshnessState>;
  readonly snippetOf: (found: ChunkWithDocument) => Snippet;
  /** How relevant each chunk is; null when that was not asked. */
  readonly judged: ReadonlyMap<ChunkId, JudgedHit> | null;
}

/** Writes one hit for each chunk that was found, in the order of the list, with ranks that count from its beginning. */
export async function writeHits(page: PageOfChunks, writer: HitWriter): Promise<readonly SearchHit[]> {
  const { store, mode, scoreKind, indexVersion, embeddingModel, readsPictures } = writer;
  const positions = new Map(page.entries.map(({ chunkId }, at) => [chunkId, at]));
  const [citations, duplicates] = await Promise.all([
    citeChunks(readingAround(store, page.found), page.found),
    writer.passagesOf(page.entries.flatMap((entry) => entry.duplicates?.slice(0, SHOWN_DUPLICATES) ?? [])),
  ]);
  const hits: SearchHit[] = [];
  for (const [i, found] of page.found.entries()) {
    const at = positions.get(found.chunk.chunkId);
    const entry = at === undefined ? undefined : page.entries[at];
    if (at === undefined || entry === undefined) continue;
    hits.push(
      toSearchHit({
        rank: page.offset + at + 1,
        entry,
        found,
        citation: citations[i] as Citation,
        snippet: writer.snippetOf(found),
        state: await writer.stateOf(found.document),
        duplicatePaths: pathsOfDuplicates(entry, duplicates),
        judged: writer.judged?.get(found.chunk.chunkId),
        mode,
        scoreKind,
        indexVersion,
        embeddingModel,
        readsPictures,
      }),
    );
  }
  return hits;
}

/** Each path once, in the order of the list. */
function pathsOfDuplicates(
  { duplicates = [] }: ChunkRank,
  passages: ReadonlyMap<ChunkId, Pick<Passage, 'workspacePath'>>,
): readonly string[] {
  const named = duplicates.slice(0, SHOWN_DUPLICATES).flatMap((id) => passages.get(id) ?? []);
  return [...new Set(named.map(({ workspacePath }) => workspacePath))];
}

/** Everything a hit is written from. */
interface HitParts {
  /** 1-based, absolute across pages. */
  readonly rank: number;
  readonly entry: ChunkRank;
  readonly found: ChunkWithDocument;
  readonly citation: Citation;
  readonly snippet: Snippet;
  readonly state: FreshnessState;
  /** Where the near-identical passages lie that this hit stands for; the first few of them. */
  readonly duplicatePaths: readonly string[];
  readonly judged: JudgedHit | undefined;
  /** The mode that really ran. */
  readonly mode: Mode;
  /** What the score of a hit means that no reranker has seen. */
  readonly scoreKind: SearchHit['score_kind'];
  readonly indexVersion: string;
  /** Null when the vector side did not run. */
  readonly embeddingModel: string | null;
  /** Whether an engine is configured that recognises text. */
  readonly readsPictures: boolean;
}

/** Writes search_hit.v1: the one place where a hit takes its wire form. Scores are written with six digits. */
function toSearchHit(parts: HitParts): SearchHit {
  const { entry, mode, state } = parts;
  const { chunk, document } = parts.found;
  return {
    schema_version: 'search_hit.v1',
    rank: parts.rank,
    score: sixDigits(entry.score),
    score_kind: entry.rerank === undefined ? parts.scoreKind : 'rerank',
    chunk_id: chunk.chunkId,
    doc_id: chunk.docId,
    doc_path: document.workspacePath,
    source_id: document.sourceId,
    media: document.media,
    lang: document.lang,
    heading_path: chunk.headingPath,
    section_label: chunk.sectionLabel,
    ...parts.snippet,
    citation: parts.citation,
    retrieval: {
      method: mode,
      lexical_score: sixDigitsOrNull(entry.lexical?.score),
      vector_score: sixDigitsOrNull(entry.vector?.score),
      fusion_score: sixDigitsOrNull(entry.fusionScore),
      lexical_rank: entry.lexical?.rank ?? null,
      vector_rank: entry.vector?.rank ?? null,
      ...(entry.contributed === undefined
        ? {}
        : {
            retrievers: [...entry.contributed].map(([id, { rank, score }]) => ({ id, rank, score: sixDigits(score) })),
          }),
      ...parts.judged,
      ...(entry.rerank === undefined
        ? {}
        : { rerank_score: sixDigits(entry.rerank.score), rerank_rank: entry.rerank.rank }),
    },
    index_version: parts.indexVersion,
    embedding_model: parts.embeddingModel,
    chunker_version: chunk.chunkerVersion,
    trust_level: document.trustLevel,
    source_type: document.sourceType,
    indexed_at: document.indexedAt.toISOString(),
    stale: state.stale,
    freshness: state.freshness,
    ...codeFacts(document),
    ...unreadFacts(parts),
    ...duplicateFacts(parts),
  };
}

/** A scan or a picture in which nothing was read is found by its name alone: the hit says what would read it. */
function unreadFacts({ found: { chunk, document }, readsPictures }: HitParts): Pick<SearchHit, 'unread'> {
  if (chunk.text !== '' || (document.media !== 'pdf' && document.media !== 'image')) return {};
  const keys = [
    ...(readsPictures ? [] : ['kebab config set ocr.engine tesseract']),
    ...(document.media === 'pdf' ? ['kebab config set pdf.ocr auto'] : []),
  ];
  if (keys.length === 0) return { unread: 'no text was recognised in it' };
  return { unread: [...keys, 'kebab ingest'].join(', then ') };
}

/** What is known of near-identical passages; no keys at all where there are none. */
function duplicateFacts({
  entry,
  duplicatePaths,
}: HitParts): Pick<SearchHit, 'duplicates' | 'duplicate_paths' | 'duplicate_of'> {
  const { duplicates, duplicateOf } = entry;
  if (duplicates !== undefined) return { duplicates: duplicates.length, duplicate_paths: duplicatePaths };
  return duplicateOf === undefined ? {} : { duplicate_of: duplicateOf };
}

function sixDigitsOrNull(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : sixDigits(value);
}

/** The store, with the texts that it gave along with chunks read from there instead of once more. */
export function readingAround(store: CitedStore, found: readonly ChunkWithDocument[]): CitedStore {
  const known = (slice: TextSlice): string | undefined => {
    for (const { chunk, around } of found) {
      if (around === undefined || chunk.docId !== slice.docId) continue;
      const { start = 0, end = Infinity } = slice;
      if (start >= around.start && end <= around.start + around.text.length)
        return around.text.slice(start - around.start, end - around.start);
    }
    return undefined;
  };
  return {
    getBlocks: (ids) => store.getBlocks(ids),
    readTexts: async (slices) => {
      const texts = slices.map(known);
      const unknown = slices.filter((_, at) => texts[at] === undefined);
      const read = (unknown.length === 0 ? [] : await store.readTexts(unknown)).values();
      return texts.map((text) => text ?? read.next().value ?? '');
    },
  };
}

/** The part of a chunk's own text around the best match, as a hit carries it. */
export function makeSnippet(text: string, query: AnalysedQuery, maxChars: number): Snippet {
  const { text: snippet, isWhole } = bestWindow(text, query, maxChars);
  return { snippet, snippet_full_text: isWhole };
}

/** A snippet as a hit carries it. */
interface Snippet {
  readonly snippet: string;
  readonly snippet_full_text: boolean;
}

/** A page and what is needed to make it smaller. */
export interface BudgetRequest {
  /** The page with snippets of at most `snippetChars` characters and its own `next_cursor`. */
  readonly response: SearchResponse;
  readonly maxTokens: number;
  readonly snippetChars: number;
  /** The snippet of a hit at another length. */
  readonly resnip: (hit: number, maxChars: number) => Snippet;
  /** The cursor of the list behind the first `count` hits of the page. */
  readonly cursorBehind: (count: number) => string;
}

/**
 * The page, cut until its compact JSON has at most `maxTokens` output tokens, the trace left out of the count: first all
 * snippets at half the length, repeatedly, down to {@link SNIPPET_FLOOR}; then hits from the end, never below one.
 * `truncated` says whether anything was cut.
 */
export function fitBudget(request: BudgetRequest): SearchResponse {
  const budget = request.maxTokens * 4;
  let response = request.response;
  let sizes = response.hits.map(sizeOf);
  const fits = (): boolean =>
    sizeOf(bare(response)) + sizes.reduce((sum, size) => sum + size + 1, sizes.length === 0 ? 0 : -1) <= budget;
  for (let cap = request.snippetChars; cap > SNIPPET_FLOOR && !fits();) {
    cap = Math.max(SNIPPET_FLOOR, Math.floor(cap / 2));
    response = withSnippets(response, (hit) => request.resnip(hit, cap));
    sizes = response.hits.map(sizeOf);
  }
  if (fits()) return response;
  const dropTo = (count: number): SearchResponse =>
    count === response.hits.length
      ? response
      : { ...response, hits: response.hits.slice(0, count), next_cursor: request.cursorBehind(count), truncated: true };
  return dropTo(countThatFits({ sizes, budget, sizeAround: (count) => sizeOf(bare(dropTo(count))) }));
}

/** A response as it is counted, without its hits. */
function bare(response: SearchResponse): Omit<SearchResponse, 'trace'> {
  const { schema_version, next_cursor, truncated, mode, degraded, expect } = response;
  const expected = expect === undefined ? {} : { expect };
  return { schema_version, hits: [], next_cursor, truncated, mode, degraded, ...expected };
}

function withSnippets(response: SearchResponse, resnip: (hit: number) => Snippet): SearchResponse {
  const hits = response.hits.map((hit, at): SearchHit => {
    const { snippet, snippet_full_text } = resnip(at);
    return snippet === hit.snippet ? hit : { ...hit, snippet, snippet_full_text };
  });
  return { ...response, hits, truncated: response.truncated || hits.some((hit, at) => hit !== response.hits[at]) };
}

/** The characters of the compact JSON of a value; those of the parts of a list add up. */
function sizeOf(value: unknown): number {
  return charCount(JSON.stringify(value));
}
