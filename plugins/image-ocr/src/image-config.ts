import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** How images are read. */
export interface ImageConfig {
  /** Identifies the OCR engine and its options; null if OCR is off. */
  readonly ocr: string | null;
  /** Identifies the captioner and its options; null if captions are off. */
  readonly caption: string | null;
  /** The longer edge of the pictures that OCR reads, in pixels. */
  readonly ocrPixels: number;
  /** The languages for Tesseract, by its own names: `eng`, `kor`. Images may request others. */
  readonly languages: readonly string[];
  /** Tesseract's timeout for one picture. */
  readonly timeoutMs: number;
  /** How many pictures Tesseract reads concurrently. */
  readonly workers: number;
  /** An absolute folder with the user's language data, `<language>.traineddata` or `.traineddata.gz`; null for none. */
  readonly dataDir: string | null;
}

/** The default configuration. */
export const DEFAULT_IMAGE_CONFIG: ImageConfig = Object.freeze({
  ocr: null,
  caption: null,
  ocrPixels: 2048,
  languages: Object.freeze(['eng', 'kor']),
  timeoutMs: 180_000,
  workers: 1,
  dataDir: null,
});

/** Validates the configuration without loading a library; omitted settings get their defaults. */
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
