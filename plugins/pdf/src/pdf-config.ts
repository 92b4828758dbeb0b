import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** How PDF files are read. */
export interface PdfConfig {
  /** Which pages OCR reads: none, those without usable text, or all. */
  readonly ocr: 'off' | 'auto' | 'always';
  /** Names the OCR engine and its options; null when there is none, and pages without usable text are only reported. */
  readonly ocrFingerprint: string | null;
  /** The longer edge of the pictures that OCR reads, in pixels. */
  readonly ocrPixels: number;
  /** The minimum number of characters on a page, without white space, for usable text. */
  readonly minPageChars: number;
  /** The minimum share of usable characters on a page, from 0 to 1. */
  readonly minValidRatio: number;
  /** Opens encrypted files; empty for none. Never part of a fingerprint or a message. */
  readonly password: string;
  /** The timeout for opening a file, and for each of its pages. */
  readonly pageTimeoutMs: number;
}

/** The default configuration. */
export const DEFAULT_PDF_CONFIG: PdfConfig = Object.freeze({
  ocr: 'off',
  ocrFingerprint: null,
  ocrPixels: 2048,
  minPageChars: 20,
  minValidRatio: 0.5,
  password: '',
  pageTimeoutMs: 20_000,
});

/** Validates the configuration without loading a library; omitted settings get their defaults. */
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
