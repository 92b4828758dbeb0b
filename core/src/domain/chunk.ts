import type { TextRange } from './block.ts';
import type { BlockId, ChunkId, DocumentId } from './ids.ts';
import type { SourceSpan } from './span.ts';

/** A slice that a chunker chose. What it leaves out, the host derives from blocks, lines and pages. */
export interface ChunkDraft extends TextRange {
  /** Default: the headings in force at `start`, the chunk's own heading included. */
  readonly headingPath?: readonly string[];
  /** Default: the symbol, else the last heading in its displayed form, else null. */
  readonly sectionLabel?: string;
  /** Default: one line or code span over the slice, or page spans for documents with pages. */
  readonly sourceSpans?: readonly SourceSpan[];
  /** Searched, never shown: context that a plugin adds before the slice. */
  readonly indexPrefix?: string;
  readonly symbol?: string;
}

/** A contiguous slice of a document: the unit of search and of evidence. `text === document.text.slice(start, end)`. */
export interface Chunk extends TextRange {
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  /** 0-based position among the document's chunks, by `start`, then `end`. */
  readonly ordinal: number;
  readonly text: string;
  /** Every block that the range intersects, in order. */
  readonly blockIds: readonly BlockId[];
  readonly headingPath: readonly string[];
  readonly sectionLabel: string | null;
  readonly sourceSpans: readonly SourceSpan[];
  readonly tokenEstimate: number;
  readonly chunkerVersion: string;
  readonly policyHash: string;
}

/** How chunks are to be cut. Token sizes are `est` tokens: UTF-8 bytes / 3, rounded up. */
export interface ChunkPolicy {
  readonly targetTokens: number;
  readonly overlapTokens: number;
  readonly maxChunkTokens: number;
  readonly respectMarkdownHeadings: boolean;
  readonly maxUnitLines: number;
  readonly windowLines: number;
  readonly windowOverlapLines: number;
}
