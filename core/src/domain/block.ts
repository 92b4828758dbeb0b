import type { AssetId, BlockId } from './ids.ts';
import type { SourceSpan } from './span.ts';

/** The kinds of structural piece. */
export const BLOCK_KINDS = ['heading', 'paragraph', 'list', 'code', 'table', 'quote', 'imageref', 'audioref'] as const;
/** One of {@link BLOCK_KINDS}. */
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** A half-open range of UTF-16 offsets into a document's text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What OCR read in one image or page. `joined` is the regions' texts in reading order, one a line. */
export interface OcrText {
  readonly joined: string;
  readonly regions: readonly OcrRegion[];
  readonly engine: string;
  readonly engineVersion: string;
}

/** One line of an image: its box `[x, y, width, height]` in pixels of the upright image, and a confidence in [0, 1]. */
export interface OcrRegion {
  readonly bbox: readonly [x: number, y: number, w: number, h: number];
  readonly text: string;
  readonly confidence: number;
}

/** What a vision model said of an image. */
export interface ModelCaption {
  readonly text: string;
  readonly model: string;
  readonly modelVersion: string;
}

/**
 * What a block is, beside its place. A block never repeats text: its words are `document.text.slice(start, end)`, and
 * whatever can be read off that slice (a table's cells, a quote's words) is derived when somebody asks.
 */
export type BlockContent =
  /** `text` is the heading without marks: what appears in heading paths. */
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string }
  | { readonly kind: 'paragraph' }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly TextRange[] }
  /** `symbol` is set on units of source code, and null on code inside prose. */
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
 * A structural piece as an extractor reports it. Blocks of a document come in order, do not overlap, and cover every
 * character that is neither white space nor front matter; `sourceSpan` and range agree.
 */
export type BlockDraft = BlockContent &
  TextRange & {
    /** The headings in force, outermost first; a heading's own path leaves itself out. One shared array a section. */
    readonly headingPath: readonly string[];
    readonly sourceSpan: SourceSpan;
  };

/** A structural piece of a document: a draft with the id and the 0-based position that the host gives it. */
export type Block = BlockDraft & { readonly blockId: BlockId; readonly ordinal: number };
