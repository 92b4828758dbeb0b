import type { SchemaIssue, SchemaResult, StandardSchema } from '@kebab/core';

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
export const imageConfigSchema: StandardSchema<ImageConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

interface Expected {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const POSITIVE: Expected = {
  expected: 'a whole number of at least 1',
  holds: (value) => Number.isInteger(value) && (value as number) >= 1,
};
const NAME_OR_NULL: Expected = { expected: 'a name or null', holds: (value) => value === null || isName(value) };

const MEMBERS: Readonly<Record<keyof ImageConfig, Expected>> = {
  ocr: NAME_OR_NULL,
  caption: NAME_OR_NULL,
  ocrPixels: POSITIVE,
  languages: {
    expected: 'a list of names',
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isName),
  },
  timeoutMs: POSITIVE,
  workers: POSITIVE,
  dataDir: NAME_OR_NULL,
};

function validate(value: unknown): SchemaResult<ImageConfig> {
  if (typeof value !== 'object' || value === null) return { issues: [{ message: 'expected an object' }] };
  const given = value as Readonly<Record<string, unknown>>;
  const issues = Object.entries(given).flatMap(([key, member]): readonly SchemaIssue[] => {
    const rule = Object.hasOwn(MEMBERS, key) ? MEMBERS[key as keyof ImageConfig] : undefined;
    if (rule === undefined) return [{ message: 'unknown key', path: [key] }];
    return rule.holds(member) ? [] : [{ message: `expected ${rule.expected}`, path: [key] }];
  });
  return issues.length > 0 ? { issues } : { value: { ...DEFAULT_IMAGE_CONFIG, ...given } };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
