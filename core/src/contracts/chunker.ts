import type { ChunkDraft, ChunkPolicy, CanonicalDocument } from '../domain/document.ts';
import type { SpanKind } from '../domain/span.ts';
import type { Contribution } from './contribution.ts';

/**
 * Divides a document into slices. A pure function of document and policy: it only chooses ranges, in order, covering every character that
 * is neither white space nor front matter, each slice within `maxChunkTokens`; slices overlap only inside one section, page or window, by
 * at most `overlapTokens` (or the window's overlap in lines).
 */
export interface Chunker extends Contribution {
  /** The kinds of block span that it supports. */
  readonly needs: { readonly spans: readonly SpanKind[] };
  /** Exactly the policy settings that it reads: documents are chunked again only when one of these changes. Its id labels its output. */
  readonly reads: readonly (keyof ChunkPolicy)[];
  chunk(document: CanonicalDocument, policy: ChunkPolicy): readonly ChunkDraft[];
}
