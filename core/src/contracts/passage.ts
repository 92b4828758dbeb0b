import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { Media } from '../domain/media.ts';

/** What ranking looks at in a chunk: its words, what they stand under, and where they lie. */
export interface Passage {
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly media: Media;
  /** 0-based, within its document. */
  readonly ordinal: number;
  readonly text: string;
  readonly headingPath: readonly string[];
  readonly sectionLabel: string | null;
  /** The unit of source code that the chunk belongs to; null for everything else. */
  readonly symbol: string | null;
}
