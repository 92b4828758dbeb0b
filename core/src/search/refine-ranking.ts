import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/retriever.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import { MEDIA, type Media } from '../domain/media.ts';
import type { Mode } from '../domain/query.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Degraded } from '../wire/index.ts';
import { type ChunkRank, byPlace, type Place, placeOfPassage } from './chunk-rank.ts';
import type { KnownPassage, TextPrint } from './known-passages.ts';
import {
  declaredName,
  declaringEntries,
  identifierIn,
  matchNames,
  mentions,
  type NameMatch,
  putNamedFirst,
  representatives,
} from './name-matches.ts';
import { orderByKind, orderSections, proseFactor } from './passage-kind.ts';
import { questionWords } from '../relevance/question-words.ts';
import { queryShape } from './query-shape.ts';
import type { RankRequest } from './rank-chunks.ts';
import type { CheckedSearch } from '../requests/search.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { Reranker } from '../contracts/reranker.ts';
import { embeddingText } from '../embedding/open-embedding.ts';
import type { Ports } from '../ports.ts';

/**
 * How many entries of every list are examined again, whatever the page. With 50 no judged set ranks better; with 20 ko-autorag loses one
 * answer in a hundred of the first ten.
 */
const HEAD = 30;

/** The list in its final order. */
export interface RefinedRanking {
  readonly entries: readonly ChunkRank[];
  readonly isReranked: boolean;
  readonly degraded: readonly Degraded[];
  readonly rerankMs: number;
  /** How many entries it takes to see whether other documents follow, where a few fill the beginning of the list; else 0. */
  readonly needed: number;
}

/** How many entries are reordered. It depends only on the configuration, so that it is the same for every page. */
export function headLength({ rerank }: Pick<ResolvedConfig['models'], 'rerank'>): number {
  return rerank.provider === 'none' ? HEAD : Math.max(HEAD, rerank.topN);
}

/**
 * Reorders the beginning of a list by the content of the passages: texts before lists of links, then source code, then the reranker; what the
 * query names comes first, near-identical passages after all others, and one document does not fill a page. The length of the beginning is fixed, so that no page depends on `k` or on another page; the rest stays unchanged.
 */
export async function refineRanking(
  entries: readonly ChunkRank[],
  mode: Mode,
  request: RefineRequest,
): Promise<RefinedRanking> {
  const headEnd = headLength(request.config.models);
  const head = mode === 'lexical' ? await withProse(entries.slice(0, headEnd), request) : entries.slice(0, headEnd);
  const passages = await request.passagesOf(head.map(({ chunkId }) => chunkId));
  // Vectors are of the heading and the text together: they have counted it.
  const sections =
    mode === 'lexical' ? orderSections(head, passages, questionWords(request.retrieval.query.embeddingText)) : head;
  const contentFirst = orderByKind(sections, passages, { isCosine: mode === 'vector', query: request.retrieval.query });
  const reranked = await askReranker(await codeOrdered(contentFirst, { passages, mode, request }), request);
  const { named, holders } = await namedBy(head, request);
  const ordered = putNamedFirst(holdersFirst(reranked.entries, holders), named);
  const isFirst = new Set([...named, ...head].map(({ chunkId }) => chunkId));
  const rest = entries.slice(headEnd).filter(({ chunkId }) => !isFirst.has(chunkId));
  const single = await withoutCopies(ordered, passages, request.store);
  const original = demoteDuplicates(request.joins ? joinTouching(single, passages) : single, passages);
  const documents = new Set(original.map(({ chunkId }) => passages.get(chunkId)?.docId ?? chunkId));
  const needed = documents.size * request.perDocument < PAGE ? headEnd + MAX_FURTHER : 0;
  const further = rest.slice(0, Math.max(0, needed - headEnd));
  const others = await request.passagesOf(further.map(({ chunkId }) => chunkId));
  const known = new Map([...passages, ...others]);
  const spread = spreadDocuments([...original, ...further], known, request.perDocument);
  return { ...reranked, needed, entries: [...spread, ...rest.slice(further.length)] };
}

/**
 * How many further entries are looked through for other documents where a few fill the beginning: those of a file of a hundred sections may be
 * all of it. Cranfield, cacm, cosqa and ko-autorag rank the same with 100 and with 450.
 */
const MAX_FURTHER = 170;

/** With fewer texts among the first, more of them are looked for. */
const ENOUGH_PROSE = 10;
const PROSE: readonly Media[] = MEDIA.filter((media) => media !== 'code');

/** The beginning of a list with the best texts, where source code takes their places although the query is plain words. */
async function withProse(
  head: readonly ChunkRank[],
  { retrieval, index, passagesOf, signal }: RefineRequest,
): Promise<readonly ChunkRank[]> {
  const { query, filters } = retrieval;
  if (head.length < HEAD || filters.media !== undefined || proseFactor(query) === 1) return head;
  const media = [...(await passagesOf(head.map(({ chunkId }) => chunkId))).values()].map((passage) => passage.media);
  const texts = media.filter((one) => one !== 'code').length;
  if (texts === media.length || texts >= ENOUGH_PROSE) return head;
  const options = { signal };
  const prose = await index.search(query, { ...filters, media: PROSE }, ENOUGH_PROSE, options);
  const known = new Set(head.map(({ chunkId }) => chunkId));
  const others = prose.filter(({ chunkId }) => !known.has(chunkId));
  return [
    ...head,
    ...others.map(({ chunkId, score }, at): ChunkRank => {
      const lexical = { score, rank: head.length + at + 1 };
      return { chunkId, score, lexical, vector: null, fusionScore: null };
    }),
  ];
}

/** What a query as a whole names. */
interface Named {
  /** The passages it names, whether the list has them or not. */
  readonly named: readonly NameMatch[];
  /** The passages of the list with the identifier that the query consists of, or with its exact texts; none for another query. */
  readonly holders: ReadonlySet<ChunkId>;
}

async function namedBy(head: readonly ChunkRank[], request: RefineRequest): Promise<Named> {
  const { retrieval, index, store, passagesOf, signal } = request;
  const matches = await matchNames(index, retrieval, { signal });
  const documents = matches.filter(({ kind, ordinal }) => (kind === 'file' || kind === 'document') && ordinal < 4);
  const symbols = matches.filter(({ kind }) => kind === 'symbol');
  // One symbol alone is first, with a body or without.
  const doubtful = [...documents.slice(0, HEAD), ...(symbols.length > 1 ? symbols.slice(0, HEAD) : [])];
  const known = await passagesOf(doubtful.map(({ chunkId }) => chunkId));
  const named = representatives(matches, known);
  const query = retrieval.query.embeddingText;
  const name = declaredName(query);
  if (name === null) return { named, holders: await exactHolders(head, request) };
  if (named.some(({ kind }) => kind === 'file')) return { named, holders: new Set() };
  const ids = head.map(({ chunkId }) => chunkId);
  const [passages, kinds] = await Promise.all([store.getPassages(ids), passagesOf(ids)]);
  // A table of contents declares nothing.
  const texts = passages.filter(({ chunkId }) => kinds.get(chunkId)?.kind !== 'links');
  const isUnit = new Set(named.flatMap(({ chunkId, kind }) => (kind === 'heading' ? [] : [chunkId])));
  const identifier = identifierIn(query);
  const holders = identifier === null ? [] : passages.filter(({ text }) => mentions(text, identifier));
  return {
    named: [...named, ...declaringEntries(texts, name).filter(({ chunkId }) => !isUnit.has(chunkId))],
    holders: new Set(holders.map(({ chunkId }) => chunkId)),
  };
}

/** The passages that have the exact texts of the query themselves: the index also admits those whose title has them. */
async function exactHolders(
  head: readonly ChunkRank[],
  { retrieval, store }: RefineRequest,
): Promise<ReadonlySet<ChunkId>> {
  const exact = retrieval.query.phrases.filter((phrase) => phrase.exact !== undefined);
  if (exact.length === 0) return new Set();
  const { SearchedText } = await import('../analysis/searched-text.ts');
  const passages = await store.getPassages(head.map(({ chunkId }) => chunkId));
  const holds = ({ text }: Passage): boolean => exact.every((phrase) => new SearchedText(text).holds(phrase));
  return new Set(passages.filter(holds).map(({ chunkId }) => chunkId));
}

/** Puts passages with an identifier before those that only share its parts, which score no more than them. */
function holdersFirst(entries: readonly ChunkRank[], holders: ReadonlySet<ChunkId>): readonly ChunkRank[] {
  if (holders.size === 0) return entries;
  const first = entries.filter(({ chunkId }) => holders.has(chunkId));
  const least = first.reduce((score, entry) => Math.min(score, entry.score), Infinity);
  const others = entries.filter(({ chunkId }) => !holders.has(chunkId));
  return [...first, ...others.map((entry) => ({ ...entry, score: Math.min(entry.score, least) }))];
}

type RefineRequest = Pick<
  RankRequest,
  'retrieval' | 'sides' | 'config' | 'index' | 'store' | 'passagesOf' | 'perDocument' | 'joins' | 'signal'
>;

/** How many entries make up a page as people see it, for the limit of passages a document. */
const PAGE = 10;
/** A file of code answers with several units: twice as many of them are shown. */
const UNITS_A_PASSAGE = 2;

/**
 * Limits the passages of one document among each ten: what exceeds `perDocument` follows after other documents, in order. The last passage
 * that the first ten show of such a document counts the others in the list.
 */
export function spreadDocuments(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, Pick<KnownPassage, 'docId' | 'media'>>,
  perDocument: number,
): readonly ChunkRank[] {
  const takenFrom = (counts: Map<DocumentId, number>, { chunkId }: ChunkRank): boolean => {
    const passage = passages.get(chunkId);
    if (passage === undefined) return true;
    const count = counts.get(passage.docId) ?? 0;
    if (count >= perDocument * (passage.media === 'code' ? UNITS_A_PASSAGE : 1)) return false;
    counts.set(passage.docId, count + 1);
    return true;
  };
  const spread: ChunkRank[] = [];
  for (let left = entries; left.length > 0;) {
    const counts = new Map<DocumentId, number>();
    const page: ChunkRank[] = [];
    const later: ChunkRank[] = [];
    for (const entry of left) (page.length < PAGE && takenFrom(counts, entry) ? page : later).push(entry);
    spread.push(...page);
    // Nothing but further passages of these documents is left.
    if (page.length < PAGE) spread.push(...later);
    left = page.length < PAGE ? [] : later;
  }
  return countingOthers(spread, passages);
}

/** The entries, with what else the list has of a document on the last of its passages in the first ten. */
function countingOthers(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, Pick<KnownPassage, 'docId'>>,
): readonly ChunkRank[] {
  const others = new Map<DocumentId, number>();
  for (const { chunkId } of entries.slice(PAGE)) {
    const doc = passages.get(chunkId)?.docId;
    if (doc !== undefined) others.set(doc, (others.get(doc) ?? 0) + 1);
  }
  if (others.size === 0) return entries;
  return entries
    .toReversed()
    .map((entry, fromEnd) => {
      const doc = passages.get(entry.chunkId)?.docId;
      const moreInDoc = doc === undefined ? undefined : others.get(doc);
      if (moreInDoc === undefined || doc === undefined || entries.length - fromEnd > PAGE) return entry;
      others.delete(doc);
      return { ...entry, moreInDoc };
    })
    .toReversed();
}

/** Imported lazily, since only hits in source code need it. */
async function codeOrdered(
  entries: readonly ChunkRank[],
  {
    passages,
    mode,
    request,
  }: {
    readonly passages: ReadonlyMap<ChunkId, KnownPassage>;
    readonly mode: Mode;
    readonly request: RefineRequest;
  },
): Promise<readonly ChunkRank[]> {
  if (![...passages.values()].some(({ media }) => media === 'code')) return entries;
  const { codeQuery, orderCode } = await import('./order-code.ts');
  const query = codeQuery(queryShape(request.retrieval.query));
  return orderCode({ entries, passages, query, isCosine: mode === 'vector' });
}

async function askReranker(
  entries: readonly ChunkRank[],
  { retrieval, sides: { reranker }, store, signal }: RefineRequest,
): Promise<Omit<RefinedRanking, 'needed'>> {
  const asIs = { entries, isReranked: false, degraded: [], rerankMs: 0 };
  if (reranker === null) return asIs;
  if (reranker.kind === 'absent') return { ...asIs, degraded: [reranker.degraded] };
  const started = performance.now();
  const texts = await store.getPassages(entries.slice(0, reranker.topN).map(({ chunkId }) => chunkId));
  const passages = new Map(texts.map((passage) => [passage.chunkId, passage]));
  try {
    const ordered = await rerankHead(
      { query: retrieval.query.embeddingText, entries, passages, reranker: reranker.reranker, topN: reranker.topN },
      { signal },
    );
    return { ...asIs, entries: ordered, isReranked: true, rerankMs: performance.now() - started };
  } catch (error) {
    if (isAbort(error) || isKebabError(error, 'cancelled')) throw error;
    return { ...asIs, degraded: [rerankFailed(error)], rerankMs: performance.now() - started };
  }
}

/** Raised when the same lists are ordered differently; a cursor then belongs to another list. */
const RANKING_RULES = 12;

/** What a request says about the order of its list. */
type AskedOrder = Pick<CheckedSearch, 'minRelevance' | 'minScore' | 'perDocument' | 'sort' | 'literal'> &
  Pick<RankRequest, 'joins'>;

/** The settings that affect the order of a list, besides those of the stages that contributed to it. */
export function rankingSettings(
  { search }: Pick<ResolvedConfig, 'search'>,
  { perDocument, sort, literal, joins, ...asked }: AskedOrder,
): Readonly<Record<string, number | string | boolean>> {
  const { hybridFusion, rrfK, weightLexical, weightVector, weightRetrievers, candidates } = search;
  const minRelevance = asked.minRelevance === null ? `configured ${search.minRelevance}` : asked.minRelevance;
  return {
    hybridFusion,
    rrfK,
    weightLexical,
    weightVector,
    weightRetrievers,
    candidates,
    minRelevance,
    rules: RANKING_RULES,
    perDocument,
    sort,
    literal,
    joins,
    ...(asked.minScore === null ? {} : { minScore: asked.minScore }),
  };
}

/**
 * Counts a passage of byte-identical files, linked or copied, once: that of the file that the query names, else of the one with the shortest
 * path, in the best place of any of them.
 */
async function withoutCopies(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, KnownPassage>,
  store: Pick<DocumentStore, 'getDocuments'>,
): Promise<readonly ChunkRank[]> {
  const alike = grouped(entries, ({ chunkId }) => {
    const { ordinal, print } = passages.get(chunkId) ?? {};
    return print === undefined ? chunkId : `${ordinal} ${print.key}`;
  });
  const suspects = [...alike.values()].filter(({ length }) => length > 1).flat();
  if (suspects.length === 0) return entries;
  const ids = new Set(suspects.flatMap(({ chunkId }) => passages.get(chunkId)?.docId ?? []));
  const documents = new Map((await store.getDocuments([...ids])).map((document) => [document.docId, document]));
  const groups = grouped(entries, ({ chunkId }) => {
    const { docId, ordinal } = passages.get(chunkId) ?? {};
    const document = docId === undefined ? undefined : documents.get(docId);
    return document === undefined ? chunkId : `${ordinal} ${document.checksum}`;
  });
  const pathOf = ({ chunkId }: ChunkRank): string => passages.get(chunkId)?.workspacePath ?? '';
  const sourceOf = ({ chunkId }: ChunkRank): string => passages.get(chunkId)?.sourceId ?? '';
  const depthOf = (entry: ChunkRank): number => pathOf(entry).split('/').length;
  return [...groups.values()].map(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first as ChunkRank;
    const [shown = first, ...copies] = [first, ...others].toSorted(
      (a, b) =>
        Number(b.named !== undefined) - Number(a.named !== undefined) ||
        depthOf(a) - depthOf(b) ||
        compareCodePoints(pathOf(a), pathOf(b)),
    );
    const nameOf = (copy: ChunkRank): string => {
      const [sourceId, path] = [sourceOf(copy), pathOf(copy)];
      return sourceId === sourceOf(shown) ? path : formatSourcePath({ sourceId, path });
    };
    return { ...shown, score: first.score, copies: copies.map(nameOf).toSorted(compareCodePoints) };
  });
}

/** The entries by a key, in order. */
function grouped(
  entries: readonly ChunkRank[],
  keyOf: (entry: ChunkRank) => string,
): ReadonlyMap<string, readonly ChunkRank[]> {
  const groups = new Map<string, ChunkRank[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
}

function sectionPlace({ docId, sectionLabel }: KnownPassage, ordinal: number): string {
  return `${docId} ${ordinal} ${sectionLabel}`;
}

/** So many passages are one hit at most. */
const MAX_JOINED = 4;

/** Joins passages of one section that follow each other: the best of them stands for all. */
function joinTouching(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, KnownPassage>,
): readonly ChunkRank[] {
  const joined = new Map<string, ChunkId[]>();
  const kept = entries.filter(({ chunkId, named }) => {
    const passage = passages.get(chunkId);
    if (passage === undefined || (passage.media !== 'markdown' && passage.media !== 'text')) return true;
    const { ordinal } = passage;
    const neighbour = joined.get(sectionPlace(passage, ordinal - 1)) ?? joined.get(sectionPlace(passage, ordinal + 1));
    const isJoined = neighbour !== undefined && neighbour.length < MAX_JOINED && named === undefined;
    const own = isJoined ? neighbour : [];
    own.push(chunkId);
    joined.set(sectionPlace(passage, ordinal), own);
    return !isJoined;
  });
  if (kept.length === entries.length) return entries;
  const touching = new Map([...new Set(joined.values())].map(([first, ...others]) => [first, others]));
  return kept.map((entry) => {
    const others = touching.get(entry.chunkId) ?? [];
    return others.length === 0 ? entry : { ...entry, touching: others };
  });
}

/** Shorter texts are never treated as duplicates: they take no room, and are similar by chance. */
const MIN_WORDS = 20;

/**
 * Groups near-identical texts: each chunk that nearly equals a better one moves after all others, in order, and the better one lists them.
 * Nothing is removed, so that there are as many hits as matches; a copy that moves down scores no more than what precedes it. A user's file
 * ranks before a copy of it that was added by hand.
 */
export function demoteDuplicates(
  found: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, PassagePrint>,
): readonly ChunkRank[] {
  const entries = withFilesBeforeCopies(found, passages);
  const originals = new DuplicateIndex();
  const copies = new Map<ChunkId, ChunkId[]>();
  const originalOf = new Map<ChunkId, ChunkId>();
  for (const { chunkId } of entries) {
    const print = passages.get(chunkId)?.print;
    if (print === undefined || print.words < MIN_WORDS) continue;
    const original = originals.findOrAdd(chunkId, print);
    if (original === chunkId) continue;
    copies.set(original, [...(copies.get(original) ?? []), chunkId]);
    originalOf.set(chunkId, original);
  }
  if (originalOf.size === 0) return entries;
  const originalEntries = entries.filter(({ chunkId }) => !originalOf.has(chunkId));
  const back = entries.filter(({ chunkId }) => originalOf.has(chunkId));
  const least = originalEntries.reduce((score, entry) => Math.min(score, entry.score), Infinity);
  return [
    ...originalEntries.map((entry) => {
      const duplicates = copies.get(entry.chunkId);
      return duplicates === undefined ? entry : { ...entry, duplicates };
    }),
    ...back.map((entry) => {
      const duplicateOf = originalOf.get(entry.chunkId) as ChunkId;
      return { ...entry, score: Math.min(entry.score, least), duplicateOf };
    }),
  ];
}

type PassagePrint = Pick<KnownPassage, 'print' | 'isManuallyAdded'>;

/** Swaps a user's file, positions and scores included, with a higher-ranked copy of it. */
function withFilesBeforeCopies(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, PassagePrint>,
): readonly ChunkRank[] {
  const isCopy = ({ chunkId }: ChunkRank): boolean => passages.get(chunkId)?.isManuallyAdded === true;
  if (!entries.some(isCopy)) return entries;
  const originals = new DuplicateIndex();
  const placeOf = new Map<ChunkId, number>();
  const ordered = [...entries];
  for (const [at, entry] of entries.entries()) {
    const print = passages.get(entry.chunkId)?.print;
    if (print === undefined || print.words < MIN_WORDS) continue;
    const original = originals.findOrAdd(entry.chunkId, print);
    if (original === entry.chunkId) placeOf.set(original, at);
    const place = placeOf.get(original) ?? at;
    const higher = ordered[place];
    if (higher === undefined || place === at || isCopy(entry) || !isCopy(higher)) continue;
    ordered[place] = { ...entry, score: higher.score };
    ordered[at] = { ...higher, score: entry.score };
  }
  return ordered;
}

/** The texts seen so far that nearly equal none before them. */
class DuplicateIndex {
  readonly #originals: { readonly id: ChunkId; readonly print: TextPrint }[] = [];

  /** The first earlier text that nearly equals this one; else this one, which is added. */
  findOrAdd(id: ChunkId, print: TextPrint): ChunkId {
    const original = this.#originals.find((known) => known.print.isNearly(print));
    if (original === undefined) this.#originals.push({ id, print });
    return original?.id ?? id;
  }
}

/** The reranker of a search, or why there is none. */
export type RerankSide =
  | {
      readonly kind: 'ready';
      readonly reranker: Reranker;
      /** How many entries at the beginning of a list it orders. */
      readonly topN: number;
    }
  | { readonly kind: 'absent'; readonly degraded: Degraded };

/** The configured reranker; null when the configuration names none. Failures are returned, not thrown; aborts pass through. */
export async function findReranker({
  rerankers,
  config,
}: Pick<Ports, 'rerankers'> & { readonly config: Pick<ResolvedConfig, 'models'> }): Promise<RerankSide | null> {
  const { provider, topN } = config.models.rerank;
  if (provider === 'none') return null;
  try {
    return { kind: 'ready', reranker: await rerankers.get(provider), topN };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { kind: 'absent', degraded: rerankFailed(error) };
  }
}

/** The degradation of a search that continued without its reranker. */
function rerankFailed(error: unknown): Degraded {
  const message = error instanceof Error ? error.message : String(error);
  const remedy = isKebabError(error) && error.hint !== undefined ? error.hint : 'or set models.rerank.provider to none';
  return { stage: 'rerank', reason: 'reranker_failed', hint: `${message}; ${remedy}` };
}

/** A request to rerank a list. */
interface RerankRequest {
  readonly query: string;
  readonly entries: readonly ChunkRank[];
  readonly passages: ReadonlyMap<ChunkId, Passage>;
  readonly reranker: Reranker;
  /** The number of entries to reorder; the rest stays unchanged. */
  readonly topN: number;
}

/**
 * Orders the first entries of a list by the scores of a reranker, ties by place; these become their scores. The reranker receives headings
 * and text, like an embedder. Throws what it throws, and a TypeError for a result that is not a permutation of its input with scores from 0
 * to 1.
 */
export async function rerankHead(
  { query, entries, passages, reranker, topN }: RerankRequest,
  options: AbortOptions = {},
): Promise<readonly ChunkRank[]> {
  const head = entries.slice(0, topN).filter(({ chunkId }) => passages.has(chunkId));
  if (head.length === 0) return entries;
  const items = head.map(({ chunkId }) => ({ chunkId, text: embeddingText(passages.get(chunkId) as Passage) }));
  const scores = checked(await reranker.rerank(query, items, options), head);
  const ordered = head
    .map((entry) => ({ entry, score: scores.get(entry.chunkId) ?? 0 }))
    .toSorted(
      (a, b) => b.score - a.score || byPlace(placeIn(passages, a.entry.chunkId), placeIn(passages, b.entry.chunkId)),
    );
  const seen = new Set(head.map(({ chunkId }) => chunkId));
  return [
    ...ordered.map(({ entry, score }, at) => ({ ...entry, score, rerank: { rank: at + 1, score } })),
    ...entries.filter(({ chunkId }) => !seen.has(chunkId)),
  ];
}

function checked(
  answer: readonly { readonly chunkId: ChunkId; readonly score: number }[],
  head: readonly ChunkRank[],
): ReadonlyMap<ChunkId, number> {
  const scores = new Map(answer.map(({ chunkId, score }) => [chunkId, score]));
  const isWhole = answer.length === head.length && head.every(({ chunkId }) => scores.has(chunkId));
  if (!isWhole) throw new TypeError('the reranker did not return each passage once');
  if (![...scores.values()].every((score) => score >= 0 && score <= 1))
    throw new TypeError('the reranker gave a score that is not between 0 and 1');
  return scores;
}

function placeIn(passages: ReadonlyMap<ChunkId, Passage>, id: ChunkId): Place {
  return placeOfPassage(passages.get(id) as Passage);
}
