import type { TextRange } from '@kebab/core';
import { foldText, type FoldedText } from './content-words.ts';

/** A quotation in an answer: the range with its quote marks, the text without them. */
export interface Quotation extends TextRange {
  readonly text: string;
}

/** A quotation is no longer than this, and ends within its paragraph. */
const INSIDE = String.raw`(?:(?!\n[ \t]*\n)[^CLOSE]){1,2000}`;
/** Apostrophes around one word are no quotation, nor does one open inside a word or before a digit: only several words of a line are. */
const SINGLE = String.raw`(?=\S)(?!\d0s)[^\n]{1,2000}?(?<=\S)[CLOSE](?![\p{Script=Latin}\p{N}])`;
const QUOTATION = new RegExp(
  [
    ...['“”', '„“”', '«»', '‹›', '「」', '『』', '《》', '〈〉', '＂＂'].map(
      ([open = '', ...close]) => `${open}${INSIDE.replace('CLOSE', close.join(''))}[${close.join('')}]`,
    ),
    // An inch sign opens nothing.
    String.raw`(?<!\d)"(?![\s"])${INSIDE.replace('CLOSE', '"')}"`,
    String.raw`(?<!\p{L}|\p{N})'(?!\d)${SINGLE.replace('CLOSE', "'")}`,
    ...['‘’', '‚‘’'].map(
      ([open = '', ...close]) =>
        String.raw`(?<![\p{Script=Latin}\p{N}])${open}${SINGLE.replace('CLOSE', close.join(''))}`,
    ),
  ].join('|'),
  'gu',
);

/** Every quotation of a text in order, which ends at the next closing mark. */
export function findQuotations(text: string): readonly Quotation[] {
  return [...text.matchAll(QUOTATION)].flatMap(({ 0: all, index }) => {
    const inner = all.slice(1, -1).trim();
    const counts = /^['‘‚]/u.test(all) ? /\S\s+\S/.test(inner) : /[\p{L}\p{N}]/u.test(inner);
    return counts ? [{ start: index, end: index + all.length, text: inner }] : [];
  });
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
