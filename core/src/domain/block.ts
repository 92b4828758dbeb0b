import type { AssetId, BlockId } from './ids.ts';
import type { SourceSpan } from './span.ts';

/** The kinds of block. */
export const BLOCK_KINDS = ['heading', 'paragraph', 'list', 'code', 'table', 'quote', 'imageref', 'audioref'] as const;
/** One of {@link BLOCK_KINDS}. */
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** A half-open range of UTF-16 offsets into a document's text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The result of OCR on one image or page. `joined` is the text of the regions in reading order, one per line. */
export interface OcrText {
  readonly joined: string;
  readonly regions: readonly OcrRegion[];
  readonly engine: string;
  readonly engineVersion: string;
}

/** One line of text in an image: its box `[x, y, width, height]` in pixels of the upright image, and a confidence in [0, 1]. */
export interface OcrRegion {
  readonly bbox: readonly [x: number, y: number, w: number, h: number];
  readonly text: string;
  readonly confidence: number;
}

/** A caption written by a vision model. */
export interface ModelCaption {
  readonly text: string;
  readonly model: string;
  readonly modelVersion: string;
}

/**
 * The content of a block, without its location. A block never repeats text: its text is `document.text.slice(start, end)`, and whatever can
 * be derived from that slice (a table's cells, a quote's words) is derived on demand.
 */
export type BlockContent =
  /** `text` is the heading without markup, as it appears in heading paths. */
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string }
  | { readonly kind: 'paragraph' }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly TextRange[] }
  /** `symbol` is set on units of source code, and null on code blocks in prose. */
  | { readonly kind: 'code'; readonly lang: string | null; readonly symbol: string | null }
  | { readonly kind: 'table' }
  | { readonly kind: 'quote' }
  | {
      readonly kind: 'imageref';
      readonly assetId: AssetId | null;
      readonly src: string;
      readonly alt: string;
      readonly ocr: OcrText | null;
      readonly caption: ModelCaption | null;
    }
  | { readonly kind: 'audioref'; readonly assetId: AssetId; readonly durationMs: number };

/**
 * A block as an extractor reports it. The blocks of a document are in order, do not overlap, and cover every character that is neither
 * white space nor front matter; `sourceSpan` and range agree.
 */
export type BlockDraft = BlockContent &
  TextRange & {
    /** The headings above the block, outermost first; a heading's own path excludes itself. Blocks of one section share the array. */
    readonly headingPath: readonly string[];
    readonly sourceSpan: SourceSpan;
  };

/** A block of a document: a draft with the id and the 0-based ordinal that the host assigns. */
export type Block = BlockDraft & { readonly blockId: BlockId; readonly ordinal: number };
