import type { SchemaIssue, SchemaResult, StandardSchema } from '@kebab/core';

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
export const pdfConfigSchema: StandardSchema<PdfConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

interface Expected {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const POSITIVE: Expected = { expected: 'a whole number of at least 1', holds: (value) => isWhole(value) && value >= 1 };

const MEMBERS: Readonly<Record<keyof PdfConfig, Expected>> = {
  ocr: { expected: 'off, auto or always', holds: (value) => ['off', 'auto', 'always'].includes(value as string) },
  ocrFingerprint: {
    expected: 'a name or null',
    holds: (value) => value === null || (typeof value === 'string' && value !== ''),
  },
  ocrPixels: POSITIVE,
  minPageChars: { expected: 'a whole number of at least 0', holds: (value) => isWhole(value) && value >= 0 },
  minValidRatio: {
    expected: 'a number from 0 to 1',
    holds: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  },
  password: { expected: 'a string', holds: (value) => typeof value === 'string' },
  pageTimeoutMs: POSITIVE,
};

function validate(value: unknown): SchemaResult<PdfConfig> {
  if (typeof value !== 'object' || value === null) return { issues: [{ message: 'expected an object' }] };
  const given = value as Readonly<Record<string, unknown>>;
  const issues = Object.entries(given).flatMap(([key, member]): readonly SchemaIssue[] => {
    const rule = Object.hasOwn(MEMBERS, key) ? MEMBERS[key as keyof PdfConfig] : undefined;
    if (rule === undefined) return [{ message: 'unknown key', path: [key] }];
    return rule.holds(member) ? [] : [{ message: `expected ${rule.expected}`, path: [key] }];
  });
  return issues.length > 0 ? { issues } : { value: { ...DEFAULT_PDF_CONFIG, ...given } };
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value);
}
