import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/passage.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { ChunkId } from '../domain/ids.ts';

/** What one side gave a chunk: its 1-based rank there and a score that only this side can compare. */
export interface SideRank {
  readonly rank: number;
  readonly score: number;
}

/** What the order of source code made of a chunk: its 1-based ranks before and behind it, and the factor on its score. */
interface CodeRank {
  readonly before: number;
  readonly rank: number;
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
  /** Only on source code among the chunks that were ordered anew. */
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

/** Where a stored chunk lies; chunks that are gone come first, together. */
export function placeOf(store: Pick<DocumentStore, 'getPassages'>, id: ChunkId): Place {
  const [passage] = store.getPassages([id]);
  return passage === undefined ? { docPath: '', ordinal: 0, sourceId: '' } : placeOfPassage(passage);
}

/** Where a passage lies. */
export function placeOfPassage({ workspacePath: docPath, ordinal, sourceId }: Passage): Place {
  return { docPath, ordinal, sourceId };
}
