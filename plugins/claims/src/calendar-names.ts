/** The names of months, apart from English ones and from names that contain digits, and of weekdays in the languages whose texts are recognised. */
export interface CalendarNames {
  /** The months, from 1, that a name may mean: `listopad` is November in Polish and Czech, and October in Croatian. */
  readonly months: (name: string) => readonly number[];
  /** Whether a month is written like that inside a sentence: `mars`, not `Mars`. */
  readonly isWritten: (name: string) => boolean;
  /** The months of an abbreviation, which may also be an ordinary word: `out.` is October in Portuguese. */
  readonly abbreviations: (name: string) => readonly number[];
  /** The weekday, from 1 for Monday; null if a name is none, or several. */
  readonly weekday: (name: string) => number | null;
}

const LANGUAGES = 'en de fr es it pt nl sv da no fi pl cs sk hu ro tr id ca hr sl et lt lv ru uk be bg sr el'.split(
  ' ',
);
/** Weekdays whose names are ordinary words too: `minggu` is a week, `pazar` a market. */
const NO_WEEKDAYS = new Set(['id', 'tr']);
/** Catalan months are formatted with it. */
const PREPOSITION = /^(?:de |d['’])/u;
const YEAR = 2021;

let known: CalendarNames | null = null;

/** The names that the locale data of Node contains. Collected on first use, which takes some 50 ms. */
export function calendarNames(): CalendarNames {
  known ??= collected();
  return known;
}

function collected(): CalendarNames {
  const months = new Map<string, Set<number>>();
  const abbreviations = new Map<string, Set<number>>();
  const weekdays = new Map<string, Set<number>>();
  const written = new Set<string>();
  const add = (names: Map<string, Set<number>>, name: string | undefined, value: number): void => {
    const folded = foldedName(name ?? '');
    written.add((name ?? '').replace(PREPOSITION, ''));
    if (/^\p{L}{3,}$/u.test(folded)) names.set(folded, (names.get(folded) ?? new Set()).add(value));
  };
  for (const language of LANGUAGES) {
    const nominative = partsOf(language, { month: 'long' });
    const dated = partsOf(language, { month: 'long', day: 'numeric' });
    const short = partsOf(language, { month: 'short', day: 'numeric' });
    for (let month = 1; month <= 12; month++) {
      add(months, nominative(month, 1, 'month'), month);
      add(months, dated(month, 1, 'month'), month);
      add(abbreviations, short(month, 1, 'month'), month);
    }
    const named = NO_WEEKDAYS.has(language) ? null : partsOf(language, { weekday: 'long' });
    // 1 February 2021 was a Monday.
    for (let day = 1; day <= 7; day++) {
      const name = named?.(2, day, 'weekday') ?? '';
      // `samstags`, `sábados`
      for (const form of [name, `${name}s`]) add(weekdays, form, day);
    }
  }
  return {
    months: (name) => [...(months.get(foldedName(name)) ?? [])],
    isWritten: (name) => written.has(name.normalize('NFC')),
    abbreviations: (name) => [...(abbreviations.get(foldedName(name)) ?? [])],
    weekday: (name) => {
      const days = [...(weekdays.get(foldedName(name)) ?? [])];
      return days.length === 1 ? (days[0] ?? null) : null;
    },
  };
}

/** Weekdays of Korean, Japanese and Chinese, whose names stand inside runs of characters: `화요일`, `火曜日`, `周二`, `星期二`, `礼拜二`. */
export const EAST_ASIAN_WEEKDAY =
  /(?<hangul>[월화수목금토일])요일|(?<kanji>[月火水木金土日])曜日?|(?:星期|礼拜|禮拜|周|週)(?<han>[一二三四五六日天])(?!次|遍|回|小时|個|个)/gu;

/** Saturday and Sunday in one word. */
export const WEEKEND =
  /(?<!\p{L})(?:weekends?|wochenenden?|week-ends?|fin(?:es)? de semana|fins? de semana|fine settimana|выходны[ех])(?!\p{L})|주말|週末|周末|土日/giu;

/** The weekday, from 1 for Monday, of the character that names it. */
export function eastAsianWeekday({ hangul, kanji, han }: Readonly<Record<string, string | undefined>>): number {
  const name = hangul ?? kanji ?? han?.replace('天', '日') ?? '';
  return (
    ['월화수목금토일', '月火水木金土日', '一二三四五六日']
      .map((names) => names.indexOf(name) + 1)
      .find((day) => day > 0) ?? 0
  );
}

/** Formats a date in a language and returns one part of it. */
function partsOf(
  language: string,
  options: Intl.DateTimeFormatOptions,
): (month: number, day: number, type: 'month' | 'weekday') => string | undefined {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return (month, day, type) =>
    format.formatToParts(Date.UTC(YEAR, month - 1, day)).find((part) => part.type === type)?.value;
}

function foldedName(name: string): string {
  return name.normalize('NFC').replace(PREPOSITION, '').toLowerCase().replace(/\.$/, '');
}
