import type { RawAsset, PageRange } from '../domain/document.ts';
import type { BlockDraft, ModelCaption, OcrText, TextRange } from '../domain/block.ts';
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

/** What can be done with a picture: `ocr` reads the text in it, `caption` says what it shows. */
export type PictureUse = 'ocr' | 'caption';

/** A picture of a file in which there is something to read: a page without usable text, or the image itself. */
export interface PictureRequest {
  /** Names the picture within its file, for example `page=3` or `image`. */
  readonly id: string;
  /** The 1-based page it shows; null for a file without pages. */
  readonly page: number | null;
  readonly uses: readonly PictureUse[];
}

/** What models read in a picture; null where reading it failed or was not asked for. */
export interface PictureReading {
  readonly ocr: OcrText | null;
  readonly caption: ModelCaption | null;
}

/** A rendered picture, upright. */
export interface Picture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** How a picture is to be rendered. */
export interface RenderRequest {
  /** {@link PictureRequest.id}; every page and every image has one, whether it was asked to be read or not. */
  readonly picture: string;
  /** Upper bound of the longer edge, in pixels; pictures are never enlarged beyond what they hold. */
  readonly maxPixels: number;
  /** What is to be outlined. */
  readonly outline?: PicturePlace;
  /** What is to be marked within it, such as the words of a query. */
  readonly marks?: readonly PicturePlace[];
}

/** A place in a picture: offsets into the text of the page, or a box in pixels of the upright image. */
export type PicturePlace =
  | TextRange
  | { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

/** One file, whole. `bytes` are exactly the file's. */
export interface ExtractInput {
  readonly asset: RawAsset;
  readonly bytes: Uint8Array;
  /** What was read in the pictures that a first call asked for, by their ids; absent on the first call. */
  readonly readings?: ReadonlyMap<string, PictureReading>;
}

/** A file as text and blocks. What is left out, the host derives (title, language, dates). */
export interface ExtractedDocument {
  /** The one canonical text: decoded, BOM off, CRLF and CR as LF; line n of it is line n of the file for line media. */
  readonly text: string;
  readonly blocks: readonly BlockDraft[];
  readonly pages?: readonly PageRange[];
  readonly title?: string;
  /** Whether the title was made of the text, and is not what the document calls itself; a title given by hand then stands before it. */
  readonly titleIsDerived?: boolean;
  readonly lang?: string;
  readonly metadata?: Partial<Metadata>;
  readonly warnings?: readonly ExtractWarning[];
  /**
   * Pictures that have to be read before the document is whole. The host renders each with {@link Extractor.render}, has
   * it read, and calls `extract` again with the readings; the second answer asks for nothing more.
   */
  readonly pictures?: readonly PictureRequest[];
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
  /** Where small files are read: `inline`, on the calling thread if that is quicker (fast, bounded by construction), or always in a `worker`, a process with limits. */
  readonly isolation: 'inline' | 'worker';
  supports(media: MediaType): boolean;
  /** The label of the output for this media, for example `markdown-v1` or `code-rust-v1`. */
  parserVersion(media: MediaType): string;
  /** The id of the chunker that cuts the documents of this media. */
  chunkerId(media: MediaType): string;
  extract(input: ExtractInput, context: CallContext): Promise<ExtractedDocument>;
  /** Renders one picture of a file. Extractors that ask for pictures have it. Errors: `invalid_input` for an unknown picture. */
  render?(input: ExtractInput, request: RenderRequest, context: CallContext): Promise<Picture>;
}
