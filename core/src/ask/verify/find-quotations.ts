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
  const marks = marksOf(text);
  for (let at = 0; at < text.length;) {
    const close = closingOf(text, at, marks);
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

/** What the marks of one text do. It is asked from every mark before them, and worked out once. */
interface Marks {
  /** Whether a straight mark opens a quotation within another. */
  readonly opensStraight: (at: number) => boolean;
  /** The first of these single marks at an offset or behind it that closes a quotation; `from` never decreases. */
  readonly nextSingle: (closing: string, from: number) => number;
}

function marksOf(text: string): Marks {
  const opens = new Map<number, boolean>();
  const next = new Map<string, number>();
  return {
    opensStraight: (at) => {
      const known = opens.get(at) ?? opensStraight(text, at);
      opens.set(at, known);
      return known;
    },
    nextSingle: (closing, from) => {
      let at = next.get(closing) ?? -1;
      if (at >= from) return at;
      at = from;
      while (at < text.length && !(closing.includes(text[at] ?? ' ') && closesSingle(text, at))) at++;
      next.set(closing, at);
      return at;
    },
  };
}

/** Where the quotation that opens at an offset closes; -1 when none opens there. */
function closingOf(text: string, open: number, marks: Marks): number {
  const mark = text[open] ?? '';
  const closing = PAIRS[mark];
  if (closing === undefined && mark !== '"' && mark !== "'") return -1;
  const limit = paragraphEnd(text, open);
  if (mark === '"') return straightClosing(text, open, { limit, marks });
  if (mark === "'") return singleClosing(text, open, { limit, marks, closing: "'" });
  if (closing === undefined) return -1;
  if (mark === '‘' || mark === '‚') return singleClosing(text, open, { limit, marks, closing });
  const [first, last] = [closing.charCodeAt(0), closing.charCodeAt(closing.length - 1)];
  const opening = mark.charCodeAt(0);
  let depth = 1;
  for (let at = open + 1; at < limit; at++) {
    const char = text.charCodeAt(at);
    if (char === first || char === last) {
      if (--depth === 0) return at;
    } else if (char === opening) depth++;
  }
  return -1;
}

function paragraphEnd(text: string, from: number): number {
  const blank = /\n[ \t]*\n/.exec(text.slice(from, from + MAX_LENGTH));
  return blank === null ? Math.min(text.length, from + MAX_LENGTH) : from + blank.index;
}

/** Straight marks do not show which side they are on: what stands beside them does. */
function straightClosing(
  text: string,
  open: number,
  { limit, marks }: { readonly limit: number; readonly marks: Marks },
): number {
  if (/\d/.test(text[open - 1] ?? '') || /[\s"]/.test(text[open + 1] ?? ' ')) return -1; // an inch, or nothing quoted
  let depth = 1;
  const nearest = text.indexOf('"', open + 1);
  for (let at = nearest; at !== -1 && at < limit; at = text.indexOf('"', at + 1)) {
    if (marks.opensStraight(at)) depth++;
    else if (--depth === 0) return at;
  }
  // Marks that do not pair up: the nearest one closes.
  return nearest === -1 || nearest >= limit ? -1 : nearest;
}

function opensStraight(text: string, at: number): boolean {
  return /[\s([{—–/]/.test(text[at - 1] ?? ' ') && /[\p{L}\p{N}$€£'‘“([*_`]/u.test(text[at + 1] ?? ' ');
}

function singleClosing(
  text: string,
  open: number,
  { limit, marks, closing }: { readonly limit: number; readonly marks: Marks; readonly closing: string },
): number {
  const first = text[open + 1] ?? ' ';
  if (/\s/.test(first) || /[\p{Script=Latin}\p{N}]/u.test(text[open - 1] ?? ' ')) return -1;
  if (closing === "'" && /\p{L}/u.test(text[open - 1] ?? ' ')) return -1;
  if (/\d/.test(first) && (closing === "'" || /^\d0s/.test(text.slice(open + 1)))) return -1; // '80s
  const close = marks.nextSingle(closing, open + 2);
  return close >= limit || text.slice(open + 2, close).includes('\n') ? -1 : close;
}

function closesSingle(text: string, at: number): boolean {
  return /\S/.test(text[at - 1] ?? ' ') && !/[\p{Script=Latin}\p{N}]/u.test(text[at + 1] ?? ' ');
}
