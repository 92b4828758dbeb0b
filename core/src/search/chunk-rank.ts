import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/retriever.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { ChunkId } from '../domain/ids.ts';

/** What one side gave a chunk: its 1-based rank there and a score that only this side can compare. */
export interface SideRank {
  readonly rank: number;
  readonly score: number;
}

/**
 * What the order of source code made of a chunk: its 1-based ranks before and behind it, what was added to its share of the
 * best score, and the factor on the sum.
 */
interface CodeRank {
  readonly before: number;
  readonly rank: number;
  readonly fit: number;
  readonly factor: number;
}

/** A chunk in the final order, with what each stage gave it; `score` is what it was ordered by. */
export interface ChunkRank {
  readonly chunkId: ChunkId;
  readonly score: number;
  readonly lexical: SideRank | null;
  readonly vector: SideRank | null;
  /** What retrievers of plugins gave it, by their ids; only in lists that such took part in. */
  readonly contributed?: ReadonlyMap<string, SideRank>;
  /** Null when there was one side only. */
  readonly fusionScore: number | null;
  /** Whether it holds every content word of a query so short that this counts; absent where it does not. */
  readonly holdsAllWords?: boolean;
  /** Only on source code among the chunks that were reordered. */
  readonly code?: CodeRank;
  /** Only on chunks that a reranker has seen. */
  readonly rerank?: SideRank;
  /** Near-identical chunks that stand further down because of this one, in order; absent without any. */
  readonly duplicates?: readonly ChunkId[];
  /** The chunk that this one nearly equals and stands higher. */
  readonly duplicateOf?: ChunkId;
}

/** What orders chunks of equal score. */
export interface Place {
  readonly docPath: string;
  readonly ordinal: number;
  readonly sourceId: string;
}

/** Compares two places by document path, then ordinal, then source. */
export function byPlace(a: Place, b: Place): number {
  return compareCodePoints(a.docPath, b.docPath) || a.ordinal - b.ordinal || compareCodePoints(a.sourceId, b.sourceId);
}

/**
 * Puts entries in order of score, best first, those of equal score in order of place; of chunks that are gone, there is
 * none. The store is asked once, and only when there are ties.
 */
export async function byScoreThenPlace<T extends { readonly chunkId: ChunkId; readonly score: number }>(
  entries: readonly T[],
  store: Pick<DocumentStore, 'getPassages'>,
): Promise<readonly T[]> {
  const sorted = entries.toSorted((a, b) => b.score - a.score);
  const tied = sorted.filter(({ score }, at) => score === sorted[at - 1]?.score || score === sorted[at + 1]?.score);
  if (tied.length === 0) return sorted;
  const passages = await store.getPassages(tied.map(({ chunkId }) => chunkId));
  const places = new Map(passages.map((passage) => [passage.chunkId, placeOfPassage(passage)]));
  const placeOf = ({ chunkId }: T): Place => places.get(chunkId) ?? NOWHERE;
  return sorted.toSorted((a, b) => b.score - a.score || byPlace(placeOf(a), placeOf(b)));
}

const NOWHERE: Place = { docPath: '', ordinal: 0, sourceId: '' };

/** Where a passage lies. */
export function placeOfPassage({ workspacePath: docPath, ordinal, sourceId }: Passage): Place {
  return { docPath, ordinal, sourceId };
}
