import { pagesReadByOcr, type DocInspection } from '@kebab/core/app';
import { counted } from './counted.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { fitStart } from './text-width.ts';

/** A document with its text, of which its pages are ranges. */
export interface PagedDocument {
  readonly doc: DocInspection;
  readonly text: string;
}

const HEAD = '  page   chars  read by';
/** Columns of the first words, where there is no terminal to fit into. */
const WORDS_WIDTH = 60;
/** Enough characters for the widest terminal. */
const SEEN_CHARS = 500;

/** The pages of a document, a line each: how many characters, whether OCR read them, how they begin. */
export function renderDocPages({ doc, text }: PagedDocument, { columns, colors }: Screen): string {
  const name = colors.cyan(printable(doc.summary.doc_path));
  if (doc.pages.length === 0) return `${name}\n  no pages: it is ${doc.summary.media}\n`;
  const ocr = pagesReadByOcr(doc.provenance.events);
  const width = columns === null ? WORDS_WIDTH : columns - HEAD.length - 2;
  const lines = doc.pages.map(({ page, start, end }) => {
    const words = text.slice(start, end);
    const reader = words === '' ? '-' : ocr.has(page) ? 'ocr' : 'text';
    const chars = Array.from(words); // of code points, as everywhere
    const first = fitStart(chars.slice(0, SEEN_CHARS).join('').replaceAll(/\s+/g, ' ').trim(), width);
    return `  ${String(page).padStart(4)}  ${String(chars.length).padStart(6)}  ${reader.padEnd(7)}  ${first}`.trimEnd();
  });
  const head = `${name}  ${counted(doc.pages.length, 'page')}\n\n${colors.bold(`${HEAD}  first words`)}\n`;
  return `${head}${lines.join('\n')}\n`;
}
