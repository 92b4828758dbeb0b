import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import { bestWindow } from '../analysis/snippet.ts';
import { citeChunks, type CitedChunk, type CitedStore } from '../citation/cite-chunk.ts';
import type { ChunkWithDocument, DocumentRow, DocumentStore, TextSlice } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/retriever.ts';
import { codeFacts } from '../documents/document-facts.ts';
import type { FreshnessState } from '../documents/freshness.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { Mode } from '../domain/query.ts';
import { sixDigits } from '../domain/json.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import { charCount } from '../domain/text-size.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { countThatFits } from '../paging/cursor.ts';
import { SNIPPET_FLOOR } from '../requests/search.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { Citation, SearchHit, SearchResponse } from '../wire/index.ts';

/** How many locations of near-identical passages a hit lists; it counts them all. */
const SHOWN_DUPLICATES = 5;

/** A page of a ranked list with its chunks; chunks that no longer exist are missing from `chunks`. */
interface PageOfChunks {
  readonly offset: number;
  readonly entries: readonly ChunkRank[];
  readonly chunks: readonly ChunkWithDocument[];
  /** The chunks that entries are shown with. */
  readonly touching: readonly ChunkWithDocument[];
}

/** The relevance of a hit. */
export interface JudgedHit {
  /** With its evidence, as hits show it. */
  readonly shown: Pick<SearchHit['retrieval'], 'relevance' | 'evidence'>;
  /** Without what other hits hold besides: it does not depend on the page. */
  readonly alone: number;
}

/** The context for building hits. */
export interface HitWriter {
  readonly store: CitedStore & Pick<DocumentStore, 'getCanonicalDocument'>;
  /** The mode that actually ran. */
  readonly mode: Mode;
  /** The score kind of a hit that no reranker scored. */
  readonly scoreKind: SearchHit['score_kind'];
  readonly indexVersion: string;
  /** Null when the vector side did not run. */
  readonly embeddingModel: string | null;
  /** Whether an OCR engine is configured. */
  readonly readsPictures: boolean;
  /** Passages by id; ids that no longer exist are missing. */
  readonly passagesOf: (ids: readonly ChunkId[]) => Promise<ReadonlyMap<ChunkId, PassagePlace>>;
  readonly stateOf: (document: DocumentRow) => Promise<FreshnessState>;
  readonly snippetOf: (found: ChunkWithDocument) => Snippet;
  /** The relevance of each chunk; null when not requested. */
  readonly judged: ReadonlyMap<ChunkId, JudgedHit> | null;
  /** Whether hits contain their relevance and its evidence. */
  readonly showsEvidence: boolean;
}

/** What a document's own name or a declaration is worth at least to a query that consists of it. */
const RELEVANCE_OF_A_NAME = 0.95;

/** The score of a hit in a list whose scores are relevances: what a reranker scored keeps that score. */
export function shownScore({ score, rerank, named }: ChunkRank, judged: JudgedHit | undefined): number {
  if (rerank !== undefined || judged === undefined) return score;
  return named === undefined ? judged.alone : Math.max(judged.alone, RELEVANCE_OF_A_NAME);
}

/** Builds one hit per chunk, in the order of the list, with ranks counted from its beginning. */
export async function writeHits(page: PageOfChunks, writer: HitWriter): Promise<readonly SearchHit[]> {
  const positions = new Map(page.entries.map(({ chunkId }, at) => [chunkId, at]));
  const cited = page.chunks.map((found) => withTouching(found, page));
  const [citations, passages] = await Promise.all([
    citeChunks(readingAround(writer.store, cited), cited),
    writer.passagesOf(
      page.entries.flatMap(({ duplicates = [], copies = [] }) => [...duplicates.slice(0, SHOWN_DUPLICATES), ...copies]),
    ),
  ]);
  const hits: SearchHit[] = [];
  for (const [i, match] of page.chunks.entries()) {
    const at = positions.get(match.chunk.chunkId);
    const entry = at === undefined ? undefined : page.entries[at];
    if (at === undefined || entry === undefined) continue;
    const [rank, citation] = [page.offset + at + 1, citations[i] as Citation];
    const state = await writer.stateOf(match.document);
    const paths = { duplicatePaths: pathsOfDuplicates(entry, passages), alsoAt: pathsOfCopies(entry, match, passages) };
    const unread = await whyUnread(match, writer);
    hits.push(toSearchHit({ rank, entry, match, citation, state, ...paths, unread }, writer));
  }
  return hits;
}

/** A chunk as it is cited: with those that it is shown with. */
function withTouching(found: ChunkWithDocument, { entries, touching }: PageOfChunks): CitedAround {
  const ids = entries.find(({ chunkId }) => chunkId === found.chunk.chunkId)?.touching;
  if (ids === undefined) return found;
  const others = touching.filter(({ chunk }) => ids.includes(chunk.chunkId));
  const { docId, sectionLabel } = found.chunk;
  const [first = found, ...rest] = [found, ...others].toSorted((a, b) => a.chunk.start - b.chunk.start);
  return rest.reduce<CitedAround>(
    (joined, next) => ({
      document: found.document,
      chunk: {
        docId,
        sectionLabel,
        start: joined.chunk.start,
        end: Math.max(joined.chunk.end, next.chunk.end),
        sourceSpans: [...joined.chunk.sourceSpans, ...next.chunk.sourceSpans],
      },
      ...joinedAround(joined.around, next.around),
    }),
    first,
  );
}

/** What of a hit is cited, with the text around it as far as it is known. */
type CitedAround = CitedChunk & Pick<ChunkWithDocument, 'around'>;

/** The texts around two chunks as one, so that it is not read again; nothing if there is something between them. */
function joinedAround(
  a: ChunkWithDocument['around'],
  b: ChunkWithDocument['around'],
): Pick<ChunkWithDocument, 'around'> {
  if (a === undefined || b === undefined) return {};
  const own = a.start + a.text.length - b.start;
  return own < 0 ? {} : { around: { start: a.start, text: a.text + b.text.slice(own) } };
}

/** Where a passage is. */
type PassagePlace = Pick<Passage, 'sourceId' | 'workspacePath'>;

/** Each path once, with its source, in the order of the list. */
function pathsOfDuplicates(
  { duplicates = [] }: ChunkRank,
  passages: ReadonlyMap<ChunkId, PassagePlace>,
): readonly string[] {
  const named = duplicates.slice(0, SHOWN_DUPLICATES).flatMap((id) => passages.get(id) ?? []);
  return [...new Set(named.map(({ sourceId, workspacePath: path }) => formatSourcePath({ sourceId, path })))];
}

/** The paths of the copies, with their source where it is not that of the hit. */
function pathsOfCopies(
  { copies = [] }: ChunkRank,
  { document }: ChunkWithDocument,
  passages: ReadonlyMap<ChunkId, PassagePlace>,
): readonly string[] {
  const paths = copies.flatMap((id) => {
    const { sourceId, workspacePath: path } = passages.get(id) ?? {};
    if (sourceId === undefined || path === undefined) return [];
    return sourceId === document.sourceId ? path : formatSourcePath({ sourceId, path });
  });
  return paths.toSorted(compareCodePoints);
}

/** The inputs of a hit. */
interface HitParts {
  /** 1-based, absolute across pages. */
  readonly rank: number;
  readonly entry: ChunkRank;
  readonly match: ChunkWithDocument;
  readonly citation: Citation;
  readonly state: FreshnessState;
  /** The locations of near-identical passages that this hit represents; the first few of them. */
  readonly duplicatePaths: readonly string[];
  readonly alsoAt: readonly string[];
  /** Why nothing was read in it; undefined unless it is a scan or a picture without text. */
  readonly unread: string | undefined;
}

/** Converts to search_hit.v1, the only place where a hit is converted to its wire form. Scores are rounded to six digits. */
function toSearchHit(parts: HitParts, writer: HitWriter): SearchHit {
  const { entry, state } = parts;
  const { chunk, document } = parts.match;
  const judged = writer.judged?.get(chunk.chunkId);
  const score = writer.scoreKind === 'relevance' ? shownScore(entry, judged) : entry.score;
  return {
    schema_version: 'search_hit.v1',
    rank: parts.rank,
    score: sixDigits(score),
    score_kind: entry.rerank === undefined ? writer.scoreKind : 'rerank',
    chunk_id: chunk.chunkId,
    doc_id: chunk.docId,
    doc_path: document.workspacePath,
    source_id: document.sourceId,
    media: document.media,
    lang: document.lang,
    heading_path: chunk.headingPath,
    section_label: chunk.sectionLabel,
    ...writer.snippetOf(parts.match),
    ...(entry.touching === undefined ? {} : { snippet_full_text: false }),
    citation: parts.citation,
    retrieval: {
      method: writer.mode,
      lexical_score: sixDigitsOrNull(entry.lexical?.score),
      vector_score: sixDigitsOrNull(entry.vector?.score),
      fusion_score: sixDigitsOrNull(entry.fusionScore),
      lexical_rank: entry.lexical?.rank ?? null,
      vector_rank: entry.vector?.rank ?? null,
      ...(entry.contributed === undefined
        ? {}
        : {
            retrievers: [...entry.contributed].map(([id, own]) => ({
              id,
              rank: own.rank,
              score: sixDigits(own.score),
            })),
          }),
      ...(writer.showsEvidence ? { ...judged?.shown, ...featuresOf(entry) } : {}),
      ...(entry.rerank === undefined
        ? {}
        : { rerank_score: sixDigits(entry.rerank.score), rerank_rank: entry.rerank.rank }),
    },
    index_version: writer.indexVersion,
    embedding_model: writer.embeddingModel,
    chunker_version: chunk.chunkerVersion,
    trust_level: document.trustLevel,
    source_type: document.sourceType,
    date: document.date.toISOString(),
    indexed_at: document.indexedAt.toISOString(),
    stale: state.stale,
    freshness: state.freshness,
    ...codeFacts(document),
    ...(parts.unread === undefined ? {} : { unread: parts.unread }),
    ...duplicateFacts(parts),
  };
}

interface WhyUnreadPorts extends Pick<HitWriter, 'readsPictures'> {
  readonly store: Pick<DocumentStore, 'getCanonicalDocument'>;
}

const OCR_FAILED = 'ocr_failed: ';
const NOTHING_RECOGNISED = 'no text was recognised in it';

/** A scan or a picture without recognised text is found only by its name: what OCR has done with it, or what would read it. */
export async function whyUnread(
  { chunk, document }: ChunkWithDocument,
  { readsPictures, store }: WhyUnreadPorts,
): Promise<string | undefined> {
  if (chunk.text !== '' || (document.media !== 'pdf' && document.media !== 'image')) return undefined;
  const { provenance = [] } = (await store.getCanonicalDocument(document.docId)) ?? {};
  const failed = provenance.findLast(({ note }) => note?.startsWith(OCR_FAILED) === true)?.note;
  if (failed !== undefined && failed !== null) return `OCR failed: ${failed.slice(OCR_FAILED.length)}`;
  if (provenance.some(({ kind }) => kind === 'ocr_applied')) return NOTHING_RECOGNISED;
  const keys = [
    ...(readsPictures ? [] : ['kebab config set ocr.engine tesseract']),
    ...(document.media === 'pdf' ? ['kebab config set pdf.ocr auto'] : []),
  ];
  return keys.length === 0 ? NOTHING_RECOGNISED : [...keys, 'kebab ingest'].join(', then ');
}

/** The features that decided the rank of a hit besides its scores. */
function featuresOf({
  named,
  kind,
  section,
}: ChunkRank): Pick<SearchHit['retrieval'], 'named' | 'kind' | 'kind_factor' | 'section_factor'> {
  return {
    ...(named === undefined ? {} : { named }),
    ...(kind === undefined ? {} : { kind: kind.is, kind_factor: sixDigits(kind.factor) }),
    ...(section === undefined ? {} : { section_factor: sixDigits(section) }),
  };
}

/** The facts about near-identical passages and others of the document; no keys when there are none. */
function duplicateFacts({
  entry,
  duplicatePaths,
  alsoAt,
}: HitParts): Pick<SearchHit, 'also_at' | 'duplicates' | 'duplicate_paths' | 'duplicate_of' | 'more_in_doc'> {
  const { duplicates, duplicateOf, moreInDoc } = entry;
  return {
    ...(alsoAt.length === 0 ? {} : { also_at: alsoAt }),
    ...(duplicates === undefined ? {} : { duplicates: duplicates.length, duplicate_paths: duplicatePaths }),
    ...(duplicates !== undefined || duplicateOf === undefined ? {} : { duplicate_of: duplicateOf }),
    ...(moreInDoc === undefined ? {} : { more_in_doc: moreInDoc }),
  };
}

function sixDigitsOrNull(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : sixDigits(value);
}

/** Wraps the store so that texts loaded along with chunks are not read again. */
export function readingAround(store: CitedStore, chunks: readonly CitedAround[]): CitedStore {
  const textAround = (slice: TextSlice): string | undefined => {
    for (const { chunk, around } of chunks) {
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
      const texts = slices.map(textAround);
      const unknown = slices.filter((_, at) => texts[at] === undefined);
      const read = (unknown.length === 0 ? [] : await store.readTexts(unknown)).values();
      return texts.map((text) => text ?? read.next().value ?? '');
    },
  };
}

/** The part of a chunk's own text around the best match, as a hit contains it. */
export function makeSnippet(text: string, query: AnalysedQuery, maxChars: number): Snippet {
  const { text: snippet, isWhole } = bestWindow(text, query, maxChars);
  return { snippet, snippet_full_text: isWhole };
}

/** The snippet of a hit. */
interface Snippet {
  readonly snippet: string;
  readonly snippet_full_text: boolean;
}

/** A page and what is needed to shrink it. */
export interface BudgetRequest {
  /** The page with snippets of at most `snippetChars` characters and its own `next_cursor`. */
  readonly response: SearchResponse;
  readonly maxTokens: number;
  readonly snippetChars: number;
  /** The snippet of a hit at another length. */
  readonly resnip: (hit: number, maxChars: number) => Snippet;
  /** The cursor after the first `count` hits of the page. */
  readonly cursorBehind: (count: number) => string;
}

/**
 * Shrinks the page until its compact JSON has at most `maxTokens` output tokens, excluding the trace: first all snippets are halved,
 * repeatedly, down to {@link SNIPPET_FLOOR}; then hits are dropped from the end, but never the first one. `truncated` says whether anything
 * was cut.
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

/** The length of the compact JSON of a value in characters; the lengths of list items add up. */
function sizeOf(value: unknown): number {
  return charCount(JSON.stringify(value));
}
