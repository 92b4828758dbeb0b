import type { TextRange } from '../../domain/block.ts';
import { rangeAt } from './sorted-ranges.ts';

/** A citation as a model wrote it: `[1]`, `[#1, 2]`, `(1)`, `[^1]`, `【1】`, `¹`. */
export interface ReadCitation extends TextRange {
  /** The numbers it names, ranges expanded, without duplicates; including those of nonexistent passages. */
  readonly numbers: readonly number[];
}

/** The highest number in parentheses or superscript that may be a citation; a higher one is a year or an amount. */
const MAX_LOOSE_NUMBER = 20;
/** `[9]` is a citation even when there are only five passages; `[2019]` never is. */
const MAX_NUMBER = 99;
const MAX_RANGE = 30;

const WORD = '(?:passages?|sources?|docs?|documents?|evidence|refs?|chunks?|see|cf\\.?|문서|근거|출처|구절|본문)';
const ONE = `(?:${WORD}[ :]*)?[#^]?\\d{1,3}`;
const LIST = `${ONE}(?:\\s*(?:[,;&、，]|[-–—~]|and|to)\\s*${ONE})*`;
const BRACKETED = new RegExp(
  `[\\[［【〔]{1,2}\\s*(${LIST})(?:†[^\\]】]{0,40})?\\s*[\\]］】〕]{1,2}(?:\\([^()\\s]*\\))?`,
  'giu',
);
const PARENTHESISED = new RegExp(`[(（]\\s*(${LIST})\\s*[)）]`, 'giu');
const RAISED = /(?<=[\p{L}\p{P}])[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?:[,⁻⁾⁽][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})*(?![\p{L}\p{N}])/gu;
const RAISED_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** What superscript digits follow as powers: `m²`, `km³`, `x²`. */
const POWER = /(?:^|[^\p{L}])(?:[kcdmµ]?m|ft|in|yd|mi|s|[a-z])$/iu;

/**
 * Finds the citations of an answer in order, in any form. Parentheses and superscript digits count only in an answer without citations in
 * brackets, parentheses only where a sentence ends or continues after them: `(1) first, (2) second` is a list.
 */
export function readCitations(text: string, passages: number): readonly ReadCitation[] {
  const code = codeRanges(text);
  const outsideCode = ({ start }: TextRange): boolean => rangeAt(code, start) === undefined;
  const bracketed = [...text.matchAll(BRACKETED)]
    .map((match) => citationOf(match.index, match[0], match[1] ?? ''))
    .filter(({ numbers }) => numbers.length > 0 && numbers.every((number) => number <= Math.max(passages, MAX_NUMBER)))
    .filter((citation) => !isDefinition(text, citation))
    .filter(outsideCode);
  if (bracketed.length > 0) return bracketed;
  const loose = [...parenthesised(text), ...raised(text)].filter(
    ({ numbers }) =>
      numbers.length > 0 && numbers.every((number) => number >= 1 && number <= Math.max(passages, MAX_LOOSE_NUMBER)),
  );
  return loose.filter(outsideCode).toSorted((a, b) => a.start - b.start);
}

/** `[^1]: notes/a.md` at the beginning of a line defines a citation, and cites nothing. */
function isDefinition(text: string, { start, end }: TextRange): boolean {
  return text[end] === ':' && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 20), start));
}

function citationOf(start: number, whole: string, list: string): ReadCitation {
  return { start, end: start + whole.length, numbers: numbersOf(list) };
}

function numbersOf(list: string): readonly number[] {
  const ascii = list.normalize('NFKC').replaceAll(/\bto\b/g, '-');
  const numbers = [...ascii.matchAll(/(\d{1,3})(?:\s*[-–—~]\s*[#^]?(\d{1,3}))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    const last = to === undefined ? first : Number(to);
    if (last < first || last - first > MAX_RANGE) return [first, last];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
  return [...new Set(numbers)];
}

/** Fenced and inline code: brackets there are part of the code. */
function codeRanges(text: string): readonly TextRange[] {
  return [...text.matchAll(/^[ \t]*(```|~~~)[^]*?(?:^[ \t]*\1|$(?![^]))|`[^`\n]+`/gm)].map(({ 0: all, index }) => ({
    start: index,
    end: index + all.length,
  }));
}

function parenthesised(text: string): readonly ReadCitation[] {
  const found = [...text.matchAll(PARENTHESISED)]
    .filter(({ index }) => !/(?:^|\n)[ \t>*+-]*$/.test(text.slice(Math.max(0, index - 20), index)))
    .map((match) => citationOf(match.index, match[0], match[1] ?? ''));
  const closing = found.filter(({ end }) => /^\s*(?:$|[.,;:!?。、，！？)\n|*_]|[(（]\d)/.test(text.slice(end)));
  if (closing.length === 0) return [];
  // After a full stop `(1)` may begin a list or be a citation; it is a citation if the last one of the answer closes a sentence.
  const last = found.at(-1);
  const behindStop = found.filter(({ start }) =>
    /[.!?。！？]["'”’»)*_]*\s*$/.test(text.slice(Math.max(0, start - 6), start)),
  );
  return last !== undefined && closing.includes(last) ? [...new Set([...closing, ...behindStop])] : closing;
}

function raised(text: string): readonly ReadCitation[] {
  return [...text.matchAll(RAISED)]
    .filter(({ index }) => !POWER.test(text.slice(Math.max(0, index - 3), index)))
    .map(({ 0: all, index }) => ({
      start: index,
      end: index + all.length,
      numbers: all
        .split(/[^⁰¹²³⁴⁵⁶⁷⁸⁹]/u)
        .map((digits) => Number(Array.from(digits, (digit) => RAISED_DIGITS.indexOf(digit)).join('')))
        .filter((number) => number > 0),
    }));
}
