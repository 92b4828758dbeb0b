import type { Block, TextRange } from './block.ts';
import type { AssetId, DocumentId } from './ids.ts';
import type { MediaType } from './media.ts';
import type { Metadata, ProvenanceEvent } from './metadata.ts';

/** A page of a document: its 1-based number and the range of its text; an empty page has an empty range. */
export interface PageRange extends TextRange {
  readonly page: number;
}

/** One file as text, blocks and metadata. `text` is the only thing that is ever cited. */
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
  /** 1 for the first version of a `(source, path)`, one more with each change. */
  readonly docVersion: number;
}
