import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/passage.ts';

/** What a store gives as the passage of a chunk. */
export function passageOf({ chunk, document }: ChunkWithDocument): Passage {
  const { chunkId, ordinal, text, headingPath, sectionLabel } = chunk;
  const { docId, sourceId, workspacePath, media } = document;
  const [span] = chunk.sourceSpans;
  const symbol = media === 'code' && span?.kind === 'code' ? span.symbol : null;
  return { chunkId, docId, sourceId, workspacePath, media, ordinal, text, headingPath, sectionLabel, symbol };
}
