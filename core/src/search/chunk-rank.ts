import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/retriever.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { NameKind } from './name-matches.ts';
import type { PassageKind } from './passage-kind.ts';

/** The result of one side for a chunk: its 1-based rank there and a score that is comparable only within this side. */
export interface SideRank {
  readonly rank: number;
  readonly score: number;
}

/**
 * The effect of code ordering on a chunk: its 1-based ranks before and after, the bonus added to its share of the best score, and the
 * factor on the sum.
 */
interface CodeRank {
  readonly before: number;
  readonly rank: number;
  readonly fit: number;
  readonly factor: number;
}

/** A chunk in the final order, with the results of each stage; `score` determines the order. */
export interface ChunkRank {
  readonly chunkId: ChunkId;
  readonly score: number;
  readonly lexical: SideRank | null;
  readonly vector: SideRank | null;
  /** The results of plugin retrievers, by their ids; present only in lists that some contributed to. */
  readonly contributed?: ReadonlyMap<string, SideRank>;
  /** Null when only one side took part. */
  readonly fusionScore: number | null;
  /** Whether it contains every content word of a query short enough for this to matter; absent otherwise. */
  readonly holdsAllWords?: boolean;
  /** Only on source code among the reordered chunks. */
  readonly code?: CodeRank;
  /** What the passage is, and the factor on its score for that; absent where it makes no difference. */
  readonly kind?: { readonly is: Exclude<PassageKind, 'content'> | 'prose'; readonly factor: number } | undefined;
  /** The factor on its score for the heading of its section and the other passages of its document; absent on source code. */
  readonly section?: number;
  /** How many other passages of its document the list has after the first ten; only on the last one shown of these. */
  readonly moreInDoc?: number;
  /** What the query names it by; present only when it does. */
  readonly named?: NameKind;
  /** Only on chunks that a reranker scored. */
  readonly rerank?: SideRank;
  /** The same passage in byte-identical files, linked or copied, those of the shortest path first. */
  readonly copies?: readonly ChunkId[];
  /** Further passages of the section in the list, which it touches and is shown with. */
  readonly touching?: readonly ChunkId[];
  /** Near-identical chunks ranked lower because of this one, in order; absent when there are none. */
  readonly duplicates?: readonly ChunkId[];
  /** The higher-ranked chunk that this one nearly equals. */
  readonly duplicateOf?: ChunkId;
}

/** The order of chunks with equal scores. */
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
 * Sorts entries by score, best first, and ties by place; a chunk that no longer exists has no place. The store is asked once, and only
 * when there are ties.
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

/** The place of a passage. */
export function placeOfPassage({ workspacePath: docPath, ordinal, sourceId }: Passage): Place {
  return { docPath, ordinal, sourceId };
}
