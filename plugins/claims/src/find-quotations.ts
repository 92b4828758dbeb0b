import type { TextRange } from '@kebab/core';
import { foldText, type FoldedText } from './content-words.ts';

/** A quotation in an answer: the range with its quote marks, the text without them. */
export interface Quotation extends TextRange {
  readonly text: string;
}

/** Closing quote marks by their opening one. */
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
/** Apostrophes and single quote marks around one word are not a quotation: only several words are. */
const SINGLE = new Set(["'", '‘', '‚']);
const MAX_LENGTH = 2000;

/** Every quotation of a text in order, only the outermost of nested ones. A quotation ends within its paragraph. */
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

/** The roles of the quote marks of one text. Queried from every earlier mark, and computed once. */
interface Marks {
  /** Whether a straight quote mark opens a nested quotation. */
  readonly opensStraight: (at: number) => boolean;
  /** The first of these single marks at or after an offset that closes a quotation; `from` never decreases. */
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

/** The offset at which the quotation opened at an offset closes; -1 when none opens there. */
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

/** The side of a straight quote mark is determined by its neighbours. */
function straightClosing(
  text: string,
  open: number,
  { limit, marks }: { readonly limit: number; readonly marks: Marks },
): number {
  if (/\d/.test(text[open - 1] ?? '') || /[\s"]/.test(text[open + 1] ?? ' ')) return -1; // an inch sign, or an empty quotation
  let depth = 1;
  const nearest = text.indexOf('"', open + 1);
  for (let at = nearest; at !== -1 && at < limit; at = text.indexOf('"', at + 1)) {
    if (marks.opensStraight(at)) depth++;
    else if (--depth === 0) return at;
  }
  // For unbalanced marks the nearest one closes.
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

/** Letters of scripts without spaces: a quotation may begin and end inside a run of them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{Nd}/u;
const ELLIPSIS = /\s*(?:[[(]\s*\.{3,}\s*[\])]|\.{3,})\s*/;
const EDGES = /^[\s.,;:!?"'。、，！？-]+|[\s.,;:!?"'。、，！？-]+$/g;

/** The parts of a quotation around its ellipses, folded for comparison. */
export function foldedQuotation(quote: string): readonly string[] {
  return foldText(quote)
    .text.split(ELLIPSIS)
    .map((part) => part.replaceAll(EDGES, ''))
    .filter((part) => part !== '');
}

/**
 * The range of a folded passage, in its original, that literally contains a folded quotation; the parts around an ellipsis must be in order.
 * The match must end at a word or number boundary: `195` is not in `1950`.
 */
export function findFoldedQuote({ text, origins }: FoldedText, parts: readonly string[]): TextRange | null {
  if (parts.length === 0) return null;
  const first = indexOfWords(text, parts[0] ?? '', 0);
  let end = first;
  // If the first occurrence of each part leads nowhere, no later one does.
  for (const part of parts) {
    const at = end === -1 ? -1 : indexOfWords(text, part, end);
    if (at === -1) return null;
    end = at + part.length;
  }
  return { start: origins[first] ?? 0, end: origins[end] ?? 0 };
}

function indexOfWords(text: string, words: string, from: number): number {
  for (let at = text.indexOf(words, from); at !== -1; at = text.indexOf(words, at + 1))
    if (!goesOn(text, at, -1) && !goesOn(text, at + words.length, 1)) return at;
  return -1;
}

/** Whether the word or number at an edge of a range continues outside of it. */
function goesOn(text: string, edge: number, outward: 1 | -1): boolean {
  const inside = characterAt(text, edge, outward === 1 ? -1 : 1);
  const outside = characterAt(text, edge, outward);
  if (inside === '' || outside === '' || UNSPACED.test(inside) || UNSPACED.test(outside)) return false;
  if (DIGIT.test(inside)) {
    if (DIGIT.test(outside)) return true;
    const beyond = characterAt(text, edge + outward * outside.length, outward);
    return /[.,]/.test(outside) && DIGIT.test(beyond);
  }
  return LETTER.test(inside) && LETTER.test(outside);
}

/** The character on one side of an offset. */
function characterAt(text: string, offset: number, side: 1 | -1): string {
  if (side === 1) return offset >= text.length ? '' : String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return Array.from(text.slice(Math.max(0, offset - 2), offset)).at(-1) ?? '';
}
