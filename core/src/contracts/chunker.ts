import type { ChunkDraft, ChunkPolicy } from '../domain/chunk.ts';
import type { CanonicalDocument } from '../domain/document.ts';
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
  /** The label of its output, for example `md-heading-v1`. */
  readonly chunkerVersion: string;
  /** blake3-16hex over the canonical JSON of exactly the settings it reads. */
  policyHash(policy: ChunkPolicy): string;
  chunk(document: CanonicalDocument, policy: ChunkPolicy): readonly ChunkDraft[];
}
