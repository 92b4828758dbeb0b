import type { ChunkId, DocumentId } from '../../domain/ids.ts';
import type { AnswerCitation } from '../../wire/index.ts';

/** A passage that an answer may rest on: a chunk, or a file that the question refers to. */
export interface Evidence extends Pick<AnswerCitation, 'citation' | 'score' | 'indexed_at' | 'stale' | 'freshness'> {
  /** What names it: the chunk, or the place of the file. */
  readonly key: string;
  /** Null for a file. */
  readonly chunkId: ChunkId | null;
  readonly docId: DocumentId | null;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly trust: string;
  readonly text: string;
  /** What the lexical and the vector side gave it; null where it was not found by them. */
  readonly bm25: number | null;
  readonly cosine: number | null;
}

/** A passage as it stands in a prompt: with its number, from 1, and cut where it had to be. */
export interface NumberedEvidence extends Evidence {
  readonly number: number;
}
