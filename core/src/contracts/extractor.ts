import type { RawAsset, PageRange } from '../domain/document.ts';
import type { BlockDraft, ModelCaption, OcrText, TextRange } from '../domain/block.ts';
import type { MediaType } from '../domain/media.ts';
import type { ExtractWarning, Metadata } from '../domain/metadata.ts';
import type { SpanKind } from '../domain/span.ts';
import type { CallContext, Contribution } from './contribution.ts';

/** The files an extractor reads, as data: it can be listed without running anything. */
export interface MediaMatch {
  /** Kinds of media, for example `markdown`. */
  readonly media?: readonly MediaType['kind'][];
  /** Languages of code, for example `rust`. */
  readonly codeLangs?: readonly string[];
  /** Lower-case extensions without the dot, for types that kebab does not know itself. */
  readonly extensions?: readonly string[];
}

/** The uses of a picture: `ocr` reads the text in it, `caption` describes it. */
export type PictureUse = 'ocr' | 'caption';

/** A picture in a file that should be read: a page without usable text, or the image itself. */
export interface PictureRequest {
  /** Identifies the picture within its file, for example `page=3` or `image`. */
  readonly id: string;
  /** Its 1-based page; null for a file without pages. */
  readonly page: number | null;
  readonly uses: readonly PictureUse[];
}

/** The results of the models for a picture; null where reading failed or was not requested. */
export interface PictureReading {
  readonly ocr: OcrText | null;
  readonly caption: ModelCaption | null;
}

/** A rendered picture, upright. */
export interface Picture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The text in it, in reading order; only if {@link RenderRequest.withText} asks for it. */
  readonly texts?: readonly PlacedText[] | undefined;
}

/** A piece of text in a picture, with its box in pixels of the picture. */
export interface PlacedText {
  readonly text: string;
  /** The number of its line on the page, from 0. */
  readonly line: number;
  /** The direction of reading, in quarter turns clockwise: 0 to the right, 1 downwards. */
  readonly turn: 0 | 1 | 2 | 3;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** How to render a picture. */
export interface RenderRequest {
  /** {@link PictureRequest.id}; every page and every image has one, whether or not it was requested for reading. */
  readonly picture: string;
  /** Upper bound of the longer edge, in pixels; pictures are never upscaled. */
  readonly maxPixels: number;
  /** The place to outline. */
  readonly outline?: PicturePlace;
  /** Places to mark within it, such as the words of a query. */
  readonly marks?: readonly PicturePlace[];
  /** Whether to return the text of the picture with its positions, as far as they are known. */
  readonly withText?: boolean | undefined;
}

/** A place in a picture: offsets into the text of the page, or a box in pixels of the upright image. */
export type PicturePlace =
  | TextRange
  | { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** One whole file. `bytes` are the unmodified bytes of the file. */
export interface ExtractInput {
  readonly asset: RawAsset;
  readonly bytes: Uint8Array;
  /** The readings of the pictures that a first call requested, by their ids; absent on the first call. */
  readonly readings?: ReadonlyMap<string, PictureReading>;
}

/** A file as text and blocks. The host derives omitted members (title, language, dates). */
export interface ExtractedDocument {
  /** The canonical text: decoded, without BOM, CRLF and CR as LF; for line media, line n of it is line n of the file. */
  readonly text: string;
  readonly blocks: readonly BlockDraft[];
  readonly pages?: readonly PageRange[];
  readonly title?: string;
  /** Whether the title was derived from the text rather than declared by the document; a title given by the user then takes precedence. */
  readonly titleIsDerived?: boolean;
  readonly lang?: string;
  readonly metadata?: Partial<Metadata>;
  readonly warnings?: readonly ExtractWarning[];
  /**
   * Pictures that must be read before the document is complete. The host renders each with {@link Extractor.render}, has it read, and calls
   * `extract` again with the readings; the second result requests no more pictures.
   */
  readonly pictures?: readonly PictureRequest[];
  /** Overrides {@link Extractor.chunkerId} for this document, as after a fallback. */
  readonly chunkerId?: string;
  /** Overrides {@link Extractor.parserVersion} for this document, as after a fallback. */
  readonly parserVersion?: string;
}

/**
 * Turns the bytes of one file into text and blocks. It must handle empty, BOM, CRLF, NFD, astral, right-to-left, truncated and hostile
 * input: it may throw a `KebabError`, but must not hang. Never accesses stores, models or the network.
 */
export interface Extractor extends Contribution {
  readonly match: MediaMatch;
  /**
   * Where small files are read: `inline`, on the calling thread where that is faster (fast, bounded by construction), or always in a
   * `worker`, a process with limits.
   */
  readonly isolation: 'inline' | 'worker';
  /**
   * The kinds of span that its blocks have. A configured chunker that supports none of them is reported before any file is read, or, if
   * this is absent, with the first document.
   */
  readonly spans?: readonly SpanKind[] | undefined;
  supports(media: MediaType): boolean;
  /** The label of its output for a medium, for example `markdown-v1` or `code-rust-v1`. */
  parserVersion(media: MediaType): string;
  /** The id of the chunker for documents of a medium. */
  chunkerId(media: MediaType): string;
  extract(input: ExtractInput, context: CallContext): Promise<ExtractedDocument>;
  /** Renders one picture of a file. Required for extractors that request pictures. Errors: `invalid_input` for an unknown picture. */
  render?(input: ExtractInput, request: RenderRequest, context: CallContext): Promise<Picture>;
}
