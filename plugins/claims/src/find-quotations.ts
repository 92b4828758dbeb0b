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

/** Every quotation of a text in order, which ends at the next closing mark. A quotation ends within its paragraph. */
export function findQuotations(text: string): readonly Quotation[] {
  const found: Quotation[] = [];
  const nextSingle = singleMarks(text);
  for (let at = 0; at < text.length;) {
    const close = closingOf(text, at, nextSingle);
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

/** The first of these single marks at or after an offset that closes a quotation; computed once, as `from` never decreases. */
type NextSingle = (closing: string, from: number) => number;

function singleMarks(text: string): NextSingle {
  const next = new Map<string, number>();
  return (closing, from) => {
    let at = next.get(closing) ?? -1;
    if (at >= from) return at;
    at = from;
    while (at < text.length && !(closing.includes(text[at] ?? ' ') && closesSingle(text, at))) at++;
    next.set(closing, at);
    return at;
  };
}

/** The offset at which the quotation opened at an offset closes; -1 when none opens there. */
function closingOf(text: string, open: number, nextSingle: NextSingle): number {
  const mark = text[open] ?? '';
  const closing = PAIRS[mark];
  if (closing === undefined && mark !== '"' && mark !== "'") return -1;
  const limit = paragraphEnd(text, open);
  if (mark === '"') return straightClosing(text, open, limit);
  if (mark === "'") return singleClosing(text, open, { limit, nextSingle, closing: "'" });
  if (closing === undefined) return -1;
  if (mark === '‘' || mark === '‚') return singleClosing(text, open, { limit, nextSingle, closing });
  for (let at = open + 1; at < limit; at++) if (closing.includes(text[at] ?? ' ')) return at;
  return -1;
}

function paragraphEnd(text: string, from: number): number {
  const blank = /\n[ \t]*\n/.exec(text.slice(from, from + MAX_LENGTH));
  return blank === null ? Math.min(text.length, from + MAX_LENGTH) : from + blank.index;
}

function straightClosing(text: string, open: number, limit: number): number {
  if (/\d/.test(text[open - 1] ?? '') || /[\s"]/.test(text[open + 1] ?? ' ')) return -1; // an inch sign, or an empty quotation
  const nearest = text.indexOf('"', open + 1);
  return nearest >= limit ? -1 : nearest;
}

function singleClosing(
  text: string,
  open: number,
  { limit, nextSingle, closing }: { readonly limit: number; readonly nextSingle: NextSingle; readonly closing: string },
): number {
  const first = text[open + 1] ?? ' ';
  if (/\s/.test(first) || /[\p{Script=Latin}\p{N}]/u.test(text[open - 1] ?? ' ')) return -1;
  if (closing === "'" && /\p{L}/u.test(text[open - 1] ?? ' ')) return -1;
  if (/\d/.test(first) && (closing === "'" || /^\d0s/.test(text.slice(open + 1)))) return -1; // '80s
  const close = nextSingle(closing, open + 2);
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
