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
import { questionWords } from '../relevance/question-words.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { JudgedHit } from './write-hits.ts';

/** What a list is cut by. */
export interface RelevanceCut {
  /** The query without exclusions and quote marks. */
  readonly question: string;
  /** The least relevance of an entry that stays, 0 to 1; 0 keeps everything. */
  readonly min: number;
  /** False: what the words have found stays, whatever it is worth. */
  readonly cutsWords: boolean;
  readonly scale: CosineScale | null;
  readonly index: Pick<LexicalIndex, 'termStats'>;
  readonly store: Pick<DocumentStore, 'getChunks'>;
}

/**
 * Leaves out the entries that do not answer the query: a vector search finds something for every text, however strange. An
 * entry that is near enough by its cosine alone stays without being read.
 */
export async function cutIrrelevant(entries: readonly ChunkRank[], cut: RelevanceCut): Promise<readonly ChunkRank[]> {
  if (cut.min <= 0) return entries;
  const words = questionWords(cut.question).length;
  const isDoubtful = ({ lexical, vector }: ChunkRank): boolean => {
    if (lexical !== null && !cut.cutsWords) return false;
    if (cut.scale === null || vector === null) return true;
    const nearness = nearnessOf(vector.score, cut.scale);
    return estimateRelevance({ held: 0, heldByTwo: 0, inOrder: 0, words, nearness }) < cut.min;
  };
  const doubtful = entries.filter(isDoubtful);
  if (doubtful.length === 0) return entries;
  const cosines = new Map(doubtful.map(({ chunkId, vector }) => [chunkId, vector?.score ?? null]));
  const found = await cut.store.getChunks(doubtful.map(({ chunkId }) => chunkId));
  const passages = found.map((each) => ({ found: each, cosine: cosines.get(each.chunk.chunkId) ?? null }));
  const judged = await judgePassages(cut.question, passages, cut);
  const left = new Set(
    found.flatMap(({ chunk }, at) => ((judged[at]?.relevance ?? 1) < cut.min ? [chunk.chunkId] : [])),
  );
  return entries.filter(({ chunkId }) => !left.has(chunkId));
}

/** A page of hits with what the cosines of its list mean. */
export interface JudgedPage {
  readonly entries: readonly ChunkRank[];
  readonly found: readonly ChunkWithDocument[];
  readonly scale: CosineScale | null;
}

/** How relevant the hits of a page are, by their chunks: as estimated, and in wire form. */
export interface JudgedHits {
  readonly passages: ReadonlyMap<ChunkId, JudgedPassage>;
  readonly hits: ReadonlyMap<ChunkId, JudgedHit>;
}

/** How relevant each hit of a page is. */
export async function judgeHits(
  question: string,
  { entries, found, scale }: JudgedPage,
  index: Pick<LexicalIndex, 'termStats'>,
): Promise<JudgedHits> {
  const given = new Map(entries.map((entry) => [entry.chunkId, entry]));
  const passages = found.map((each) => {
    const { vector, rerank } = given.get(each.chunk.chunkId) ?? {};
    return { found: each, cosine: vector?.score ?? null, reranked: rerank?.score };
  });
  const judged = await judgePassages(question, passages, { index, scale });
  const byChunk = new Map(found.map(({ chunk }, at) => [chunk.chunkId, judged[at] as JudgedPassage]));
  const hits = [...byChunk].map(([chunkId, { relevance, evidence }]) => {
    const hit = { relevance: sixDigits(relevance), evidence: wireEvidence(evidence) };
    return [chunkId, hit] as const;
  });
  return { passages: byChunk, hits: new Map(hits) };
}
