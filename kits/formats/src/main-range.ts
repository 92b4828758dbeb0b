import { BLOCKS, type PageElement } from './parse-page.ts';
import type { PageBlock } from './read-html.ts';
import { shownChildren } from './shown-text.ts';

/** Pages with more elements or characters are data, and the search for their main text would take minutes. */
const MAX_ELEMENTS = 20_000;
const MAX_CHARS = 2 * 2 ** 20;
/** Deeper elements are not offered to the search, whose time is quadratic in the depth. */
const MAX_DEPTH = 200;

/** The minimum share of a page's text for a main text. */
const MIN_SHARE = 0.3;

/**
 * Which blocks of a page, from one to another, are its main text, by Readability: without navigation, sidebars and the like at the beginning
 * and the end. All of them, if it finds none, or too little to be the content of the page.
 */
export async function mainRange(
  root: PageElement,
  blocks: readonly PageBlock[],
): Promise<{ readonly start: number; readonly end: number }> {
  const all = { start: 0, end: blocks.length };
  const numbers = new Map<PageElement, number>();
  const html = markedHtml(root, numbers);
  if (html === null || blocks.length < 2) return all;
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')]);
  const { document } = parseHTML(html);
  const content = articleOf(() => new Readability(document, { charThreshold: 200, keepClasses: true }).parse());
  const main = new Set([...content.matchAll(/ data-kebab="(\d+)"/g)].map(([, number]) => Number(number)));
  const isMain = ({ element }: PageBlock): boolean => main.has(numbers.get(element) ?? -1);
  const [first, last] = [blocks.findIndex((block) => isMain(block)), blocks.findLastIndex((block) => isMain(block))];
  if (first < 0) return all;
  // Readability leaves out a heading that repeats the title; the text then begins without one, or with one of a lower level.
  const name = blocks[first]?.isHeading === true ? blocks[first].element.name : 'h7';
  const heading = blocks.slice(0, first).findLastIndex(({ isHeading, element }) => isHeading && element.name < name);
  const isLed = heading >= 0;
  const start = isLed && lengthOf(blocks.slice(heading, first)) < MAX_LEAD ? heading : first;
  const range = { start, end: last + 1 };
  return lengthOf(blocks.slice(range.start, range.end)) < MIN_SHARE * lengthOf(blocks) ? all : range;
}

/** The HTML of an article; empty if there is none. Readability fails on some pages without a body that it could divide. */
function articleOf(parse: () => { readonly content?: string | null | undefined } | null): string {
  try {
    return parse()?.content ?? '';
  } catch {
    return '';
  }
}

/** The maximum number of characters between a heading, with it, and the main text that it belongs to. */
const MAX_LEAD = 300;

function lengthOf(blocks: readonly PageBlock[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}

/** Attributes by which Readability judges an element. */
const JUDGED = ['class', 'id', 'href', 'role', 'itemprop'];

/** What a page shows, as HTML with a number on each block-level element; null if it is too large. */
function markedHtml(root: PageElement, numbers: Map<PageElement, number>): string | null {
  const parts: string[] = [];
  let [chars, elements] = [0, 0];
  const write = (element: PageElement, depth: number): void => {
    for (const child of shownChildren(element)) {
      if (chars > MAX_CHARS || elements > MAX_ELEMENTS) return;
      if (typeof child === 'string') {
        chars += child.length;
        parts.push(escaped(child));
      } else if (depth > MAX_DEPTH) write(child, depth + 1);
      else {
        elements++;
        if (BLOCKS.has(child.name)) numbers.set(child, numbers.size);
        const number = numbers.get(child);
        const attributes = JUDGED.flatMap((name) => {
          const value = child.attributes[name];
          return value === undefined ? [] : [` ${name}="${escaped(value)}"`];
        });
        if (number !== undefined) attributes.push(` data-kebab="${number}"`);
        parts.push(`<${child.name}${attributes.join('')}>`);
        write(child, depth + 1);
        parts.push(`</${child.name}>`);
      }
    }
  };
  write(root, 0);
  return chars > MAX_CHARS || elements > MAX_ELEMENTS ? null : parts.join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
