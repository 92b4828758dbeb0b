import type { TextRange } from '@kebab/core';
import { readNumberWords, readOften } from './number-words.ts';
import { FACTORS, unitAt, type UnitAt } from './units.ts';
import { readFractions, type ReadFraction } from './read-fractions.ts';
import { readTimes, type ReadTime } from './read-times.ts';
import { EAST_ASIAN_POWERS, letterScaleAt, scaleAt } from './scale-words.ts';
import { blanked, rangeAt, rangeOf } from './sorted-ranges.ts';

/**
 * A number in a text. It has one of the alternatives, with all of its values: `3,5` is a decimal or an enumeration of two. Values are
 * canonical decimals, times as `t10:30`, fractions as `f3/4`, versions and codes as `#1.2.3` and `#f16`.
 */
export interface ReadNumber extends TextRange {
  readonly alternatives: readonly (readonly string[])[];
  /** The reading under the other separator convention: `1,500` as 1.5. It matches only another number that can be read in the same way. */
  readonly otherwise?: readonly string[];
  readonly unit: UnitAt | null;
  /** The number before its scale when it has one: `3.5` of `3.5 million`. */
  readonly unscaled: string | null;
}

const DIGITS = String.raw`\d+(?:[.,'’\u00a0\u202f]\d+)*`;
/** Any number; the group captures what follows its first digits if those precede a scale. */
const EAST_ASIAN = new RegExp(
  `${DIGITS}([십백천만억조百千万萬億亿兆]+(?:\\s?${DIGITS}[십백천만억조百千万萬億亿兆]+)*(?:${DIGITS})?)?`,
  'gu',
);
const SPACED = /(?<![\d.,])\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d])/gu;
/** A possible code: a run of letters and digits with the marks that join them. */
const CODE = /(?<![\p{L}\p{N}_])[\p{Script=Latin}\d]+(?:[-._]+[\p{Script=Latin}\d]+)*/gu;
/** A word in any script up to its last digit; a code begins before that. */
const UP_TO_DIGIT = /(?<![\p{L}\d._-])[\p{L}\d._-]*\d/gu;
/** How far from a number its unit may be. */
const UNIT_REACH = 64;
const ORDINAL = /^(\d+(?:,\d{3})*)(?:st|nd|rd|th|s|'s|x)$/iu;
/** The first year of `1990–95`. */
const YEARS_TO = /^(1\d|20)\d{2}[-–/]$/;
const NUMBER = new RegExp(DIGITS, 'gu');
/** Languages that write decimals with commas and thousands with full stops. */
const COMMA_LANGUAGES = new Set(['de', 'es', 'it', 'pt', 'nl', 'tr', 'da', 'id', 'el']);
/** `3.2 × 10^2` */
const SCIENTIFIC =
  /(?<![\d.,])(\d+(?:[.,]\d+)?)\s?(?:[×x·*]|\\times)\s?10(?:\^|\*\*)?\{?([-−]?\d{1,2}|⁻?[⁰¹²³⁴-⁹]{1,2})\}?(?!\d)/gu;
/** What joins an amount in two units. */
const AND = /^\s?(?:(?:and|und|et|y|e|en|i|и|och|og|ve|و)\s?)?$/u;
/** `8 Euro 50` */
const PRICE = /(?<![\d.,])(\d+)\s?(?:€|euros?|dollars?|francs|franken)\s(\d{2})(?![\d.,:])/giu;
/** The numbers of a text in order, in digits and in words. Digits must be plain; dates must be blanked out before. */
export function readNumbers(text: string, language = 'en'): readonly ReadNumber[] {
  const found: ReadNumber[] = [];
  const decimalCommas = hasDecimalCommas(text) || COMMA_LANGUAGES.has(language);
  let rest = text;
  const take = (
    matches: Iterable<RegExpExecArray>,
    read: (match: RegExpExecArray, before: ReadNumber | undefined) => ReadNumber | null,
  ): void => {
    const taken: ReadNumber[] = [];
    for (const match of matches) {
      const number = read(match, taken.at(-1));
      if (number !== null) taken.push(number);
    }
    for (const number of taken) found.push(number);
    rest = blanked(rest, taken);
  };
  const often = readOften(rest).map(({ value, ...range }) => ({
    ...withoutUnit(range, [[String(value)]]),
    unit: { means: ['times'], written: rest.slice(range.start, range.end), ...range },
  }));
  rest = blanked(rest, often);
  const times = readTimes(rest).map(timeNumber);
  rest = blanked(rest, times);
  const fractions = readFractions(rest).flatMap((each) => fractionNumber(each, text));
  rest = blanked(rest, fractions);
  found.push(...often, ...times, ...fractions);
  take(rest.matchAll(SCIENTIFIC), ({ 0: all, 1: digits = '', 2: power = '', index }) => {
    const exponent = Number(power.normalize('NFKC').replace(/[−⁻]/u, '-'));
    const value = Number((Number(digits.replace(',', '.')) * 10 ** exponent).toPrecision(12));
    return withUnit({ start: index, end: index + all.length }, canonical(String(value)), text);
  });
  take(rest.matchAll(PRICE), ({ 0: all, 1: whole = '', 2: cents = '', index }) => {
    const end = index + all.length;
    // `8 euros 50 minutes`
    if ((unitAt(text, index, end)?.end ?? 0) > end) return null;
    return { ...withUnit({ start: index, end: index + whole.length }, canonical(`${whole}.${cents}`), text), end };
  });
  take(eastAsian(rest), ({ 0: all, index }) => readEastAsian(all, index, text));
  take(codes(rest), ({ 0: all, index }, before) => {
    const from = Math.max(0, index - UNIT_REACH);
    const around = rest.slice(from, index + all.length + UNIT_REACH);
    const blank = Math.max(0, (before?.end ?? 0) - from);
    return readCode(all, index, ' '.repeat(blank) + around.slice(blank), index - from);
  });
  take(rest.matchAll(SPACED), ({ 0: all, index }) => {
    const digits = all.replace(',', '.');
    const values = [[canonical(digits.replaceAll(' ', ''))], digits.split(' ').map(canonical)];
    return plainNumber({ start: index, end: index + all.length }, { values, otherwise: [] }, text);
  });
  take(rest.matchAll(NUMBER), ({ 0: all, index }) =>
    plainNumber({ start: index, end: index + all.length }, readingsOf(all, decimalCommas), text),
  );
  for (const word of readNumberWords(rest)) found.push(withUnit(word, canonical(String(word.value)), text));
  const joined: ReadNumber[] = [];
  for (const number of found.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    const compound = last === undefined ? null : compoundOf(last, number, text);
    if (compound === null) joined.push(number);
    else joined[joined.length - 1] = compound;
  }
  return joined;
}

/** Two amounts as one in the smaller unit: `1 hour 20 minutes`, `1 m 90 cm`; null for two amounts of their own. */
function compoundOf(large: ReadNumber, small: ReadNumber, text: string): ReadNumber | null {
  const [[whole], [rest]] = [large, small].map(({ alternatives }) => alternatives.flat().map(Number)) as [
    number[],
    number[],
  ];
  if (whole === undefined || rest === undefined || !AND.test(text.slice(large.end, small.start))) return null;
  for (const unit of small.unit?.means ?? []) {
    const [measure, size = 1] = FACTORS.get(unit) ?? [];
    const factors = (large.unit?.means ?? []).flatMap((each) =>
      FACTORS.get(each)?.[0] === measure ? [(FACTORS.get(each)?.[1] ?? 0) / size] : [],
    );
    const factor = factors.find((each) => each > 1 && rest < each);
    if (measure !== undefined && measure !== 'money' && factor !== undefined && Number.isInteger(whole))
      return { ...small, start: large.start, alternatives: [[canonical(String(whole * factor + rest))]] };
  }
  return null;
}

/** A number of one value with the unit behind it or before it. */
function withUnit({ start, end }: TextRange, value: string, text: string): ReadNumber {
  const unit = unitAt(text, start, end);
  return { start: unit?.start ?? start, end: unit?.end ?? end, alternatives: [[value]], unit, unscaled: null };
}

/** A number without a unit. */
function withoutUnit({ start, end }: TextRange, alternatives: ReadNumber['alternatives']): ReadNumber {
  return { start, end, alternatives, unit: null, unscaled: null };
}

/** Every number with an East Asian scale, except digits that continue a Latin word: of `a5,2만` only `2만`. */
function* eastAsian(text: string): Generator<RegExpExecArray> {
  const pattern = new RegExp(EAST_ASIAN);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (/\p{Script=Latin}$/u.test(text.slice(Math.max(0, match.index - 2), match.index)))
      pattern.lastIndex = match.index + (/^\d+/.exec(match[0])?.[0].length ?? 1);
    else if (match[1] !== undefined) yield match;
  }
}

/** Every word with a Latin letter that contains a digit. */
function* codes(text: string): Generator<RegExpExecArray> {
  const upToDigit = [...text.matchAll(UP_TO_DIGIT)].map(rangeOf);
  for (const match of text.matchAll(CODE))
    if (/\p{Script=Latin}/u.test(match[0]) && rangeAt(upToDigit, match.index) !== undefined) yield match;
}

function timeNumber({ hour, minute, half, isSpoken = false, ...range }: ReadTime): ReadNumber {
  const parts = [String(hour), ...(minute === null ? [] : [String(minute)])];
  const [time, later] = [hour, hour + 12].map((each) => `t${each}:${String(minute ?? 0).padStart(2, '0')}`) as [
    string,
    string,
  ];
  return withoutUnit(range, [[time], ...(isSpoken ? [[later]] : []), ...(half === null ? [parts] : [])]);
}

function fractionNumber(
  { start, end, above, below, isLoose, unitFrom }: ReadFraction,
  text: string,
): readonly ReadNumber[] {
  const divisor = divisorOf(above, below);
  const decimal = canonical(String(above / below));
  const unit = unitAt(text, start, unitFrom ?? end);
  if (unit === null && unitFrom !== undefined) return [];
  const number = {
    start: unit?.start ?? start,
    end: Math.max(unit?.end ?? end, end),
    alternatives: [
      [`f${above / divisor}/${below / divisor}`],
      ...(/^\d+(?:\.\d{1,3})?$/.test(decimal) ? [[decimal]] : []),
      ...(isLoose ? [[String(above), String(below)]] : []),
    ],
    unit,
    unscaled: null,
  };
  return [number];
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b);
}

/** `1조 3,000억` is one number: the digits before 만, 억 or 조 are multiplied. */
function readEastAsian(all: string, start: number, text: string): ReadNumber {
  let total = 0n;
  let section = 0n;
  const parts = [...all.matchAll(new RegExp(`(${DIGITS})([십백천만억조百千万萬億亿兆]*)`, 'gu'))];
  for (const [, digits = '', scales = ''] of parts) {
    const powers = Array.from(scales, (scale) => EAST_ASIAN_POWERS[scale] ?? 0);
    const small = powers.filter((power) => power < 4).reduce((sum, power) => sum + power, 0);
    const great = powers.filter((power) => power >= 4).reduce((sum, power) => sum + power, 0);
    const value = valueOf(digits);
    if (great > 0) {
      total += section * 10n ** BigInt(great) + wholeOf(shifted(value, small + great));
      section = 0n;
    } else section += wholeOf(shifted(value, small));
  }
  const [, digits = ''] = parts[0] ?? [];
  const number = withUnit({ start, end: start + all.length }, String(total + section), text);
  return { ...number, unscaled: parts.length === 1 ? valueOf(digits) : null };
}

function valueOf(digits: string): string {
  const value = readingsOf(digits, false).values[0]?.[0] ?? '0';
  return value.startsWith('#') ? '0' : value;
}

function wholeOf(decimal: string): bigint {
  return BigInt(decimal.split('.')[0] ?? '0');
}

/** Letters and digits in one word: `10th`, `1990s`, `5km`, else a code such as `F-16` or `v1.2`. */
function readCode(all: string, start: number, text: string, at: number): ReadNumber | null {
  const range = { start, end: start + all.length };
  const ordinal = ORDINAL.exec(all);
  if (ordinal !== null) return withoutUnit(range, readingsOf(ordinal[1] ?? '', false).values);
  const digits = new RegExp(`^${DIGITS}`, 'u').exec(text.slice(at))?.[0];
  // What remains when a number and its unit are separated is a number: `5km`, `3.5m`, `330-m`, `10-year`.
  if (digits !== undefined) {
    const end = at + digits.length;
    if (unitAt(text, at, end) !== null || letterScaleAt(text, end) !== null) return null;
    if (/^-\p{L}{3,}/u.test(text.slice(end)) || scaleAt(text, end) !== null) return null;
  }
  return withoutUnit(range, [[`#${codeOf(all)}`]]);
}

/** A code without the marks that join its parts. */
export function codeOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '');
}

function plainNumber(range: TextRange, { values, otherwise }: Readings, text: string): ReadNumber {
  const century = YEARS_TO.exec(text.slice(Math.max(0, range.start - 5), range.start))?.[1];
  if (century !== undefined && /^\d{2}$/.test(text.slice(range.start, range.end)))
    return withoutUnit(range, [[century + text.slice(range.start, range.end)]]);
  const letter = letterScaleAt(text, range.end);
  const isPriced = unitAt(text, range.start, range.start) !== null;
  // Attached without a currency, capitals may mean something else: `3M`, `300K`.
  const isScale = letter !== null && (isPriced || (letter.length === 1 && /[KMBk]/.test(letter.name)));
  const scale = scaleAt(text, range.end) ?? (isScale ? letter : null);
  const isLoose = scale !== null && /^[KMB]$/.test(scale.name) && !isPriced;
  const numberEnd = range.end + (scale?.length ?? 0);
  const unit = unitAt(text, range.start, numberEnd);
  const sign = isNegative(text, unit?.start ?? range.start) ? '-' : '';
  const readings = values.flatMap((each) => (each.length === 1 ? each : []));
  const head = { start: unit?.start ?? range.start, end: unit?.end ?? numberEnd, unit };
  const scaled = (value: string): string => sign + (scale === null ? value : shifted(value, scale.power));
  const rivals = otherwise.length === 0 ? {} : { otherwise: otherwise.map(scaled) };
  if (scale !== null && readings[0] !== undefined) {
    const alternatives = [...readings.map(scaled), ...(isLoose ? readings.map((value) => sign + value) : [])];
    return { ...head, ...rivals, alternatives: alternatives.map((value) => [value]), unscaled: readings[0] };
  }
  const signed = sign === '' ? values : values.map((each) => (each.length === 1 ? [sign + (each[0] ?? '')] : each));
  return { ...head, ...rivals, alternatives: signed, unscaled: null };
}

/** A minus sign, not the dash of a range, of a list or inside a word. */
function isNegative(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 8), start);
  return /(?:^|[\s(=:~])[-−]$/u.test(before)
    ? !/(?:\d\s*|^\s*|\n\s*)[-−]$/u.test(before)
    : /(?:minus|영하)\s$/iu.test(before) ||
        (/(?:지하|地下)\s?$/u.test(before) && /^\d{1,2}\s?[층階层層樓楼]/u.test(text.slice(start)));
}

/** The readings of digits with separators. */
interface Readings {
  readonly values: readonly (readonly string[])[];
  /** For one separator before three digits: the reading under the other convention. */
  readonly otherwise: readonly string[];
}

/** Thousands or a decimal, depending on the convention. */
const AMBIGUOUS = /^([1-9]\d{0,2})([.,])(\d{3})$/;

/**
 * Digits with separators: the readings under the conventions of the text, and under others. Unless the text uses decimal commas, a comma
 * separates thousands.
 */
function readingsOf(token: string, decimalCommas: boolean): Readings {
  const [, whole = '', separator, rest = ''] = AMBIGUOUS.exec(token) ?? [];
  if (separator === undefined) return { values: alternativesOf(token, decimalCommas), otherwise: [] };
  const thousands = canonical(whole + rest);
  const decimal = canonical(`${whole}.${rest}`);
  if (decimalCommas)
    return { values: separator === '.' && rest === '000' ? [[thousands]] : [[thousands], [decimal]], otherwise: [] };
  if (separator === ',') return { values: [[thousands]], otherwise: [decimal] };
  // A measurement to the thousandth does not end in zeros: `4.200` is probably thousands.
  if (rest.endsWith('00')) return { values: [[decimal], [thousands]], otherwise: [] };
  return { values: [[decimal]], otherwise: [thousands] };
}

/** Whether a text uses decimal commas, as most of Europe does. */
function hasDecimalCommas(text: string): boolean {
  if (/\d\.\d{3},\d/.test(text)) return true;
  return /\d,\d{1,2}(?![\d,])/.test(text) && !/\d\.\d{1,2}(?![\d.])|\d,\d{3}(?!\d)/.test(text);
}

/** Every reading of a number with separators. */
function alternativesOf(token: string, decimalCommas: boolean): readonly (readonly string[])[] {
  if (/^\d+$/.test(token)) return [[canonical(token)]];
  const commas = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(token);
  const points = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(token);
  if (commas || points) {
    const whole = canonical(token.replaceAll(commas ? ',' : '.', '').replace(',', '.'));
    return [[whole], ...(/^\d+[.,]\d+$/.test(token) ? [[canonical(token.replace(',', '.'))]] : [])];
  }
  if (/^\d{1,3}(?:['’\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/.test(token))
    return [[canonical(token.replaceAll(/['’\u00a0\u202f]/g, '').replace(',', '.'))]];
  if (/^\d+\.\d+$/.test(token)) return [[canonical(token)]];
  const parts = token.split(/[,'’\u00a0\u202f]/);
  const list = parts.map((part) => (part.split('.').length > 2 ? `#${part}` : canonical(part)));
  if (/^\d+,\d+$/.test(token)) {
    const decimal = [canonical(token.replace(',', '.'))];
    return decimalCommas ? [decimal] : [list, decimal];
  }
  return [list];
}

/** A decimal without redundant zeros; `007` is not 7, but `07` is. */
export function canonical(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const rest = fraction.replace(/(?<!0)0+$/, '');
  return (whole.replace(/^0(?=\d$)/, '') || '0') + (rest === '' ? '' : `.${rest}`);
}

/** A decimal times a power of ten. */
function shifted(decimal: string, power: number): string {
  const [whole = '', fraction = ''] = decimal.split('.');
  const digits = fraction.padEnd(power, '0');
  return canonical(`${whole}${digits.slice(0, power)}`.replace(/^0+(?=\d)/, '') + `.${digits.slice(power)}`);
}
