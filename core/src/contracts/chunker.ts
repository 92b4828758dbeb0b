import type { ChunkDraft, ChunkPolicy, CanonicalDocument } from '../domain/document.ts';
import type { SpanKind } from '../domain/span.ts';
import type { Contribution } from './contribution.ts';

/**
 * Cuts a document into slices. A pure function of document and policy: it only chooses ranges, in order, covering every
 * character that is neither white space nor front matter, each slice within `maxChunkTokens`; slices overlap only inside
 * one section, page or window, by at most `overlapTokens` (or the window's overlap in lines).
 */
export interface Chunker extends Contribution {
  /** The kinds of block span it can work with. */
  readonly needs: { readonly spans: readonly SpanKind[] };
  /** Exactly the settings of a policy that it reads: only a change of these cuts documents again. Its id labels what it cuts. */
  readonly reads: readonly (keyof ChunkPolicy)[];
  chunk(document: CanonicalDocument, policy: ChunkPolicy): readonly ChunkDraft[];
}
