import type { TextRange } from '@kebab/core';
import { calendarNames, EAST_ASIAN_WEEKDAY, eastAsianWeekday, WEEKEND } from './calendar-names.ts';
import { readNumberWords } from './number-words.ts';
import { blanked, rangeOf } from './sorted-ranges.ts';

/** A possibly partial date; `month` and `day` from 1, `weekday` from 1 for Monday. */
export interface CalendarDate {
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly day?: number | undefined;
  readonly weekday?: number | undefined;
}

/**
 * The possible readings of one date, with that of the day first: `03/05/2019` is in May or in March. A
 * date that leaves no doubt has one.
 */
export type DateReadings = readonly CalendarDate[];

/** The dates of one expression: `3–5 May` contains two. */
export interface ReadDate extends TextRange {
  readonly dates: readonly DateReadings[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
/** With the full stop of a German ordinal number, as in `5. April`. */
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?';
const FIRST = '(?<first>\\d{1,2})(?:st|nd|rd|th|\\.)?\\s*(?:-|–|—|/|,|&|to|and|until|through|bis|und)\\s*';
const LAST = '(?:\\s*(?:-|–|—|/|&|to|and|until|through)\\s*(?<last>\\d{1,2})(?:st|nd|rd|th)?(?!\\d|,?\\d))?';
const YEAR = '(?<year>\\d{4})(?!\\d)';
const START = '(?<![\\p{L}\\d.,])';

/** In other languages the word is looked up among the names of months; abbreviations count only before a year. */
const NAME = "(?<name>\\p{L}{3,})(?![\\p{L}\\d'’])";
const ORDINAL_MARK = '(?:\\.?[ºª°]|\\.|er|re|e|a)?';
const NAMED_DAY = `(?<day>\\d{1,2})${ORDINAL_MARK}`;
const NAMED_FIRST = `(?<first>\\d{1,2})${ORDINAL_MARK}\\s*(?:-|–|—|/|,|&|bis|und|au|à|et|al|y|a|ao|e|tot|en|till|och|til|og|do|i|по|и|та)\\s*`;
const OF = "(?:(?:d[aeio]|del)\\s+|d[’'])";

/** Forms of dates, most complete first: a match is not read again by another form. */
const FORMS: readonly RegExp[] = [
  /(?<![\d.])(?<year>\d{4})\s?[-/.]\s?(?<month>\d{1,2})\s?[-/.]\s?(?<day>\d{1,2})(?!\d)/gu,
  /(?<![\d.])(?<day>\d{1,2})(?<numeric>[./-])(?<month>\d{1,2})[./-](?<year>\d{4})(?!\d)/gu,
  /(?<!\d)(?<year>\d{2}|\d{4})\s?[년年]\s*(?<month>\d{1,2})\s?[월月](?:\s*(?:(?<first>\d{1,2})\s?[일日]?\s?[~∼–-]\s?)?(?<day>\d{1,2})\s?[일日号])?/gu,
  /(?<=['’‘′(])(?<year>\d{2})\.\s?(?<month>\d{1,2})(?:\.\s?(?<day>\d{1,2}))?[월.](?!\s?\d)/gu,
  /(?<![\d.])(?<year>\d{4})\.\s?(?<month>\d{1,2})[.월](?!\s?\d)/gu,
  /(?<!\d)(?<month>\d{1,2})(?=월?\s?[~∼-]\s?\d{1,2}월)/gu,
  /(?<!\d)(?<month>\d{1,2})\s?[월月]\s*(?:(?<first>\d{1,2})\s?[일日]?\s?[~∼–-]\s?)?(?<day>\d{1,2})\s?[일日号]/gu,
  new RegExp(`${START}(?:${FIRST})?${DAY}(?:\\s+of)?[\\s-]+${MONTH}(?:(?:,|\\s+of)?[\\s-]+${YEAR})?`, 'giu'),
  new RegExp(`${START}(?<ordinal>(?:(?:twenty|thirty)-)?\\p{L}+(?:st|nd|rd|th)) of ${MONTH}(?:,?\\s+${YEAR})?`, 'giu'),
  new RegExp(`${START}${MONTH}\\s+${DAY}${LAST}(?:,?\\s+${YEAR})?(?![\\d]|\\.\\d|,\\d)`, 'giu'),
  new RegExp(`${START}${MONTH}(?:,|\\s+of)?\\s+${YEAR}`, 'giu'),
  new RegExp(`${START}(?:${NAMED_FIRST})?${NAMED_DAY}\\s*${OF}?${NAME}(?:\\.?,?\\s+${OF}?${YEAR})?`, 'giu'),
  new RegExp(`${START}${YEAR}\\.?(?:\\s?m\\.)?\\s+${NAME}\\s+${NAMED_DAY}(?!\\d)`, 'giu'),
  new RegExp(`${START}${NAME}\\.?\\s+${OF}?${YEAR}`, 'giu'),
  /(?<!\d)(?<day>\d{1,2})\s+tháng\s+(?<month>\d{1,2})(?:(?:\s+năm|,)?\s+(?<year>\d{4}))?(?!\d)/giu,
  /(?<![\d./-])(?<month>0[1-9]|1[0-2])\/(?<year>(?:19|20)\d{2})(?![\d/])/gu,
  /(?<![\p{L}\d./-])(?<year>20\d{2})(?<range>-)(?<month>0[1-9]|1[0-2])(?![\d-])/gu,
  /(?<![\d.])(?<month>\d{1,2})월(?!\d)/gu,
];
const LONE_MONTH =
  /(?<!^|[.!?:]\s|[\p{L}\d])(?<month>January|February|March|April|May|June|July|August|September|October|November|December)(?![\p{L}\d'’])/gu;
const WORD = /(?<![\p{L}\d])\p{L}{4,}(?!\p{L})/gu;

/** The dates of a text, in order. `03/05/2019` has two readings. */
export function readDates(text: string): readonly ReadDate[] {
  const found: ReadDate[] = [];
  let rest = text;
  for (const form of [...FORMS, LONE_MONTH]) {
    // `under 12 may climb`
    const read = [...rest.matchAll(form)]
      .filter(
        ({ 0: all, index }) =>
          !all.endsWith(' may') ||
          !/^\s(?!(?:at|in|on|from|to|until|and|or|is|was|the|by) )\p{Ll}/u.test(rest.slice(index + all.length)),
      )
      .map((match) => ({ ...rangeOf(match), dates: datesOf(match.groups ?? {}, match[0]) }))
      .filter(({ dates }) => dates.length > 0);
    found.push(...read);
    rest = blanked(rest, read);
  }
  for (const { 0: all, index } of rest.matchAll(WEEKEND))
    found.push({ start: index, end: index + all.length, dates: [[{ weekday: 6 }], [{ weekday: 7 }]] });
  rest = rest.replaceAll(WEEKEND, (all) => ' '.repeat(all.length));
  for (const { 0: all, index, groups } of rest.matchAll(EAST_ASIAN_WEEKDAY))
    found.push({ start: index, end: index + all.length, dates: [[{ weekday: eastAsianWeekday(groups ?? {}) }]] });
  for (const { 0: all, index } of rest.matchAll(WORD)) {
    const weekday = calendarNames().weekday(all);
    if (weekday !== null) found.push({ start: index, end: index + all.length, dates: [[{ weekday }]] });
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function datesOf(groups: Readonly<Record<string, string | undefined>>, written: string): ReadDate['dates'] {
  const year = numberOf(groups['year']);
  const months = groups['name'] === undefined ? [monthOf(groups['month'] ?? '')] : monthsOf(groups, written);
  const days = [groups['first'], groups['day'], groups['last']].map(numberOf).filter((day) => day !== undefined);
  if (groups['ordinal'] !== undefined) {
    const [ordinal] = readNumberWords(groups['ordinal'], { loose: true });
    if (ordinal === undefined) return [];
    days.push(ordinal.value);
  }
  // `2021-03` cannot be a range of years, `2003-09` can.
  if (groups['range'] !== undefined && Number(groups['month']) > (year ?? 0) % 100) return [];
  // Between full stops the day comes first everywhere.
  const isOpen = groups['numeric'] === '/' || groups['numeric'] === '-';
  const dates = (days.length === 0 ? [undefined] : days).map((day) => {
    const readings: DateReadings = months.map((month) => ({ year, month, day }));
    const [month] = months;
    const turned =
      month === undefined || groups['numeric'] === undefined || month === day ? [] : [{ year, month: day, day: month }];
    const possible = [...readings, ...turned].filter(isPossible);
    return isOpen ? possible : possible.slice(0, Math.max(1, months.length));
  });
  return dates.every((readings) => readings.length > 0) ? dates : [];
}

/** The months that a name in another language than English may mean; none if it is another word. */
function monthsOf(
  { name = '', day, year }: Readonly<Record<string, string | undefined>>,
  written: string,
): readonly number[] {
  const names = calendarNames();
  const months = names.months(name);
  if (months.length > 0) return year !== undefined || names.isWritten(name) ? months : [];
  const isAbbreviation = year !== undefined && (day !== undefined || written.includes(`${name}.`));
  return isAbbreviation ? names.abbreviations(name) : [];
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

function monthOf(text: string): number {
  return /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

function isPossible({ month = 1, day = 1 }: CalendarDate): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/**
 * Whether one of the dates of a passage is a date. One with two readings equals only one that is written in the same order, as nothing else
 * shows which it is.
 */
export function hasDate(
  date: DateReadings,
  dates: readonly DateReadings[],
  hasYear: (year: number) => boolean,
): boolean {
  return dates.some(
    (given) => given.length === date.length && date.every((reading, at) => agree(reading, given[at] ?? {}, hasYear)),
  );
}

function agree(date: CalendarDate, given: CalendarDate, hasYear: (year: number) => boolean): boolean {
  return (
    given.weekday === date.weekday &&
    agrees(date.month, given.month) &&
    agrees(date.day, given.day) &&
    (date.year === undefined || (given.year === undefined ? hasYear(date.year) : isSameYear(date.year, given.year)))
  );
}

/** `'24` is 2024. */
function isSameYear(a: number, b: number): boolean {
  return a === b || (Math.min(a, b) < 100 && a % 100 === b % 100);
}

function agrees(wanted: number | undefined, given: number | undefined): boolean {
  return wanted === undefined || wanted === given;
}
