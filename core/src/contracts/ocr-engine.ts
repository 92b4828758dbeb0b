import type { OcrText } from '../domain/block.ts';
import type { CallContext, Contribution } from './contribution.ts';

/** An upright image; `languages` are ISO 639-3 codes in order of preference. */
export interface OcrImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly languages: readonly string[];
}

/** Reads text in images: boxes lie inside the image, confidence in [0, 1], `joined` is the regions in reading order. */
export interface OcrEngine extends Contribution {
  recognize(image: OcrImage, context: CallContext): Promise<OcrText>;
  /**
   * The languages that it has data for: those of `asked` that are available, and others that it knows of. An engine without this member
   * reads any language. Other configured languages are rejected before an ingest changes anything.
   */
  languages?(asked: readonly string[]): Promise<readonly string[]>;
}
