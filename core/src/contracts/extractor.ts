import type { RawAsset } from '../domain/asset.ts';
import type { BlockDraft } from '../domain/block.ts';
import type { PageRange } from '../domain/document.ts';
import type { MediaType } from '../domain/media.ts';
import type { ExtractWarning, Metadata } from '../domain/metadata.ts';
import type { CallContext, Contribution } from './contribution.ts';

/** What an extractor reads, as data: it can be listed without running anything. */
export interface MediaMatch {
  /** Kinds of media, for example `markdown`. */
  readonly media?: readonly MediaType['kind'][];
  /** Languages of code, for example `rust`. */
  readonly codeLangs?: readonly string[];
  /** Lower-case extensions without the dot, for types that kebab does not know by itself. */
  readonly extensions?: readonly string[];
}

/** One file, whole. `bytes` are exactly the file's. */
export interface ExtractInput {
  readonly asset: RawAsset;
  readonly bytes: Uint8Array;
}

/** A file as text and blocks. What is left out, the host derives (title, language, dates). */
export interface ExtractedDocument {
  /** The one canonical text: decoded, BOM off, CRLF and CR as LF; line n of it is line n of the file for line media. */
  readonly text: string;
  readonly blocks: readonly BlockDraft[];
  readonly pages?: readonly PageRange[];
  readonly title?: string;
  readonly lang?: string;
  readonly metadata?: Partial<Metadata>;
  readonly warnings?: readonly ExtractWarning[];
  /** Overrides {@link Extractor.chunkerId} for this document, as after a fallback. */
  readonly chunkerId?: string;
  /** Overrides {@link Extractor.parserVersion} for this document, as after a fallback. */
  readonly parserVersion?: string;
}

/**
 * Turns the bytes of one file into text and blocks. Works on empty, BOM, CRLF, NFD, astral, right-to-left, truncated and
 * hostile input: a `KebabError` is fine, a hang is not. Never touches stores, models or the network.
 */
export interface Extractor extends Contribution {
  readonly match: MediaMatch;
  /** Where it runs: `inline` on the calling thread (fast, bounded by construction) or in a `worker` with limits. */
  readonly isolation: 'inline' | 'worker';
  supports(media: MediaType): boolean;
  /** The label of the output for this media, for example `markdown-v1` or `code-rust-v1`. */
  parserVersion(media: MediaType): string;
  /** The id of the chunker that cuts the documents of this media. */
  chunkerId(media: MediaType): string;
  extract(input: ExtractInput, context: CallContext): Promise<ExtractedDocument>;
}
