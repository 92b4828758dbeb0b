import type { Block, TextRange } from './block.ts';
import type { AssetId, DocumentId, BlockId, ChunkId } from './ids.ts';
import type { MediaType } from './media.ts';
import type { Metadata, ProvenanceEvent } from './metadata.ts';
import type { SourceSpan } from './span.ts';

/** A page of a document: its 1-based number and its range of the text; an empty page has an empty range. */
export interface PageRange extends TextRange {
  readonly page: number;
}

/** One file as text, blocks and metadata. Only `text` is ever cited. */
export interface CanonicalDocument {
  readonly docId: DocumentId;
  readonly sourceAssetId: AssetId;
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly mediaType: MediaType;
  readonly title: string;
  /** An ISO 639-1 or 639-3 code, or `und`. */
  readonly lang: string;
  readonly text: string;
  readonly pages: readonly PageRange[];
  readonly blocks: readonly Block[];
  readonly metadata: Metadata;
  readonly provenance: readonly ProvenanceEvent[];
  readonly parserVersion: string;
  /** The version of this shape; 1. */
  readonly schemaVersion: number;
  /** 1 for the first version of a `(source, path)`, incremented with each change. */
  readonly docVersion: number;
}

/** A slice chosen by a chunker. The host derives omitted members from blocks, lines and pages. */
export interface ChunkDraft extends TextRange {
  /** Default: the headings above `start`, including a heading at `start` itself. */
  readonly headingPath?: readonly string[];
  /** Default: the symbol, else the last heading in its displayed form, else null. */
  readonly sectionLabel?: string;
  /** Default: one line or code span for the slice, or page spans for documents with pages. */
  readonly sourceSpans?: readonly SourceSpan[];
  /** Searched, never shown: context that a plugin puts before the slice. */
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

/** How documents are chunked. Token sizes are `est` tokens: UTF-8 bytes / 3, rounded up. */
export interface ChunkPolicy {
  readonly targetTokens: number;
  readonly overlapTokens: number;
  readonly maxChunkTokens: number;
  readonly respectMarkdownHeadings: boolean;
  readonly maxUnitLines: number;
  readonly windowLines: number;
  readonly windowOverlapLines: number;
}

/** Where the bytes of an asset are kept: in a copy that kebab made, or in the original file. */
export type AssetStorage =
  | { readonly kind: 'copied'; readonly path: string }
  | { readonly kind: 'reference'; readonly path: string; readonly checksum: string };

/** The raw bytes of one file, identified by their content. */
export interface RawAsset {
  readonly assetId: AssetId;
  readonly sourceId: string;
  readonly sourceUri: { readonly file: string } | { readonly kb: string };
  readonly workspacePath: string;
  readonly mediaType: MediaType;
  readonly byteLen: number;
  /** The full blake3 hash, 64 hex digits. */
  readonly checksum: string;
  readonly discoveredAt: Date;
  readonly stored: AssetStorage;
}
