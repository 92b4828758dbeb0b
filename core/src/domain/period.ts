import type { JsonValue } from './json.ts';

/** A period of time, from `start` up to but not including `end`. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

const FORM =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s?([Zz]|[+-]\d\d:\d\d)?)?)?)?$/;
const SECOND_MS = 1000;

/**
 * Parses a year, a month, a day or a time into the period it covers: `2026`, `2026-01`, `2026-01-02`, `2026-01-02T10:30`,
 * `2026-01-02T10:30:00Z`. Without an offset it is local wall-clock time. Undefined for anything else, and for days and times that do not
 * exist.
 */
export function readPeriod(text: string): Period | undefined {
  const match = FORM.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, offset] = match;
  const y = Number(year);
  const m = Number(month ?? 1) - 1;
  const d = Number(day ?? 1);
  const dayStart = localTime(y, m, d);
  if (dayStart.getFullYear() !== y || dayStart.getMonth() !== m || dayStart.getDate() !== d) return undefined;
  if (month === undefined) return { start: dayStart, end: localTime(y + 1, 0, 1) };
  if (day === undefined) return { start: dayStart, end: localTime(y, m + 1, 1) };
  if (hour === undefined || minute === undefined) return { start: dayStart, end: localTime(y, m, d + 1) };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 60) return undefined;
  const start = momentOf({ dayStart, hour, minute, second, fraction, offset, day: `${year}-${month}-${day}` });
  if (Number.isNaN(start.getTime())) return undefined;
  const lengthMs = second === undefined ? 60 * SECOND_MS : fraction === undefined ? SECOND_MS : 1;
  return { start, end: new Date(start.getTime() + lengthMs) };
}

interface ClockTime {
  readonly dayStart: Date;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string | undefined;
  readonly fraction: string | undefined;
  readonly offset: string | undefined;
}

function momentOf({ dayStart, day, hour, minute, second = '00', fraction = '0', offset }: ClockTime): Date {
  const seconds = second === '60' ? '59' : second; // a leap second
  const ms = fraction.padEnd(3, '0').slice(0, 3);
  if (offset !== undefined) return new Date(`${day}T${hour}:${minute}:${seconds}.${ms}${offset.toUpperCase()}`);
  const moment = new Date(dayStart);
  moment.setHours(Number(hour), Number(minute), Number(seconds), Number(ms));
  return moment;
}

function localTime(year: number, month: number, day: number): Date {
  const date = new Date(2000, month, day);
  date.setFullYear(year, month, day); // the Date constructor maps the years 0 to 99 to 1900 to 1999
  return date;
}

/** A relative time: `3d`, `2w`, `6m`, `1y`. */
export interface Ago {
  readonly count: number;
  readonly unit: 'd' | 'w' | 'm' | 'y';
}

const AGO = /^(\d{1,4})\s?(?:(d)(?:ays?)?|(w)(?:eeks?)?|(m)(?:onths?)?|(y)(?:ears?)?)$/i;

/** Parses a relative time in days, weeks, months or years: `2w`, `3 days`, `yesterday`. Undefined for anything else. */
export function readAgo(text: string): Ago | undefined {
  const word = text.trim().toLowerCase();
  if (word === 'today') return { count: 0, unit: 'd' };
  if (word === 'yesterday') return { count: 1, unit: 'd' };
  const match = AGO.exec(word);
  if (match === null) return undefined;
  const [, count, ...units] = match;
  return { count: Number(count), unit: units.find((unit) => unit !== undefined) as Ago['unit'] };
}

/** The local day that a relative time refers to: a whole day, so that a search repeated later on the same day means the same. */
export function dayOf({ count, unit }: Ago, now: Date): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const back = {
    d: () => localTime(year, month, day - count),
    w: () => localTime(year, month, day - 7 * count),
    m: () => localTime(year, month - count, Math.min(day, daysIn(year, month - count))),
    y: () => localTime(year - count, month, Math.min(day, daysIn(year - count, month))),
  };
  const start = back[unit]();
  return { start, end: localTime(start.getFullYear(), start.getMonth(), start.getDate() + 1) };
}

function daysIn(year: number, month: number): number {
  return localTime(year, month + 1, 0).getDate();
}

/** The front matter keys that date a document, most specific first. A `created` date does not count: the content may be newer. */
const DATE_KEYS = ['updated', 'modified', 'lastmod', 'date'] as const;

const MIDNIGHT_UTC = 'T00:00:00.000Z';

/**
 * The date that filters compare: the first of the front matter keys `updated`, `modified`, `lastmod` and `date`, else the time of the last
 * change of the content (`updatedAt`: the key `updated_at`, the date inside a PDF, or the time of the file). A date without a time is that
 * day in local time, wherever it was written.
 */
export function documentDate(user: Readonly<Record<string, JsonValue>>, updatedAt: Date): Date {
  for (const key of DATE_KEYS) {
    const value = user[key];
    const stated = typeof value === 'string' ? readPeriod(value) : undefined;
    if (stated !== undefined) return stated.start;
  }
  const iso = updatedAt.toISOString();
  return iso.endsWith(MIDNIGHT_UTC) ? (readPeriod(iso.slice(0, -MIDNIGHT_UTC.length))?.start ?? updatedAt) : updatedAt;
}
