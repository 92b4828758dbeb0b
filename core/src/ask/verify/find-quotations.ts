import type { TextRange } from '../../domain/block.ts';
import { formatUri } from '../../domain/uri.ts';
import type { NumberedEvidence } from '../retrieval/retrieve-evidence.ts';
import { foldText, type FoldedText } from './content-words.ts';

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

/** Letters of scripts that put no space between words: a quotation may begin and end inside a run of them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{Nd}/u;
const ELLIPSIS = /\s*(?:[[(]\s*\.{3,}\s*[\])]|\.{3,})\s*/;
const EDGES = /^[\s.,;:!?"'。、，！？-]+|[\s.,;:!?"'。、，！？-]+$/g;

/**
 * Where a quotation stands in a passage word for word; what folds does not count, and the parts around an ellipsis stand in
 * their order. A word or number that goes on beyond the quotation is another word: `195` does not stand in `1950`.
 */
export function findQuote(passage: string, quote: string): TextRange | null {
  return findFoldedQuote(foldText(passage), foldedQuotation(quote));
}

/** The parts of a quotation around its ellipses, in the form in which they are compared. */
export function foldedQuotation(quote: string): readonly string[] {
  return foldText(quote)
    .text.split(ELLIPSIS)
    .map((part) => part.replaceAll(EDGES, ''))
    .filter((part) => part !== '');
}

/** Like {@link findQuote}, with a passage and a quotation that are folded already. The range counts in the original passage. */
export function findFoldedQuote({ text, origins }: FoldedText, parts: readonly string[]): TextRange | null {
  if (parts.length === 0) return null;
  const first = indexOfWords(text, parts[0] ?? '', 0);
  let end = first;
  // Where the first of each leads nowhere, no later one leads further.
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

/**
 * The URI of a passage, narrowed to the lines on which a quotation stands. Passages that are not cited by lines, and those in
 * which it does not stand, keep their URI. `folded` is the text of the passage, where it is known already.
 */
export function narrowCitation(
  { citation, text }: NumberedEvidence,
  quote: string,
  folded: () => FoldedText = () => foldText(text),
): string {
  if (citation.kind !== 'line' && citation.kind !== 'code') return citation.uri;
  const range = findFoldedQuote(folded(), foldedQuotation(quote));
  if (range === null) return citation.uri;
  const first = citation.kind === 'line' ? citation.start : citation.line_start;
  const last = citation.kind === 'line' ? citation.end : citation.line_end;
  const start = Math.min(last, first + lineFeeds(text.slice(0, range.start)));
  const end = Math.min(last, start + lineFeeds(text.slice(range.start, range.end).trimEnd()));
  return formatUri({
    sourceId: citation.source_id ?? null,
    path: citation.path,
    fragment: { kind: 'line', start, end },
  });
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1;
}
