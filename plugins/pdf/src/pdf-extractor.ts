import {
  blake3Short,
  canonicalJson,
  isKebabError,
  type CallContext,
  type ExtractInput,
  type ExtractedDocument,
  type Extractor,
  type PictureReading,
  type Metadata,
} from '@kebab/core';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { assemblePages, hasFewLetters } from './document/assemble-pages.ts';
import { headingPaths, outlineEntries } from './document/heading-paths.ts';
import { openPdf, type OpenPdf } from './document/open-pdf.ts';
import { closeThreads } from './document/parser-thread.ts';
import { loadPdfjs, type PdfLibrary } from './document/load-pdfjs.ts';
import { pdfFailure } from './document/pdf-failure.ts';
import { readPages, type ReadPage } from './document/read-pages.ts';
import { cleanLines } from './layout/text-run.ts';
import { DEFAULT_PDF_CONFIG, type PdfConfig } from './pdf-config.ts';

/**
 * Creates the extractor `pdf`: the text of each page in reading order, a page map, headings from the outline. Pages without usable text are
 * reported as `scanned_candidate`, or OCR is requested for them; pages that fail are skipped with `extract_failed`. Errors: `invalid_input`
 * for a file that is encrypted, not a PDF, or of which no page can be read, with the reason.
 */
export function createPdfExtractor(config: PdfConfig = DEFAULT_PDF_CONFIG): Extractor {
  const late = new LateFile();
  return {
    id: 'pdf',
    version: '6',
    match: { media: ['pdf'] },
    isolation: 'worker',
    spans: ['page'],
    fingerprint: () => `pdf@3:${blake3Short(canonicalJson(settingsOf(config)))}`,
    supports: (media) => media.kind === 'pdf',
    parserVersion: () => 'pdf-text-v2',
    chunkerId: () => 'pdf-page-v1',
    extract: (input, context) => oneAtATime(() => extractPdf(input, config, context)),
    close: () => closeThreads(),
    render: async (input, request, context) => {
      const { renderPage } = await import('./picture/render-page.ts');
      return oneAtATime(() => late.unlessTooOften(input, () => renderPage(input, request, { config, context })));
    },
  };
}

/** How many pages of a file may time out before the others are not tried. */
const MAX_LATE = 3;
const LATE_MS = 5000;

/** Counts the pages of a file that timed out while rendering; files are processed one after the other. */
class LateFile {
  #assetId = '';
  #pages = 0;

  async unlessTooOften<T>({ asset }: ExtractInput, render: () => Promise<T>): Promise<T> {
    if (asset.assetId !== this.#assetId) this.#pages = 0;
    this.#assetId = asset.assetId;
    if (this.#pages >= MAX_LATE)
      throw pdfFailure(new Error(`not tried after ${MAX_LATE} pages that took too long`), asset.workspacePath);
    const begunAt = performance.now();
    try {
      return await render();
    } catch (error) {
      if (performance.now() - begunAt > LATE_MS) this.#pages++;
      throw error;
    }
  }
}

/** The settings that affect the output; OCR settings are included only if OCR is used. */
function settingsOf({
  ocr,
  ocrFingerprint,
  ocrPixels,
  ...config
}: PdfConfig): Readonly<Record<string, string | number>> {
  const { minPageChars, minValidRatio, pageTimeoutMs } = config;
  const always = { minPageChars, minValidRatio, pageTimeoutMs };
  return ocr === 'off' || ocrFingerprint === null ? always : { ...always, ocr, ocrFingerprint, ocrPixels };
}

async function extractPdf(input: ExtractInput, config: PdfConfig, context: CallContext): Promise<ExtractedDocument> {
  const readings = input.readings === undefined ? undefined : ocrTexts(input.readings);
  return openPdf(input, { config, context }, async (pdf) => {
    const about = Promise.all([readFacts(pdf.document), outlineEntries(pdf.document)]);
    const [{ title, metadata }, entries] = await pdf.limited(about, 'reading the outline');
    const pages = await readPages(pdf, context);
    const failed = pages.find((page) => page.kind === 'failed');
    const paths = headingPaths(
      entries,
      pages.map(({ extent }) => extent),
    );
    const blank = await blankPages(pdf, pages);
    const assembled = assemblePages({ pages, paths, readings, config, blank });
    if (failed !== undefined && pages.every(({ kind }) => kind === 'failed') && assembled.pictures?.length === 0)
      throw pdfFailure(new Error(`no page can be read, ${failed.reason}`), input.asset.workspacePath);
    return { ...assembled, metadata, ...(title === undefined ? {} : { title }) };
  });
}

/** A file with more pages without text is a scan, whose pictures would have to be decoded one by one. */
const MAX_LOOKED_AT = 20;
/** Fewer drawn shapes are lines and boxes, and no words. */
const MIN_SHAPES = 10;

/**
 * The pages, 1-based, of a file with text that have hardly any themselves, and no picture either, nor drawings or signs that could be words.
 */
async function blankPages(pdf: OpenPdf, pages: readonly ReadPage[]): Promise<ReadonlySet<number>> {
  const candidates = pages.flatMap((page, at) => (page.kind === 'read' && hasFewLetters(page.text) ? [at + 1] : []));
  const blank = new Set<number>();
  if (candidates.length > MAX_LOOKED_AT || candidates.length === pages.length) return blank;
  const { pdfjs } = await loadPdfjs();
  const { paintImageMaskXObject, paintSolidColorImageMask, constructPath, showText } = pdfjs.OPS;
  for (const number of candidates) {
    const read = pages[number - 1];
    const hasDigits = read?.kind === 'read' && /\p{N}/u.test(read.text);
    try {
      const page = await pdf.limited(pdf.getPage(number), 'reading it');
      const { fnArray } = await pdf.limited(page.getOperatorList(), 'looking for pictures');
      page.cleanup();
      const count = (isOf: (operator: number) => boolean): number => fnArray.filter(isOf).length;
      const images = count((operator) => operator >= paintImageMaskXObject && operator <= paintSolidColorImageMask);
      const signs = hasDigits ? 0 : count((operator) => operator === showText);
      if (images + signs === 0 && count((operator) => operator === constructPath) < MIN_SHAPES) blank.add(number);
    } catch (error) {
      if (isKebabError(error, 'cancelled')) throw error;
      if (pdf.isStuck) return blank;
    }
  }
  return blank;
}

/** OCR texts by picture, without pictures in which it found nothing. */
function ocrTexts(readings: ReadonlyMap<string, PictureReading>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [picture, { ocr }] of readings) {
    const text = ocr === null ? '' : cleanLines(ocr.joined);
    if (text !== '') texts.set(picture, text);
  }
  return texts;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Starts an operation when the previous one has ended, successfully or not. pdf.js stores the number of pages globally, so two open files
 * in one thread would interfere.
 */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const run = last.then(work);
  last = run.catch(() => undefined);
  return run;
}

/** The metadata of a file; missing values are absent. */
interface PdfFacts {
  readonly title?: string;
  readonly metadata: Partial<Metadata>;
}

const MAX_CHARS = 300;
/** Placeholders that programs write if no title was given. */
const NO_TITLE = /^(?:untitled\b.*|제목 없음|無題|title|\(anonymous\)|[^\p{L}\p{N}]*)$/iu;
/** The prefix that word processors add to the file name. */
const PRINTED_FROM = /^Microsoft (?:Word|Excel|PowerPoint) - /;

/** Reads title, author and dates; unreadable values are omitted. */
async function readFacts(pdf: PDFDocumentProxy): Promise<PdfFacts> {
  const { pdfjs } = await loadPdfjs();
  const read = await pdf.getMetadata().catch(() => undefined);
  if (read === undefined) return { metadata: {} };
  const info = read.info as Readonly<Record<string, unknown>>;
  const metadataOf = (key: string): unknown => (read.metadata as { get(key: string): unknown } | null)?.get(key);
  const title = [info['Title'], metadataOf('dc:title')]
    .map((value) => lineOf(value).replace(PRINTED_FROM, ''))
    .find((line) => !NO_TITLE.test(line));
  const author = [info['Author'], metadataOf('dc:creator')].map(lineOf).find((line) => line !== '');
  const createdAt = dateOf(info['CreationDate'], pdfjs);
  const updatedAt = dateOf(info['ModDate'], pdfjs);
  return {
    ...(title === undefined ? {} : { title }),
    metadata: {
      ...(author === undefined ? {} : { user: { author } }),
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(updatedAt === undefined ? {} : { updatedAt }),
    },
  };
}

function lineOf(value: unknown): string {
  const text = Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : value;
  if (typeof text !== 'string') return '';
  return text
    .replaceAll(/[\s\p{Cc}\p{Cs}\uFFFD]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARS)
    .trimEnd();
}

function dateOf(value: unknown, { PDFDateString }: PdfLibrary['pdfjs']): Date | undefined {
  const date = typeof value === 'string' ? PDFDateString.toDateObject(value) : null;
  return date === null || Number.isNaN(date.getTime()) ? undefined : date;
}
