import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** How PDF files are read. */
export interface PdfConfig {
  /** Which pages are read from their picture: none, those without usable text, or all. */
  readonly ocr: 'off' | 'auto' | 'always';
  /** Names the OCR engine and its options; null when there is none, and pages without usable text are only reported. */
  readonly ocrFingerprint: string | null;
  /** The longer edge of the pictures that OCR reads, in pixels. */
  readonly ocrPixels: number;
  /** Fewer characters on a page, white space left out, do not count as usable text. */
  readonly minPageChars: number;
  /** The least share of a page's characters that must be usable, from 0 to 1. */
  readonly minValidRatio: number;
  /** Opens encrypted files; empty for none. Never part of a fingerprint or a message. */
  readonly password: string;
  /** What opening a file, and each of its pages, may take. */
  readonly pageTimeoutMs: number;
}

/** What holds where nothing is configured. */
export const DEFAULT_PDF_CONFIG: PdfConfig = Object.freeze({
  ocr: 'off',
  ocrFingerprint: null,
  ocrPixels: 2048,
  minPageChars: 20,
  minValidRatio: 0.5,
  password: '',
  pageTimeoutMs: 20_000,
});

/** Checks the configuration by hand, so that nothing is loaded for it; what is left out has its default. */
export const pdfConfigSchema: StandardSchema<PdfConfig> = checkedConfig<PdfConfig>({
  checks: {
    ocr: checks.oneOf('off', 'auto', 'always'),
    ocrFingerprint: checks.orNull(checks.name),
    ocrPixels: checks.count,
    minPageChars: checks.limit,
    minValidRatio: checks.share,
    password: checks.text,
    pageTimeoutMs: checks.count,
  },
  defaults: { ...DEFAULT_PDF_CONFIG },
});
