import type { CallContext } from '@kebab/core';
import { isKebabError, throwIfCancelled } from '@kebab/core';
import { layoutPage } from '../layout/layout-page.ts';
import { readRuns } from '../layout/read-runs.ts';
import type { TextRun } from '../layout/text-run.ts';
import type { PageExtent } from './heading-paths.ts';
import { readNotes } from './page-notes.ts';
import { reasonOf } from './pdf-failure.ts';
import type { OpenPdf } from './open-pdf.ts';

/** The result of reading one page. */
export type ReadPage = { readonly extent: PageExtent } & (
  | {
      readonly kind: 'read';
      readonly text: string;
      /** The texts of annotations and form fields, each with what it is. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'failed'; readonly reason: string }
);

/** The part of an open file that reading pages needs. */
export type PageSource = Pick<OpenPdf, 'numPages' | 'getPage' | 'limited' | 'isStuck' | 'reopen'>;

/** How many pages may time out before the rest is left out. */
const MAX_STUCK = 3;
const NO_EXTENT: PageExtent = Object.freeze({ bottom: 0, top: 0 });

/**
 * Reads the pages of a file one after the other. A page that cannot be read, or times out, is `failed`, and reading continues with the
 * next. Errors: `cancelled`.
 */
export async function readPages(
  pdf: PageSource,
  context: Pick<CallContext, 'signal' | 'progress'>,
): Promise<readonly ReadPage[]> {
  const pages: ReadPage[] = [];
  const { numPages } = pdf;
  const start = (number: number): Promise<RawPage> | undefined =>
    number > numPages ? undefined : started(pdf, number);
  let stuck = 0;
  let ahead = start(1);
  for (let number = 1; ahead !== undefined; number++) {
    throwIfCancelled(context.signal, 'reading pages');
    try {
      const { runs, ...raw } = await pdf.limited(ahead, 'reading it');
      ahead = start(number + 1); // its thread parses the next page while this one sorts the lines
      pages.push({ kind: 'read', text: layoutPage(runs).text, ...raw });
    } catch (error) {
      if (isKebabError(error, 'cancelled')) throw error;
      pages.push({ kind: 'failed', reason: reasonOf(error), extent: NO_EXTENT });
      const end = pdf.isStuck ? await resumed(pdf, ++stuck) : undefined;
      if (end !== undefined) return [...pages, ...leftOut(numPages - number, end)];
      ahead = start(number + 1);
    }
    context.progress({ done: number, total: numPages, note: 'page' });
  }
  return pages;
}

/** A page as in the file. */
interface RawPage {
  readonly extent: PageExtent;
  readonly runs: readonly TextRun[];
  readonly notes: readonly string[];
}

/** Starts reading a page. A failure is only reported to whoever awaits the promise, not as an unhandled rejection. */
function started(pdf: PageSource, number: number): Promise<RawPage> {
  const raw = rawPage(pdf, number);
  raw.catch(() => {});
  return raw;
}

async function rawPage(pdf: PageSource, number: number): Promise<RawPage> {
  const page = await pdf.getPage(number);
  const [, bottom = 0, , top = 0] = page.view;
  try {
    const [runs, notes] = await Promise.all([readRuns(page), readNotes(page)]);
    return { extent: { bottom, top }, runs, notes };
  } finally {
    page.cleanup(); // frees the page's resources
  }
}

/** Reopens the file, or returns why its other pages are not read. */
async function resumed(pdf: PageSource, stuck: number): Promise<string | undefined> {
  if (stuck >= MAX_STUCK) return `not tried after ${MAX_STUCK} pages that took too long`;
  try {
    await pdf.reopen();
    return undefined;
  } catch (error) {
    if (isKebabError(error, 'cancelled')) throw error;
    return reasonOf(error);
  }
}

function leftOut(count: number, reason: string): readonly ReadPage[] {
  return Array.from({ length: count }, () => ({ kind: 'failed', reason, extent: NO_EXTENT }));
}
