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
}

/** Up to this many unreadable pages have a warning each. */
const MAX_FAILURES = 20;
const BETWEEN_PAGES = '\n\n';

/**
 * Assembles the text of a file from its pages, with one block per page with text. OCR text replaces a page's own text. Pages without usable
 * text are reported, and their pictures are requested if OCR is on and was not yet requested.
 */
export function assemblePages({ pages, paths, readings, config }: PageParts): Pick<
  ExtractedDocument,
  'text' | 'blocks' | 'warnings' | 'pictures'
> & {
  readonly pages: readonly PageRange[];
} {
  const ranges: PageRange[] = [];
  const blocks: BlockDraft[] = [];
  const warnings: ExtractWarning[] = [];
  const pictures: PictureRequest[] = [];
  const asks = config.ocr !== 'off' && config.ocrFingerprint !== null && readings === undefined;
  let text = '';
  for (const [at, read] of pages.entries()) {
    const page = at + 1;
    const ocr = readings?.get(pictureOf(page));
    const words = (ocr ?? (read.kind === 'read' ? read.text : '')).trim();
    const start = at === 0 ? 0 : text.length + BETWEEN_PAGES.length;
    text += (at === 0 ? '' : BETWEEN_PAGES) + words;
    ranges.push({ page, start, end: text.length });
    if (words !== '') blocks.push(blockOf({ page, start, end: text.length }, paths[at] ?? []));
    const isPoor = ocr === undefined && !(read.kind === 'read' && isUsable(words, config));
    if (isPoor && read.kind !== 'failed') warnings.push({ kind: 'scanned_candidate', note: `page ${page}` });
    if (asks && (isPoor || config.ocr === 'always')) pictures.push({ id: pictureOf(page), page, uses: ['ocr'] });
  }
  return { text, blocks, pages: ranges, warnings: [...warnings, ...failuresOf(pages, readings)], pictures };
}

function blockOf({ page, start, end }: PageRange, headingPath: readonly string[]): BlockDraft {
  const sourceSpan = { kind: 'page', page, char_start: 0, char_end: end - start } as const;
  return { kind: 'paragraph', start, end, headingPath, sourceSpan };
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

/** A fast path that avoids the regular expression for most characters. */
function isLetter(unit: number): boolean {
  return (unit > 0x40 && unit < 0x7b) || (unit >= 0xac00 && unit <= 0xd7a3);
}
