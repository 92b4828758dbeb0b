import type { BlockDraft, ExtractWarning, ExtractedDocument, PageRange, PictureRequest } from '@kebab/core';
import type { PdfConfig } from '../pdf-config.ts';
import { pictureOf } from './page-picture.ts';
import type { ReadPage } from './read-pages.ts';

/** The parts of a document. */
export interface PageParts {
  readonly pages: readonly ReadPage[];
  /** The heading path of each page. */
  readonly paths: readonly (readonly string[])[];
  /** OCR text of pages by picture name; undefined if none was requested yet. */
  readonly readings: ReadonlyMap<string, string> | undefined;
  readonly config: PdfConfig;
  /** The pages, 1-based, on which nothing is to be read. */
  readonly blank?: ReadonlySet<number> | undefined;
}

/** Up to this many unreadable pages have a warning each. */
const MAX_FAILURES = 20;
/** A page without usable text that has this many letters is a short one, and no scan. */
const FEW_LETTERS = 4;
const BETWEEN_PAGES = '\n\n';
/** Between the text of a page and each of its notes. */
const BETWEEN_PARTS = '\n\n';

/**
 * Assembles the text of a file from its pages, with one block per page with text, followed by one for each of its notes. Pages without usable
 * text are reported, and their pictures are requested if OCR is on and was not yet requested.
 */
export function assemblePages({ pages, paths, readings, config, blank }: PageParts): Pick<
  ExtractedDocument,
  'text' | 'blocks' | 'warnings' | 'pictures'
> & {
  readonly pages: readonly PageRange[];
} {
  const ranges: PageRange[] = [];
  const blocks: BlockDraft[] = [];
  const scanned: number[] = [];
  const pictures: PictureRequest[] = [];
  const asks = config.ocr !== 'off' && config.ocrFingerprint !== null && readings === undefined;
  let text = '';
  for (const [at, read] of pages.entries()) {
    const page = at + 1;
    const ocr = readings?.get(pictureOf(page));
    const own = read.kind === 'read' ? read.text.trim() : '';
    const isOcr = ocr !== undefined && replacesText(ocr, own, config);
    const words = isOcr ? ocr.trim() : own;
    const start = at === 0 ? 0 : text.length + BETWEEN_PAGES.length;
    if (at > 0) text += BETWEEN_PAGES;
    for (const part of [words, ...(read.kind === 'read' ? read.notes : [])]) {
      if (part === '') continue;
      if (text.length > start) text += BETWEEN_PARTS;
      const from = text.length;
      text += part;
      const sourceSpan = { kind: 'page', page, char_start: from - start, char_end: text.length - start } as const;
      blocks.push({ kind: 'paragraph', start: from, end: text.length, headingPath: paths[at] ?? [], sourceSpan });
    }
    ranges.push({ page, start, end: text.length });
    const isPoor = ocr === undefined && blank?.has(page) !== true && !(read.kind === 'read' && isUsable(own, config));
    if (isPoor && read.kind !== 'failed' && hasFewLetters(own)) scanned.push(page);
    if (asks && (isPoor || config.ocr === 'always')) pictures.push({ id: pictureOf(page), page, uses: ['ocr'] });
  }
  const note = `${scanned.length === 1 ? 'page' : 'pages'} ${rangesOf(scanned)}`;
  const warnings: ExtractWarning[] = scanned.length === 0 ? [] : [{ kind: 'scanned_candidate', note }];
  return { text, blocks, pages: ranges, warnings: [...warnings, ...failuresOf(pages, readings)], pictures };
}

/** Page numbers in order, as `1–4, 7`. */
function rangesOf(pages: readonly number[]): string {
  const runs: { readonly first: number; readonly last: number }[] = [];
  for (const page of pages) {
    const run = runs.at(-1);
    if (run !== undefined && page === run.last + 1) runs[runs.length - 1] = { first: run.first, last: page };
    else runs.push({ first: page, last: page });
  }
  return runs.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`)).join(', ');
}

/** The unreadable pages, except those that OCR has read. */
function failuresOf(pages: readonly ReadPage[], readings: PageParts['readings']): readonly ExtractWarning[] {
  const failed = pages.flatMap((read, at) =>
    read.kind === 'failed' && readings?.has(pictureOf(at + 1)) !== true ? [{ page: at + 1, reason: read.reason }] : [],
  );
  const notes = failed.slice(0, MAX_FAILURES).map(({ page, reason }) => `page ${page}: ${reason}`);
  const rest = failed.length - notes.length;
  return [...notes, ...(rest === 0 ? [] : [`${rest} more pages`])].map((note) => ({ kind: 'extract_failed', note }));
}

/** The thresholds for usable text. */
type UsableBounds = Pick<PdfConfig, 'minPageChars' | 'minValidRatio'>;

/** Characters that are unusable in any language: control, private-use and unassigned ones, lone surrogates, U+FFFD. */
const UNUSABLE = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\uFFFD]/u;
const WHITE_SPACE = /\s/;

/**
 * Whether the text of a page is usable for search: at least `minPageChars` usable characters besides white space, and at least
 * `minValidRatio` of all characters usable. Judged by Unicode category alone, so that no language is preferred.
 */
export function isUsable(text: string, { minPageChars, minValidRatio }: UsableBounds): boolean {
  let [all, unusable, blank] = [0, 0, 0];
  for (const character of text) {
    all++;
    if (isLetter(character.charCodeAt(0))) continue;
    if (WHITE_SPACE.test(character)) blank++;
    else if (UNUSABLE.test(character)) unusable++;
  }
  const usable = all - unusable;
  return all > 0 && usable - blank >= minPageChars && usable / all >= minValidRatio;
}

/** OCR text replaces a text layer only if it has more than this many times its letters, and `minPageChars` more. */
const RICHER = 2;

/**
 * Whether OCR text takes the place of a page's own text: where there is none, where all pages are read by OCR, and where it says much more,
 * as in a scan with a stamped number. A text layer is exact, however short it is.
 */
export function replacesText(ocr: string, own: string, { ocr: mode, minPageChars }: PdfConfig): boolean {
  if (ocr.trim() === '') return false;
  if (mode === 'always' || own.trim() === '') return true;
  return lettersOf(ocr) > RICHER * lettersOf(own) + minPageChars;
}

const LETTERS = /[\p{L}\p{N}]/gu;
const WIDE_LETTERS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** The number of letters and digits; ideographs and syllables of Hangul count twice, because they say as much as two letters. */
function lettersOf(text: string): number {
  return (text.match(LETTERS)?.length ?? 0) + (text.match(WIDE_LETTERS)?.length ?? 0);
}

/** Whether a page has hardly any text: none, its number, or a letter or two. */
export function hasFewLetters(text: string): boolean {
  return lettersOf(text) < FEW_LETTERS;
}

/** A fast path that avoids the regular expression for most characters. */
function isLetter(unit: number): boolean {
  return (unit > 0x40 && unit < 0x7b) || (unit >= 0xac00 && unit <= 0xd7a3);
}
