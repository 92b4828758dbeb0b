import type { TextRange } from '@kebab/core';
import { clockHour } from './number-words.ts';
import { blanked } from './sorted-ranges.ts';

/** A time of day; `half` is null where the text does not name the half of the day, `minute` where it has hours alone. */
export interface ReadTime extends TextRange {
  /** 0 to 24, with the half of the day applied. */
  readonly hour: number;
  readonly minute: number | null;
  readonly half: 'am' | 'pm' | null;
  /** Whether it is in words, and may be of the morning or the evening: `half past four`. */
  readonly isSpoken?: boolean;
}

/** The part of the day before or behind a time, by the half it lies in. */
const MORNING =
  "a|오전|아침|새벽|午前|上午|早上|清晨|凌晨|早朝|朝|in the morning|morgens|früh|vormittags|du matin|de la mañana|de la madrugada|di mattina|del mattino|da manhã|'s ochtends|утра|ночи|rano";
const AFTERNOON =
  "p|오후|저녁|밤|午後|下午|晚上|傍晚|夕方|夜|in the (?:afternoon|evening)|at night|nachmittags|abends|nachts|de l['’]après-midi|du soir|de la tarde|de la noche|del pomeriggio|di sera|da tarde|da noite|'s (?:middags|avonds)|дня|вечера|wieczorem|po południu";
const IS_AFTERNOON = new RegExp(`^(?:${AFTERNOON})$`, 'iu');
const EAST_PART = '오전|오후|아침|저녁|밤|새벽|午前|午後|上午|下午|早上|晚上|清晨|凌晨|傍晚|朝|夜|夕方';
/** Before the hour, or before the one that a range begins with: `오후 3시부터 9시까지`. */
const EAST =
  `(?:(?<before>${EAST_PART})\\s*|` +
  `(?<=(?<ranged>${EAST_PART})\\s*(?<from>\\d{1,2})(?:[시時时点點:](?:\\s?\\d{1,2}[분分]?)?)\\s?(?:부터|에서|から|到|至|[~〜～–-])\\s?)|)`;
const BEHIND = `(?:,?\\s(?<half>${[MORNING, AFTERNOON].join('|').replaceAll(/(?:^|(?<=\|))[ap]\|/gu, '')})(?!\\p{L}))`;
/** An hour, also in words, with which a part of the day or a clock stands. */
const HOUR = '(?<h>\\d{1,2}|\\p{L}{2,20})';
/** Words for the minutes before or behind an hour, beside those for numbers. */
const MINUTES: Readonly<Record<string, number>> = {
  ...Object.fromEntries('quarter viertel quart cuarto quarto kwart'.split(' ').map((word) => [word, 15])),
  ...Object.fromEntries('half demie media mezza mezzo meia'.split(' ').map((word) => [word, 30])),
};
const STEP = '(?<step>\\p{L}{2,20})';
/** What stands before a time alone. */
const AT = /(?:^|\s)(?:um|gegen|las?|à|alle|às)\s$/iu;

/** Forms of times, most complete first. */
const FORMS: readonly RegExp[] = [
  new RegExp(
    `${EAST}(?<![\\d:])(?<h>\\d{1,2}):(?<m>\\d{2})(?::\\d{2})?(?![\\d:])(?:\\s?(?<half>[ap])\\.?m\\b|${BEHIND.replace('half', 'later')})?`,
    'giu',
  ),
  /(?<![\d:.,])(?<h>\d{1,2})(?:\.(?<m>\d{2}))?\s?(?<half>[ap])\.?\s?m\b\.?/giu,
  new RegExp(
    `${EAST}(?<!\\d)(?<h>\\d{1,2})(?:시(?!간)|時(?!間)|时|[点點])(?:\\s*(?<m>\\d{1,2})[분分]|\\s?(?<past>반|半))?`,
    'gu',
  ),
  new RegExp(`(?<!\\p{L})${STEP} (?:past|(?<to>to|vor|voor)|nach|over) ${HOUR}(?!\\p{L}|\\d)${BEHIND}?`, 'giu'),
  new RegExp(
    `(?<![\\p{L}\\d])${HOUR}(?:\\s?h(?:eures?)?)? (?:et|y|e|(?<to>moins|menos|meno)) (?:le |un )?${STEP}(?!\\p{L})${BEHIND}?`,
    'giu',
  ),
  new RegExp(
    `(?<![\\p{L}\\d:.,])${HOUR}(?:\\.(?<m>\\d{2}))?(?:\\s?Uhr(?:\\s(?<m2>\\d{2}))?|\\so['’]clock)(?!\\p{L})${BEHIND}?`,
    'giu',
  ),
  new RegExp(`(?<![\\d:.,])(?<h>\\d{1,2})\\s?h\\s?(?<m>\\d{2})(?![\\d\\p{L}])${BEHIND}?`, 'giu'),
  new RegExp(`(?<![\\p{L}\\d:.,])${HOUR}(?:\\s?(?:h|heures?|horas?|ore))?${BEHIND}`, 'giu'),
  /(?<=(?<!\p{L})(?:à|às|las|dès|vers|entre|entre \d{1,2}\s?h et|jusqu['’]à) )(?<h>\d{1,2})\s?h(?![\p{L}\d])|(?<=(?<!\p{L})de )(?<h2>\d{1,2})\s?h(?=\s?(?:à|-|–))/giu,
  /(?<=(?<!\p{L})(?:à|às|vers|om|tot|jusqu['’]à) )(?<h>\d{1,2})\s?(?:heures?|horas?|uur)(?:\s(?<m>\d{2}))?(?!\p{L})/giu,
  /(?<![\d:.,])(?<h>\d{1,2})\.(?<m>[0-5]\d)\s?uur(?!\p{L})/giu,
  // A point here is none of a fraction: these languages write that with a comma.
  /(?<=(?<!\p{L})(?:d?alle(?: ore)?|le|ore|godz\.|godzin(?:ie|y)|saat|в) )(?<h>\d{1,2})\.(?<m>\d{2})(?![\d.,]|\s?[€$%₽₺])/giu,
  /(?<!\p{L})(?<noon>noon|midday|midi|mediodía|mezzogiorno|meio-dia|полдень|полудня|południe)(?!\p{L})|(?<midnight>(?<!\p{L})(?:midnight|Mitternacht|minuit|medianoche|mezzanotte|meia-noite|middernacht|полночь|полуночи|północ[y]?)(?!\p{L}))|(?<east>정오|正午|中午(?!\d)|자정|午夜)/giu,
];

/** The forms with words, which a text without any of these lacks. */
const SPOKEN: ReadonlySet<RegExp> = new Set(FORMS.filter(({ source }) => source.includes(HOUR)));
const SPOKEN_TIME = new RegExp(
  `quarter|past|viertel|um|las?|à|alle|às|Uhr|clock|${BEHIND.replace('?<half>', '?:')}`,
  'iu',
);

/** The times of a text. */
export function readTimes(text: string): readonly ReadTime[] {
  const found: ReadTime[] = [];
  let rest = text;
  const isSpoken = SPOKEN_TIME.test(text);
  for (const form of FORMS) {
    if (!isSpoken && SPOKEN.has(form)) continue;
    const times = timesOf(rest, form);
    found.push(...times);
    rest = blanked(rest, times);
  }
  return found;
}

/** The times that one form finds in a text, in order. */
function timesOf(text: string, form: RegExp): readonly ReadTime[] {
  return [...text.matchAll(form)].flatMap(({ 0: all, index, groups = {} }): readonly ReadTime[] => {
    const range = { start: index, end: index + all.length };
    if (groups['noon'] !== undefined || /^(?:정오|正午|中午)$/u.test(all))
      return [{ ...range, hour: 12, minute: 0, half: 'pm' }];
    if (groups['midnight'] !== undefined || groups['east'] !== undefined)
      return [{ ...range, hour: 0, minute: 0, half: 'am' }];
    const said = (groups['h'] ?? groups['h2'] ?? '').toLowerCase();
    const written = /^\d/.test(said) ? Number(said) : (clockHour(said) ?? Infinity);
    const isTo = groups['to'] !== undefined;
    const word = groups['step']?.toLowerCase();
    const step = word === undefined ? undefined : (MINUTES[word] ?? clockHour(word) ?? Infinity);
    const past = groups['past'] === undefined ? step : 30;
    const digits = groups['m'] ?? groups['m2'];
    const minute = past === undefined ? (digits === undefined ? null : Number(digits)) : isTo ? 60 - past : past;
    if (written > 24 || Math.abs(minute ?? 0) > 59) return [];
    const ranged = written > Number(groups['from']) ? groups['ranged'] : undefined;
    const named = groups['before'] ?? groups['half'] ?? groups['later'] ?? ranged;
    // `ten to twelve` may be a range.
    const isTime = step === undefined || /quarter|past|viertel/iu.test(all) || AT.test(text.slice(0, index));
    if (!isTime && named === undefined) return [];
    const half = named === undefined ? null : IS_AFTERNOON.test(named) ? 'pm' : 'am';
    const spoken = isTo ? written - 1 : written;
    const hour = half === 'pm' && spoken < 12 ? spoken + 12 : half === 'am' && spoken === 12 ? 0 : spoken;
    return [{ ...range, hour, minute, half, isSpoken: past !== undefined && half === null }];
  });
}
