import type { ChunkWithDocument, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { ChunkId } from '../domain/ids.ts';
import { sixDigits } from '../domain/json.ts';
import {
  type CosineScale,
  estimateRelevance,
  nearnessOf,
  type JudgedPassage,
  judgePassages,
  wireEvidence,
} from '../relevance/estimate-relevance.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { JudgedHit } from './write-hits.ts';

/** The parameters of a relevance cut. */
export interface RelevanceCut {
  /** The query without exclusions and quote marks. */
  readonly question: string;
  /** The minimum relevance of an entry to keep, 0 to 1; 0 keeps everything. */
  readonly min: number;
  /** False keeps what the lexical side found, whatever its relevance. */
  readonly cutsWords: boolean;
  /** How many entries are judged at a time; the search stops after as many consecutive irrelevant ones. */
  readonly together: number;
  /** Judging stops once this many are kept. */
  readonly needed: number;
  readonly scale: CosineScale | null;
  readonly index: Pick<LexicalIndex, 'termStats'>;
  readonly store: Pick<DocumentStore, 'getChunks'>;
}

/** The beginning of a list, or the whole list. */
interface UnfilteredList {
  readonly entries: readonly ChunkRank[];
  readonly isWhole: boolean;
}

/** The beginning of a list without the entries that do not answer the query. */
export interface FilteredList {
  readonly entries: readonly ChunkRank[];
  /** Whether nothing follows. */
  readonly isComplete: boolean;
  /** How many entries of the uncut list it covers. */
  readonly read: number;
  /** The passages from the beginning that later ones are judged together with. */
  readonly beside: readonly ReadPassage[];
}

/** A passage to judge; its cosine is null when the vector side did not return it. */
interface ReadPassage {
  readonly found: ChunkWithDocument;
  readonly cosine: number | null;
}

const NOTHING_READ: FilteredList = { entries: [], isComplete: false, read: 0, beside: [] };

/** In the largest corpus, where nearness counts for least. */
const NO_WORDS_HELD = { held: 0, heldByTwo: 0, inOrder: 0, words: 0, chunks: Number.MAX_SAFE_INTEGER };

/** How many passages from the beginning, those that cover most of the question, later ones are judged together with. */
const MAX_BESIDE = 10;

/**
 * Removes the entries that do not answer the query: a vector search returns something for every text, however strange. An entry whose
 * cosine alone is high enough is kept without being read. The result for an entry depends on those that are judged with it and on the
 * beginning of the list, not on how many follow; unless the entries are the whole list, their number must be a multiple of `together`.
 * `begun` is the result for the beginning of the same list.
 */
export async function cutIrrelevant(
  { entries, isWhole }: UnfilteredList,
  cut: RelevanceCut,
  begun: FilteredList = NOTHING_READ,
): Promise<FilteredList> {
  let list = begun;
  while (list.read < entries.length && list.entries.length < cut.needed) {
    const read = list.read + cut.together;
    const judged = await judgeEntries(entries.slice(list.read, read), list.beside, cut);
    if (judged.kept.length === 0) return { ...list, isComplete: true };
    const beside = list.read === 0 ? judged.best : list.beside;
    list = { entries: [...list.entries, ...judged.kept], isComplete: false, read, beside };
  }
  return { ...list, isComplete: isWhole && list.read >= entries.length };
}

/** The entries to keep, and those of the passages that were read that cover most of the question. */
async function judgeEntries(
  entries: readonly ChunkRank[],
  beside: readonly ReadPassage[],
  cut: RelevanceCut,
): Promise<{ readonly kept: readonly ChunkRank[]; readonly best: readonly ReadPassage[] }> {
  const isDoubtful = ({ lexical, vector }: ChunkRank): boolean => {
    if (lexical !== null && !cut.cutsWords) return false;
    if (cut.scale === null || vector === null) return true;
    const nearness = nearnessOf(vector.score, cut.scale);
    return estimateRelevance({ ...NO_WORDS_HELD, nearness }) < cut.min;
  };
  const doubtful = entries.filter(isDoubtful);
  if (doubtful.length === 0) return { kept: entries, best: [] };
  const cosines = new Map(doubtful.map(({ chunkId, vector }) => [chunkId, vector?.score ?? null]));
  const found = await cut.store.getChunks(doubtful.map(({ chunkId }) => chunkId));
  const passages = found.map((each) => ({ found: each, cosine: cosines.get(each.chunk.chunkId) ?? null }));
  const judged = (await judgePassages(cut.question, [...passages, ...beside], cut)).slice(0, passages.length);
  const left = new Set(
    found.flatMap(({ chunk }, at) => ((judged[at]?.relevance ?? 1) < cut.min ? [chunk.chunkId] : [])),
  );
  const heldBy = new Map(passages.map((passage, at) => [passage, judged[at]?.evidence.held ?? 0]));
  return {
    kept: entries.filter(({ chunkId }) => !left.has(chunkId)),
    best: passages.toSorted((a, b) => (heldBy.get(b) ?? 0) - (heldBy.get(a) ?? 0)).slice(0, MAX_BESIDE),
  };
}

/** A page of hits with the scale of the cosines in its list. */
export interface JudgedPage {
  readonly entries: readonly ChunkRank[];
  readonly chunks: readonly ChunkWithDocument[];
  readonly scale: CosineScale | null;
}

/** The relevance of the hits of a page, by chunk: as estimated, and in wire form. */
export interface JudgedHits {
  readonly passages: ReadonlyMap<ChunkId, JudgedPassage>;
  readonly hits: ReadonlyMap<ChunkId, JudgedHit>;
}

/** Estimates the relevance of each hit of a page. */
export async function judgeHits(
  question: string,
  { entries, chunks, scale }: JudgedPage,
  index: Pick<LexicalIndex, 'termStats'>,
): Promise<JudgedHits> {
  const entryOf = new Map(entries.map((entry) => [entry.chunkId, entry]));
  const passages = chunks.map((each) => {
    const { vector, rerank } = entryOf.get(each.chunk.chunkId) ?? {};
    return { found: each, cosine: vector?.score ?? null, reranked: rerank?.score };
  });
  const judged = await judgePassages(question, passages, { index, scale });
  const byChunk = new Map(chunks.map(({ chunk }, at) => [chunk.chunkId, judged[at] as JudgedPassage]));
  const hits = [...byChunk].map(([chunkId, { relevance, evidence }]) => {
    const shown = { relevance: sixDigits(relevance), evidence: wireEvidence(evidence) };
    return [chunkId, { shown, alone: estimateRelevance({ ...evidence, heldByTwo: evidence.held }) }] as const;
  });
  return { passages: byChunk, hits: new Map(hits) };
}
