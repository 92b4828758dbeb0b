import { blake3Hex, blake3Short } from '../domain/blake3.ts';
import type { UriFragment } from '../domain/uri.ts';
import type { DocumentView } from './designate.ts';
import { nearestFirst } from './nearest-first.ts';

const NEWLINE = 10;
const encoder = new TextEncoder();

/**
 * The place in a document, other than the given one, that has its shape (as many lines, or one page) and whose text has
 * the given short hash: the nearest of several, null when there is none and for fragments of another kind.
 */
export function findSimilar(view: DocumentView, fragment: UriFragment | null, hash: string): UriFragment | null {
  if (fragment?.kind === 'line') return findLines(view.text, fragment, hash);
  if (fragment?.kind !== 'page') return null;
  for (const at of nearestFirst(fragment.page, view.pages.length)) {
    const page = view.pages[at - 1];
    if (page !== undefined && blake3Short(view.text.slice(page.start, page.end)) === hash)
      return { kind: 'page', page: page.page };
  }
  return null;
}

/** Works on bytes, and on each window once: a large knowledge base has a million of them. */
function findLines(
  text: string,
  { start: from, end }: { readonly start: number; readonly end: number },
  hash: string,
): UriFragment | null {
  const bytes = encoder.encode(text);
  const starts = lineStarts(bytes);
  const height = end - from + 1;
  for (const start of nearestFirst(from, starts.length - height)) {
    const window = bytes.subarray(starts[start - 1], (starts[start - 1 + height] ?? 0) - 1);
    if (blake3Hex(window).startsWith(hash)) return { kind: 'line', start, end: start + height - 1 };
  }
  return null;
}

/** Where each line begins, and last of all where a line behind the last would. */
function lineStarts(bytes: Uint8Array): readonly number[] {
  const starts = [0];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== bytes.length) starts.push(bytes.length + 1);
  return starts;
}
