import type { TextRange } from '@kebab/core';
import * as arabic from 'n2words/ar-SA';
import * as czech from 'n2words/cs-CZ';
import * as danish from 'n2words/da-DK';
import * as german from 'n2words/de-DE';
import * as british from 'n2words/en-GB';
import * as spanish from 'n2words/es-ES';
import * as persian from 'n2words/fa-IR';
import * as belgian from 'n2words/fr-BE';
import * as french from 'n2words/fr-FR';
import * as italian from 'n2words/it-IT';
import * as norwegian from 'n2words/nb-NO';
import * as dutch from 'n2words/nl-NL';
import * as polish from 'n2words/pl-PL';
import * as portuguese from 'n2words/pt-PT';
import * as russian from 'n2words/ru-RU';
import * as swedish from 'n2words/sv-SE';
import * as turkish from 'n2words/tr-TR';
import { SCALE_POWERS } from './scale-words.ts';
import { rangeOf } from './sorted-ranges.ts';
import { unitAt } from './units.ts';

/** A number in words: `twenty-three`, `two hundred`, `fifth`, `achtundvierzigtausend`. */
interface WordNumber extends TextRange {
  readonly value: number;
}

/** Writes numbers in words; languages without genders ignore the option. */
interface Speller {
  readonly toCardinal: (value: number, options?: object) => string;
  readonly toOrdinal: (value: number, options?: object) => string;
}

/** The languages whose numbers are read, each with the word that may join the parts of one, and with forms that its speller lacks. */
const LANGUAGES: readonly (readonly [Speller, and: string, more?: Readonly<Record<string, number>>])[] = [
  [british, 'and'],
  [german, 'und', { ein: 1, eine: 1 }],
  [french, 'et', { un: 1, une: 1 }],
  [belgian, 'et'],
  [spanish, 'y', { un: 1 }],
  [italian, 'e', { un: 1, tré: 3, cent: 100 }],
  [portuguese, 'e', { um: 1, duas: 2, quatorze: 14, dezesseis: 16, dezessete: 17, dezenove: 19 }],
  [dutch, 'en', { een: 1 }],
  [polish, 'i', inOrder('dwóch trzech czterech pięciu sześciu siedmiu ośmiu')],
  [russian, 'и', inOrder('час двух трех четырех пяти шести семи восьми девяти десяти одиннадцати двенадцати', 1)],
  [swedish, 'och'],
  [turkish, 've'],
  [arabic, 'و', { ثماني: 8 }],
  [persian, 'و'],
  [czech, 'a'],
  [danish, 'og'],
  [norwegian, 'og'],
];
/** Of languages whose numerals are common words of another. */
const COMMON = new Set(['a', 'og']);
const SCALES: ReadonlyMap<string, number> = new Map(
  [...SCALE_POWERS].flatMap(([name, power]) => (power % 3 === 0 ? [[compact(name), 10 ** power] as const] : [])),
);

function inOrder(words: string, from = 2): Readonly<Record<string, number>> {
  return Object.fromEntries(words.split(' ').map((word, at) => [word, from + at]));
}

/** The numerals of a language by their spelling: those below a hundred, hundreds, and ordinals without their ending. */
interface Numerals {
  readonly and: string;
  readonly small: ReadonlyMap<string, number>;
  readonly ordinals: ReadonlyMap<string, number>;
  /** The first letters of a number, up to three. */
  readonly beginnings: ReadonlySet<string>;
}

const ORDINAL_ENDING = /(?:e?[nmrs]|[oae]s?|ь?ем|ого|ому|ой|ую|ая|ое|ый|ий|ые|i?ego|i?ej|[iy]m?)$/u;
/** Of the languages with genders. */
const FORMS = [{}, { gender: 'feminine' }];

function numeralsOf([{ toCardinal, toOrdinal }, and, more = {}]: (typeof LANGUAGES)[number]): Numerals {
  const small = new Map(Object.entries(more));
  const ordinals = new Map<string, number>();
  const spelled = (value: number): readonly string[] => FORMS.map((form) => compact(toCardinal(value, form)));
  for (const value of [...Array(100).keys(), ...[2, 3, 4, 5, 6, 7, 8, 9, 1].map((hundreds) => 100 * hundreds)])
    for (const written of spelled(value)) small.set(written, value);
  // `cento e onze` and `duzentos`: the hundred before other numerals, and behind them.
  const [two = '', eleven = '', hundreds = '', joined = ''] = [2, 11, 200, 111].map((value) => spelled(value)[0]);
  small.set(joined.slice(0, -eleven.length).replace(new RegExp(`${and}$`, 'u'), ''), 100);
  if (hundreds.startsWith(two)) small.set(hundreds.slice(two.length), 100);
  for (let value = 1; value < 100; value++)
    for (const written of FORMS.map((form) => compact(toOrdinal(value, form)))) {
      ordinals.set(written.replace(ORDINAL_ENDING, ''), value);
      if (and === 'and') small.set(written, value);
    }
  const spellings = [...small.keys(), ...SCALES.keys()];
  const beginnings = new Set([2, 3].flatMap((length) => spellings.map((each) => each.slice(0, length))));
  return { and, small, ordinals, beginnings };
}

/** Whether a word is too short to be told from one of another language: `to` is two in Danish, `on` ten in Turkish. */
function isShort(word: string): boolean {
  return word.length < 2 || /^[a-z]{2}$/.test(word);
}

/** Words in lower case, without what stands between them. */
function compact(words: string): string {
  return /^[a-z]+$/.test(words)
    ? words
    : words
        .normalize('NFC')
        .replaceAll('İ', 'i')
        .toLowerCase()
        .replaceAll(/[ -]|\p{M}/gu, '')
        .replaceAll('ß', 'ss')
        .replaceAll('ё', 'е')
        .replaceAll('مائة', 'مئة');
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Arabic}/u];
const known = new Map<RegExp, readonly Numerals[]>();

/** The numerals of the languages in the script of a word, which are spelled on first use. */
function numeralsLike(word: string): readonly Numerals[] {
  const script = SCRIPTS.find((each) => each.test(word));
  if (script === undefined) return [];
  const numerals = known.get(script) ?? LANGUAGES.filter(([, and]) => script.test(and)).map(numeralsOf);
  known.set(script, numerals);
  return numerals;
}

/** Some words that follow each other, without spaces, and where each of them ends there and in its text. */
interface Run {
  readonly text: string;
  readonly ends: ReadonlyMap<number, number>;
}

/** A number that ends at an offset of a run. */
interface Ending {
  readonly end: number;
  readonly value: number;
}

/** The longest number that begins a run and ends with a word; its end is 0 when there is none. */
function longestOf({ text, ends }: Run, { and, small }: Numerals): Ending {
  let best: Ending = { end: 0, value: 0 };
  // `group` is what a scale below `below` multiplies, `total` what stands before it.
  const readOn = (from: number, total: number, group: number, below: number): void => {
    for (let end = from + 2; end <= Math.min(text.length, from + MAX_LETTERS); end++) {
      const written = text.slice(from, end);
      if (group === 0 && isShort(written)) continue;
      const [numeral = Infinity, scale = Infinity] = [small.get(written), SCALES.get(written)];
      const isHundred = numeral === 100 && group < 100;
      const sum = isHundred ? 100 * (group || 1) : group + numeral;
      const fits = isHundred || (numeral < 100 ? group % 100 === 0 : group === 0);
      if (fits && sum < Infinity) take(end, total, sum, below);
      if (scale < below) take(end, total + scale * (group || 1), 0, scale);
    }
  };
  const take = (end: number, total: number, group: number, below: number): void => {
    const value = total + group;
    if (ends.has(end) && end > best.end) best = { end, value };
    if (value === 0) return;
    readOn(end, total, group, below);
    if (group % 100 === 0 && text.startsWith(and, end)) readOn(end + and.length, total, group, below);
  };
  readOn(0, 0, 0, Infinity);
  return best;
}

const WORDS = /(?<![\p{L}\p{M}\p{N}])\p{L}[\p{L}\p{M}]*(?:[ \u00a0\u200c-]\p{L}[\p{L}\p{M}]*)*/gu;
const WORD = /[\p{L}\p{M}]+/gu;
/** How many words a number may have. */
const MAX_WORDS = 12;
/** Of the spelling of a numeral. */
const MAX_LETTERS = 24;
/** Of so many letters a numeral is no common word of another language. */
const LONG = 7;

/** The numbers in words of a text in any language. */
function* numbersIn(text: string): Generator<WordNumber & { readonly isEnglish: boolean }> {
  for (const { 0: all, index } of text.matchAll(WORDS)) {
    const words = [...all.matchAll(WORD)].map(rangeOf);
    for (let at = 0; at < words.length;) {
      const { start, end: wordEnd } = words[at] ?? { start: 0, end: 0 };
      const first = all.slice(start, wordEnd);
      const beginning = compact(first).slice(0, 3);
      const languages = numeralsLike(first).filter(({ beginnings }) => beginnings.has(beginning));
      const run = runOf(all, words.slice(at, at + MAX_WORDS));
      let read = { end: 0, value: 0, isEnglish: false };
      for (const each of languages) {
        const longest = longestOf(run, each);
        if (longest.end > read.end) read = { ...longest, isEnglish: each.and === 'and' };
      }
      const end = run.ends.get(read.end);
      if (end !== undefined) yield { ...read, start: index + start, end: index + end };
      at = end === undefined ? at + 1 : words.findIndex((word) => word.end === end) + 1;
    }
  }
}

function runOf(text: string, words: readonly TextRange[]): Run {
  const ends = new Map<number, number>();
  let joined = '';
  for (const { start, end } of words) {
    joined += compact(text.slice(start, end));
    ends.set(joined.length, end);
  }
  return { text: joined, ends };
}

/** Words that imply a number; they support a number in an answer but do not count as one. */
const LOOSE: Readonly<Record<string, number>> = { twice: 2, second: 2, dozen: 12 };
const LOOSE_WORD = new RegExp(`(?<!\\p{L})(?:${Object.keys(LOOSE).join('|')})(?!\\p{L})`, 'giu');
/** English words that usually have another meaning when they stand alone. */
const WEAK = new Set(['one', 'first', 'second', 'zero', 'hundred']);

/**
 * The numbers in words of a text, in order. A word that is ordinary in another language counts only before a unit. `one`, `first` and
 * `second` alone usually have other meanings; they are left out unless `loose`, which also reads `twice` and `dozen`.
 */
export function readNumberWords(
  text: string,
  { loose = false }: { readonly loose?: boolean } = {},
): readonly WordNumber[] {
  const found = [...numbersIn(text)].filter(({ start, end, value, isEnglish }) => {
    const written = compact(text.slice(start, end));
    if (isEnglish && !SCALES.has(written)) return loose || !WEAK.has(written);
    if (value < 2) return false;
    const isDistinct = SCALES.has(written) ? loose : written.length >= LONG;
    return isDistinct || /\P{L}/u.test(text.slice(start, end)) || unitAt(text, start, end) !== null;
  });
  if (!loose) return found;
  const more = [...text.matchAll(LOOSE_WORD)].map((match) => ({
    ...rangeOf(match),
    value: LOOSE[match[0].toLowerCase()] ?? 0,
  }));
  return [...found, ...more];
}

/** The number that a word of another language than English means, as a numeral or an ordinal; null if it means none. */
export function valueOfWord(word: string): number | null {
  const others = numeralsLike(word).filter(({ and }) => and !== 'and' && !COMMON.has(and));
  const run = runOf(word, [{ start: 0, end: word.length }]);
  const stem = run.text.replace(ORDINAL_ENDING, '');
  const cardinal = others.map((each) => longestOf(run, each).value).find((value) => value > 1);
  return cardinal ?? others.map(({ ordinals }) => ordinals.get(stem)).find((value) => value !== undefined) ?? null;
}

/** The hour of a clock that a word means, or 25 minutes; undefined if it means none. */
export function clockHour(word: string): number | undefined {
  const languages = numeralsLike(word).filter(({ and }) => !COMMON.has(and));
  return languages.map(({ small }) => small.get(compact(word))).find((value = 0) => value > 0 && value <= 25);
}

/** How often something happens, in one word: `twice`, `dreimal`; `once` may also mean `as soon as`. */
const OFTEN_WORD =
  /(?<!\p{L})(?:(?<twice>twice|дважды)(?!\p{L}|\s(?:as|the|so)(?!\p{L}))|(?<thrice>thrice|трижды)(?!\p{L})|(?<times>\p{L}{2,})(?<!\Wein)ma{1,2}l(?!\p{L})|(?<=only |just )once(?!\p{L})|once(?=\s(?:an?|per|each|every|daily|weekly|in)(?!\p{L}))|einmal(?=\s(?:im|am|in|pro|täglich|wöchentlich|jährlich|monatlich)(?!\p{L}))|(?<=nur )einmal)/giu;

/** The words of a text that say how often something happens. */
export function readOften(text: string): readonly WordNumber[] {
  return [...text.matchAll(OFTEN_WORD)].flatMap((match) => {
    const { twice, thrice, times } = match.groups ?? {};
    const value = times === undefined ? (twice && 2) || (thrice && 3) || 1 : valueOfWord(times);
    return value === null ? [] : [{ ...rangeOf(match), value }];
  });
}
