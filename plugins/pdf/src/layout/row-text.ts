import type { Row } from './rows.ts';
import type { TextRun } from './text-run.ts';

/** A gap wider than this part of the font size is a space; between ideographs, which are often spread, a wider one. */
const SPACE = 0.15;
const WIDE_SPACE = 0.45;
/** The same text this near to itself, in parts of the font size, was drawn twice to look bold. */
const SAME_PLACE = 0.12;
/** What reaches this far into the text before it, in parts of the font size, is set over it. */
const OVERLAP = 0.1;

const IDEOGRAPH_END = /[\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]$/;
const IDEOGRAPH_START = /^[\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/;

/** The text of a row in logical order, spaces put in where the gaps say so. */
export function rowText(row: Row): string {
  const runs = row.segments.flatMap((segment) => segment.runs);
  const [only] = runs;
  if (only !== undefined && runs.length === 1) return only.text.trim();
  const base = isRightToLeft(runs);
  let text = '';
  let last: TextRun | undefined;
  for (const run of inReadingOrder(withoutDoubles(runs), base)) {
    const joined = last !== undefined && overlaps(last, run) ? withAccent(text, run.text) : undefined;
    text = joined ?? text + (last !== undefined && isSpaced(last, run) ? ' ' : '') + run.text;
    last = run;
  }
  return text.trim();
}

/** Whether more of the characters stand in pieces read from right to left than in others. */
export function isRightToLeft(runs: readonly TextRun[]): boolean {
  let balance = 0;
  for (const { rtl, text } of runs) balance += rtl ? text.length : -text.length;
  return balance > 0;
}

function withoutDoubles(runs: readonly TextRun[]): readonly TextRun[] {
  const kept: TextRun[] = [];
  for (const run of runs.toSorted((one, other) => one.u0 - other.u0 || one.order - other.order)) {
    const last = kept.at(-1);
    if (last === undefined || last.text !== run.text || run.u0 - last.u0 > SAME_PLACE * run.size) kept.push(run);
  }
  return kept;
}

/** From the side where the row begins; pieces of the other direction that stand together keep their own order. */
function inReadingOrder(runs: readonly TextRun[], base: boolean): readonly TextRun[] {
  if (!base && !runs.some(({ rtl }) => rtl)) return runs;
  const ordered: TextRun[] = [];
  let foreign: TextRun[] = [];
  for (const run of base ? runs.toReversed() : runs) {
    if (run.rtl === base) {
      ordered.push(...foreign, run);
      foreign = [];
    } else foreign.unshift(run);
  }
  return [...ordered, ...foreign];
}

/** Old typesetting puts an accent over its letter by stepping back. */
function overlaps(last: TextRun, run: TextRun): boolean {
  return run.u0 >= last.u0 && last.u1 - run.u0 > OVERLAP * Math.min(last.size, run.size);
}

function isSpaced(last: TextRun, run: TextRun): boolean {
  if (/\s$/.test(last.text) || /^\s/.test(run.text)) return false;
  const gap = run.u0 >= last.u0 ? run.u0 - last.u1 : last.u0 - run.u1;
  const size = Math.min(last.size, run.size);
  const between = run.order === last.order + 1 ? run : last.order === run.order + 1 ? last : undefined;
  if (between?.afterBlank === true) return true;
  const isWide = IDEOGRAPH_END.test(last.text) && IDEOGRAPH_START.test(run.text);
  return gap > (isWide ? WIDE_SPACE : SPACE) * size;
}

/** Accents that take room of their own, by those that stand on the letter before them. */
const COMBINING: Readonly<Record<string, string>> = {
  '\u0060': '\u0300',
  '\u00B4': '\u0301',
  '\u02C6': '\u0302',
  '\u02DC': '\u0303',
  '\u00AF': '\u0304',
  '\u02D8': '\u0306',
  '\u02D9': '\u0307',
  '\u00A8': '\u0308',
  '\u02DA': '\u030A',
  '\u02DD': '\u030B',
  '\u02C7': '\u030C',
  '\u00B8': '\u0327',
  '\u02DB': '\u0328',
};
const DOTTED: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/**
 * Joins two pieces of which one stands over the other: an accent and its letter become one character, as in "naïve"
 * written with a dotless i. Undefined where there is no such character.
 */
function withAccent(before: string, behind: string): string | undefined {
  const [end, start] = [before.slice(-1), behind.slice(0, 1)];
  const letter = accented(start, end) ?? accented(end, start);
  return letter === undefined ? undefined : before.slice(0, -1) + letter + behind.slice(1);
}

function accented(letter: string, accent: string): string | undefined {
  const mark = COMBINING[accent];
  if (mark === undefined || !/\p{L}/u.test(letter)) return undefined;
  const composed = ((DOTTED[letter] ?? letter) + mark).normalize('NFC');
  return composed.length === 1 ? composed : undefined;
}
