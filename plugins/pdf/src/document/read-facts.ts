import type { Metadata } from '@kebab/core';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { loadPdfjs, type PdfLibrary } from './load-pdfjs.ts';

/** What a file says of itself; what it leaves out is absent. */
export interface PdfFacts {
  readonly title?: string;
  readonly metadata: Partial<Metadata>;
}

const MAX_CHARS = 300;
/** What programs write where nobody gave a title. */
const NO_TITLE = /^(?:untitled\b.*|제목 없음|無題|title|[^\p{L}\p{N}]*)$/iu;
/** What word processors put before the name of the file. */
const PRINTED_FROM = /^Microsoft (?:Word|Excel|PowerPoint) - /;

/** Reads title, author and dates; what cannot be read is left out. */
export async function readFacts(pdf: PDFDocumentProxy): Promise<PdfFacts> {
  const { pdfjs } = await loadPdfjs();
  const read = await pdf.getMetadata().catch(() => undefined);
  if (read === undefined) return { metadata: {} };
  const info = read.info as Readonly<Record<string, unknown>>;
  const given = (key: string): unknown => (read.metadata as { get(key: string): unknown } | null)?.get(key);
  const title = [info['Title'], given('dc:title')]
    .map((value) => lineOf(value).replace(PRINTED_FROM, ''))
    .find((line) => !NO_TITLE.test(line));
  const author = [info['Author'], given('dc:creator')].map(lineOf).find((line) => line !== '');
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
