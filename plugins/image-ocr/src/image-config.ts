import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** How images are read. */
export interface ImageConfig {
  /** Names the OCR engine and its options; null when the text in images is not read. */
  readonly ocr: string | null;
  /** Names the captioner and its options; null when images are not described. */
  readonly caption: string | null;
  /** The longer edge of the pictures that OCR reads, in pixels. */
  readonly ocrPixels: number;
  /** What Tesseract is to expect, as its own names of languages: `eng`, `kor`. Images may ask for others. */
  readonly languages: readonly string[];
  /** What Tesseract may take for one picture. */
  readonly timeoutMs: number;
  /** How many pictures Tesseract reads at a time. */
  readonly workers: number;
  /** An absolute folder with language data of the user's own, `<language>.traineddata` or `.traineddata.gz`; null for none. */
  readonly dataDir: string | null;
}

/** What holds where nothing is configured. */
export const DEFAULT_IMAGE_CONFIG: ImageConfig = Object.freeze({
  ocr: null,
  caption: null,
  ocrPixels: 2048,
  languages: Object.freeze(['eng', 'kor']),
  timeoutMs: 180_000,
  workers: 1,
  dataDir: null,
});

/** Checks the configuration by hand, so that nothing is loaded for it; what is left out has its default. */
export const imageConfigSchema: StandardSchema<ImageConfig> = checkedConfig<ImageConfig>({
  checks: {
    ocr: checks.orNull(checks.name),
    caption: checks.orNull(checks.name),
    ocrPixels: checks.count,
    languages: checks.names,
    timeoutMs: checks.count,
    workers: checks.count,
    dataDir: checks.orNull(checks.name),
  },
  defaults: { ...DEFAULT_IMAGE_CONFIG },
});
