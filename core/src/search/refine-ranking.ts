import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import { MEDIA, type Media } from '../domain/kinds.ts';
import type { Mode } from '../domain/query.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { KnownPassage, TextPrint } from './known-passages.ts';
import {
  declaredName,
  declaringEntries,
  matchNames,
  type NameMatch,
  putNamedFirst,
  representatives,
} from './name-matches.ts';
import { orderByKind, orderSections, proseFactor } from './passage-kind.ts';
import { questionWords } from '../relevance/question-words.ts';
import { queryShape } from './query-shape.ts';
import type { RankRequest } from './rank-chunks.ts';
import type { Reranked } from './rerank-head.ts';
import type { CheckedSearch } from '../requests/search.ts';

/**
 * How many entries of every list are examined again, whatever the page. With 50 no judged set ranks better; with 20 ko-autorag loses one
 * answer in a hundred of the first ten.
 */
const HEAD = 30;

/** The list in its final order. */
export interface RefinedRanking extends Reranked {
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
  const { query } = request.retrieval;
  const headEnd = headLength(request.config.models);
  const head = mode === 'lexical' ? await withProse(entries.slice(0, headEnd), request) : entries.slice(0, headEnd);
  const passages = await request.passagesOf(head.map(({ chunkId }) => chunkId));
  // Vectors are of the heading and the text together: they have counted it.
  const sections = mode === 'lexical' ? orderSections(head, passages, questionWords(query.embeddingText)) : head;
  const contentFirst = orderByKind(sections, passages, { isCosine: mode === 'vector', query });
  const reranked = await readByModel(await codeOrdered(contentFirst, passages, { ...request, mode }), request);
  const named = await namedBy(head, request);
  const ordered = putNamedFirst(await exactFirst(reranked.entries, request), named);
  const isFirst = new Set([...named, ...head].map(({ chunkId }) => chunkId));
  const rest = entries.slice(headEnd).filter(({ chunkId }) => !isFirst.has(chunkId));
  const distinct = await withoutCopies(ordered, passages, request.store);
  const original = demoteDuplicates(request.joins ? joinTouching(distinct, passages) : distinct, passages);
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
  const prose = await index.search(query, { ...filters, media: PROSE }, ENOUGH_PROSE, { signal });
  const known = new Set(head.map(({ chunkId }) => chunkId));
  const others = prose.filter(({ chunkId }) => !known.has(chunkId));
  return [
    ...head,
    ...others.map(({ chunkId, score }, at) => single(chunkId, { lexical: { score, rank: head.length + at + 1 } })),
  ];
}

/** A chunk that one side ranked. */
export function single(chunkId: ChunkId, side: Pick<ChunkRank, 'lexical'> | Pick<ChunkRank, 'vector'>): ChunkRank {
  const sideRank = 'lexical' in side ? side.lexical : side.vector;
  return { chunkId, score: sideRank?.score ?? 0, lexical: null, vector: null, fusionScore: null, ...side };
}

/** The passages that a query as a whole names, whether the list has them or not. */
async function namedBy(head: readonly ChunkRank[], request: RefineRequest): Promise<readonly NameMatch[]> {
  const { retrieval, index, store, passagesOf, signal } = request;
  const matches = await matchNames(index, retrieval, { signal });
  const documents = matches.filter(({ kind, ordinal }) => (kind === 'file' || kind === 'document') && ordinal < 4);
  const symbols = matches.filter(({ kind }) => kind === 'symbol');
  // One symbol alone is first, with a body or without.
  const doubtful = [...documents.slice(0, HEAD), ...(symbols.length > 1 ? symbols.slice(0, HEAD) : [])];
  const known = await passagesOf(doubtful.map(({ chunkId }) => chunkId));
  const named = representatives(matches, known);
  const name = declaredName(retrieval.query.embeddingText);
  if (name === null || named.some(({ kind }) => kind === 'file')) return named;
  const ids = head.map(({ chunkId }) => chunkId);
  const [passages, kinds] = await Promise.all([store.getPassages(ids), passagesOf(ids)]);
  // A table of contents declares nothing.
  const texts = passages.filter(({ chunkId }) => kinds.get(chunkId)?.kind !== 'links');
  const isUnit = new Set(named.flatMap(({ chunkId, kind }) => (kind === 'heading' ? [] : [chunkId])));
  return [...named, ...declaringEntries(texts, name).filter(({ chunkId }) => !isUnit.has(chunkId))];
}

/** Puts passages with the exact texts of the query before those of which only the title has them, which score no more. */
async function exactFirst(
  entries: readonly ChunkRank[],
  { retrieval, store }: RefineRequest,
): Promise<readonly ChunkRank[]> {
  const exact = retrieval.query.phrases.filter((phrase) => phrase.exact !== undefined);
  if (exact.length === 0) return entries;
  const { SearchedText } = await import('../analysis/searched-text.ts');
  const passages = await store.getPassages(entries.map(({ chunkId }) => chunkId));
  const holders = new Set(
    passages.flatMap(({ chunkId, text }) =>
      exact.every((phrase) => new SearchedText(text).holds(phrase)) ? [chunkId] : [],
    ),
  );
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
  const documents = entries.map(({ chunkId }) => passages.get(chunkId)?.docId);
  const others = new Map<DocumentId, number>();
  for (const doc of documents.slice(PAGE)) if (doc !== undefined) others.set(doc, (others.get(doc) ?? 0) + 1);
  const lastOf = new Map(documents.slice(0, PAGE).map((doc, at) => [doc, at]));
  return entries.map((entry, at) => {
    const doc = documents[at];
    const moreInDoc = doc === undefined || lastOf.get(doc) !== at ? undefined : others.get(doc);
    return moreInDoc === undefined ? entry : { ...entry, moreInDoc };
  });
}

/** Imported lazily, since only hits in source code need it. */
async function codeOrdered(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, KnownPassage>,
  { mode, retrieval }: Pick<RankRequest, 'mode' | 'retrieval'>,
): Promise<readonly ChunkRank[]> {
  if (![...passages.values()].some(({ media }) => media === 'code')) return entries;
  const { codeQuery, orderCode } = await import('./order-code.ts');
  const query = codeQuery(queryShape(retrieval.query));
  return orderCode({ entries, passages, query, isCosine: mode === 'vector' });
}

async function readByModel(entries: readonly ChunkRank[], request: RefineRequest): Promise<Reranked> {
  const { reranker } = request.sides;
  if (reranker === null) return { entries, isReranked: false, degraded: [], rerankMs: 0 };
  const { askReranker } = await import('./rerank-head.ts');
  return askReranker(entries, { ...request, reranker, question: request.retrieval.query.embeddingText });
}

/** Raised when the same lists are ordered differently; a cursor then belongs to another list. */
const RANKING_RULES = 20;

/** What a request says about the order of its list. */
type AskedOrder = Pick<CheckedSearch, 'minRelevance' | 'minScore' | 'perDocument' | 'sort' | 'literal'> &
  Pick<RankRequest, 'joins'>;

/** The settings that affect the order of a list, besides those of the stages that contributed to it. */
export function rankingSettings(
  { search }: Pick<ResolvedConfig, 'search'>,
  { minRelevance, minScore, perDocument, sort, literal, joins }: AskedOrder,
): Readonly<Record<string, number | string | boolean>> {
  const { hybridFusion, rrfK, weightLexical, weightVector, weightRetrievers, candidates } = search;
  const fusion = { hybridFusion, rrfK, weightLexical, weightVector, weightRetrievers, candidates };
  return {
    ...fusion,
    minRelevance: minRelevance ?? `configured ${search.minRelevance}`,
    rules: RANKING_RULES,
    perDocument,
    sort,
    literal,
    joins,
    ...(minScore === null ? {} : { minScore }),
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
  const depthOf = (entry: ChunkRank): number => pathOf(entry).split('/').length;
  return [...groups.values()].map(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first as ChunkRank;
    const [shown = first, ...copies] = [first, ...others].toSorted(
      (a, b) =>
        Number(b.named !== undefined) - Number(a.named !== undefined) ||
        depthOf(a) - depthOf(b) ||
        compareCodePoints(pathOf(a), pathOf(b)),
    );
    return { ...shown, score: first.score, copies: copies.map(({ chunkId }) => chunkId) };
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

/** Cited by section; rows, cells, slides and pages are cited one by one. */
const CITED_BY_SECTION = /\.(?:x?html?|docx|epub|eml)$/i;

/** Joins passages of one section that follow each other: the best of them stands for all. */
function joinTouching(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, KnownPassage>,
): readonly ChunkRank[] {
  const joined = new Map<string, ChunkId[]>();
  const kept = entries.filter(({ chunkId, named }) => {
    const passage = passages.get(chunkId);
    if (passage === undefined) return true;
    const { ordinal, media, workspacePath } = passage;
    if (media !== 'markdown' && media !== 'text' && !CITED_BY_SECTION.test(workspacePath)) return true;
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
 * Groups near-identical texts: the best of each group stays in its place and lists the others, which move after all other entries, in order.
 * Nothing is removed, so that there are as many hits as matches; a copy that moves down scores no more than what precedes it. A user's file
 * takes the place and the score of a better copy of it that was added by hand.
 */
export function demoteDuplicates(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, Pick<KnownPassage, 'print' | 'isManuallyAdded'>>,
): readonly ChunkRank[] {
  const groups: { readonly print: TextPrint | null; readonly members: ChunkRank[] }[] = [];
  for (const entry of entries) {
    const { print = null } = passages.get(entry.chunkId) ?? {};
    const isLong = print !== null && print.words >= MIN_WORDS;
    const group = isLong ? groups.find((known) => known.print?.isNearly(print)) : undefined;
    if (group === undefined) groups.push({ print: isLong ? print : null, members: [entry] });
    else group.members.push(entry);
  }
  if (groups.length === entries.length) return entries;
  const originals: ChunkRank[] = [];
  const copies: ChunkRank[] = [];
  for (const { members } of groups) {
    const [best, ...others] = members as [ChunkRank, ...ChunkRank[]];
    const shown = members.find(({ chunkId }) => passages.get(chunkId)?.isManuallyAdded !== true) ?? best;
    const later = others.map((entry) => (entry === shown ? { ...best, score: shown.score } : entry));
    const duplicates = later.map(({ chunkId }) => chunkId);
    originals.push({ ...shown, score: best.score, ...(duplicates.length === 0 ? {} : { duplicates }) });
    copies.push(...later.map((entry) => ({ ...entry, duplicateOf: shown.chunkId })));
  }
  const least = originals.reduce((score, entry) => Math.min(score, entry.score), Infinity);
  const back = copies.toSorted((a, b) => b.score - a.score);
  return [...originals, ...back.map((entry) => ({ ...entry, score: Math.min(entry.score, least) }))];
}
