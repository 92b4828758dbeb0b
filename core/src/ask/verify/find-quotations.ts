import type { TextRange } from '../../domain/block.ts';

/** A quotation of an answer: the range with its marks, the text without them. */
export interface Quotation extends TextRange {
  readonly text: string;
}

/** Closing marks by their opening one. */
const PAIRS: Readonly<Record<string, string>> = {
  '“': '”',
  '„': '“”',
  '‘': '’',
  '‚': '‘’',
  '«': '»',
  '‹': '›',
  '「': '」',
  '『': '』',
  '《': '》',
  '〈': '〉',
  '＂': '＂',
};
/** Apostrophes and single marks around one word are no quotation: only several words are. */
const SINGLE = new Set(["'", '‘', '‚']);
const MAX_LENGTH = 2000;

/** Every quotation of a text in order, the outermost where they are nested. A quotation ends in its own paragraph. */
export function findQuotations(text: string): readonly Quotation[] {
  const found: Quotation[] = [];
  for (let at = 0; at < text.length;) {
    const close = closingOf(text, at);
    if (close === -1) {
      at++;
      continue;
    }
    const inner = text.slice(at + 1, close).trim();
    const counts = SINGLE.has(text[at] ?? '') ? /\S\s+\S/.test(inner) : /[\p{L}\p{N}]/u.test(inner);
    if (counts) found.push({ start: at, end: close + 1, text: inner });
    at = close + 1;
  }
  return found;
}

/** Where the quotation that opens at an offset closes; -1 when none opens there. */
function closingOf(text: string, open: number): number {
  const mark = text[open] ?? '';
  const limit = paragraphEnd(text, open);
  if (mark === '"') return straightClosing(text, open, limit);
  if (mark === "'") return singleClosing(text, open, limit, "'");
  const closing = PAIRS[mark];
  if (closing === undefined) return -1;
  if (mark === '‘' || mark === '‚') return singleClosing(text, open, limit, closing);
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const char = text[at] ?? '';
    if (at > open && closing.includes(char)) {
      if (--depth === 0) return at;
    } else if (char === mark) depth++;
  }
  return -1;
}

function paragraphEnd(text: string, from: number): number {
  const blank = /\n[ \t]*\n/.exec(text.slice(from, from + MAX_LENGTH));
  return blank === null ? Math.min(text.length, from + MAX_LENGTH) : from + blank.index;
}

/** Straight marks do not show which side they are on: what stands beside them does. */
function straightClosing(text: string, open: number, limit: number): number {
  if (/\d/.test(text[open - 1] ?? '') || /[\s"]/.test(text[open + 1] ?? ' ')) return -1; // an inch, or nothing quoted
  let depth = 1;
  for (let at = open + 1; at < limit; at++) {
    if (text[at] !== '"') continue;
    if (opensStraight(text, at)) depth++;
    else if (--depth === 0) return at;
  }
  // Marks that do not pair up: the nearest one closes.
  const nearest = text.indexOf('"', open + 1);
  return nearest === -1 || nearest >= limit ? -1 : nearest;
}

function opensStraight(text: string, at: number): boolean {
  return /[\s([{—–/]/.test(text[at - 1] ?? ' ') && /[\p{L}\p{N}$€£'‘“([*_`]/u.test(text[at + 1] ?? ' ');
}

function singleClosing(text: string, open: number, limit: number, closing: string): number {
  const first = text[open + 1] ?? ' ';
  if (/\s/.test(first) || /[\p{Script=Latin}\p{N}]/u.test(text[open - 1] ?? ' ')) return -1;
  if (closing === "'" && /\p{L}/u.test(text[open - 1] ?? ' ')) return -1;
  if (/\d/.test(first) && (closing === "'" || /^\d0s/.test(text.slice(open + 1)))) return -1; // '80s
  for (let at = open + 2; at < limit; at++) {
    if (text[at] === '\n') return -1;
    if (!closing.includes(text[at] ?? ' ')) continue;
    if (/\S/.test(text[at - 1] ?? ' ') && !/[\p{Script=Latin}\p{N}]/u.test(text[at + 1] ?? ' ')) return at;
  }
  return -1;
}
