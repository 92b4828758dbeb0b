import type { TextRange } from '../../domain/block.ts';
import { spacedOut } from './sorted-ranges.ts';

/** A possibly partial date; `month` and `day` from 1, `weekday` from 1 for Monday. */
export interface CalendarDate {
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly day?: number | undefined;
  readonly weekday?: number | undefined;
}

/** The dates of one expression (`3–5 May`), each with every possible reading: `03/05/2019` is in March or in May. */
export interface ReadDate extends TextRange {
  readonly dates: readonly (readonly CalendarDate[])[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const FIRST = '(?<first>\\d{1,2})(?:st|nd|rd|th)?\\s*(?:-|–|—|/|,|&|to|and|until|through)\\s*';
const LAST = '(?:\\s*(?:-|–|—|/|&|to|and|until|through)\\s*(?<last>\\d{1,2})(?:st|nd|rd|th)?(?!\\d|,?\\d))?';
const YEAR = '(?<year>\\d{4})(?!\\d)';
const START = '(?<![\\p{L}\\d.,])';
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const KOREAN_WEEKDAYS = '월화수목금토일';

/** Forms of dates, most complete first: a match is not read again by another form. */
const FORMS: readonly RegExp[] = [
  /(?<![\d.])(?<year>\d{4})\s?[-/.]\s?(?<month>\d{1,2})\s?[-/.]\s?(?<day>\d{1,2})(?!\d)/gu,
  /(?<![\d.])(?<day>\d{1,2})(?<numeric>[./-])(?<month>\d{1,2})[./-](?<year>\d{4})(?!\d)/gu,
  /(?<!\d)(?<year>\d{2}|\d{4})\s?[년年]\s*(?<month>\d{1,2})\s?[월月](?:\s*(?<day>\d{1,2})\s?[일日])?/gu,
  /(?<=['’‘′(])(?<year>\d{2})\.\s?(?<month>\d{1,2})(?:\.\s?(?<day>\d{1,2}))?[월.](?!\s?\d)/gu,
  /(?<![\d.])(?<year>\d{4})\.\s?(?<month>\d{1,2})[.월](?!\s?\d)/gu,
  /(?<!\d)(?<month>\d{1,2})(?=월?\s?[~∼-]\s?\d{1,2}월)/gu,
  /(?<!\d)(?<month>\d{1,2})\s?[월月]\s*(?<day>\d{1,2})\s?[일日]/gu,
  new RegExp(`${START}(?:${FIRST})?${DAY}(?:\\s+of)?[\\s-]+${MONTH}(?:(?:,|\\s+of)?[\\s-]+${YEAR})?`, 'giu'),
  new RegExp(`${START}${MONTH}\\s+${DAY}${LAST}(?:,?\\s+${YEAR})?(?![\\d]|\\.\\d|,\\d)`, 'giu'),
  new RegExp(`${START}${MONTH}(?:,|\\s+of)?\\s+${YEAR}`, 'giu'),
  /(?<![\d.])(?<month>\d{1,2})월(?!\d)/gu,
];
const LONE_MONTH =
  /(?<!^|[.!?:]\s|[\p{L}\d])(?<month>January|February|March|April|May|June|July|August|September|October|November|December)(?![\p{L}\d'’])/gu;
const WEEKDAY = /(?<![\p{L}])(?<weekday>Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)days?(?!\p{L})/gu;
const KOREAN_WEEKDAY = /(?<weekday>[월화수목금토일])요일/gu;

/** The dates of a text, in order. */
export function readDates(text: string): readonly ReadDate[] {
  const found: ReadDate[] = [];
  let rest = text;
  for (const form of [...FORMS, LONE_MONTH, WEEKDAY, KOREAN_WEEKDAY]) {
    const read = [...rest.matchAll(form)]
      .map(({ 0: all, index, groups }) => ({ start: index, end: index + all.length, dates: datesOf(groups ?? {}) }))
      .filter(({ dates }) => dates.length > 0);
    found.push(...read);
    rest = spacedOut(rest, read);
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function datesOf(groups: Readonly<Record<string, string | undefined>>): ReadDate['dates'] {
  const weekday = groups['weekday'];
  if (weekday !== undefined) {
    const korean = KOREAN_WEEKDAYS.indexOf(weekday);
    return [[{ weekday: (korean === -1 ? WEEKDAYS.indexOf(weekday.slice(0, 3).toLowerCase()) : korean) + 1 }]];
  }
  const year = numberOf(groups['year']);
  const month = monthOf(groups['month'] ?? '');
  const days = [groups['first'], groups['day'], groups['last']].map(numberOf).filter((day) => day !== undefined);
  const dates = (days.length === 0 ? [undefined] : days).map((day) => {
    const turned = groups['numeric'] === undefined ? [] : [{ year, month: day, day: month }];
    return [{ year, month, day }, ...turned].filter(isPossible);
  });
  return dates.every((readings) => readings.length > 0) ? dates : [];
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

/** Whether a passage that contains these dates and years contains this date. */
export function isGiven(
  date: CalendarDate,
  dates: readonly CalendarDate[],
  hasYear: (year: number) => boolean,
): boolean {
  return dates.some(
    (given) =>
      given.weekday === date.weekday &&
      agrees(date.month, given.month) &&
      agrees(date.day, given.day) &&
      (date.year === undefined || (given.year === undefined ? hasYear(date.year) : isSameYear(date.year, given.year))),
  );
}

/** `'24` is 2024. */
function isSameYear(a: number, b: number): boolean {
  return a === b || (Math.min(a, b) < 100 && a % 100 === b % 100);
}

function agrees(wanted: number | undefined, given: number | undefined): boolean {
  return wanted === undefined || wanted === given;
}
