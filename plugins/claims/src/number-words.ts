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
  [german, 'und', { eine: 1 }],
  [french, 'et', { un: 1 }],
  [belgian, 'et'],
  [spanish, 'y', { un: 1 }],
  [italian, 'e', { un: 1 }],
  [portuguese, 'e', { um: 1, duas: 2, quatorze: 14, dezesseis: 16, dezessete: 17, dezenove: 19 }],
  [dutch, 'en'],
  [polish, 'i', inOrder('dwóch trzech czterech pięciu sześciu siedmiu ośmiu')],
  [russian, 'и', inOrder('двух трех четырех пяти шести семи восьми девяти десяти одиннадцати двенадцати')],
  [swedish, 'och'],
  [turkish, 've'],
  [arabic, 'و', { ثماني: 8 }],
  [persian, 'و'],
  [czech, 'a'],
  [danish, 'og'],
  [norwegian, 'og'],
];
/** How many of the languages have hours of a clock in words, and how many have numerals that are no common words of another. */
const CLOCKS = 10;
const DISTINCT = 14;
const SCALES: ReadonlyMap<string, number> = new Map(
  [...SCALE_POWERS].flatMap(([name, power]) => (power % 3 === 0 ? [[compact(name), 10 ** power] as const] : [])),
);

function inOrder(words: string, from = 2): Readonly<Record<string, number>> {
  return Object.fromEntries(words.split(' ').map((word, at) => [word, from + at]));
}

/** The numbers of a language by their spelling: those below a thousand, and ordinals without their ending. */
interface Numerals {
  readonly and: string;
  readonly small: ReadonlyMap<string, number>;
  readonly ordinals: ReadonlyMap<string, number>;
}

const ORDINAL_ENDING = /(?:e?[nmrs]|[oae]s?|ь?ем|ого|ому|ой|ую|ая|ое|ый|ий|ые|i?ego|i?ej|[iy]m?)$/u;

function numeralsOf([{ toCardinal, toOrdinal }, and, more = {}]: (typeof LANGUAGES)[number]): Numerals {
  const small = new Map(Object.entries(more));
  const ordinals = new Map<string, number>();
  const spelled = (value: number): readonly string[] => {
    const written = toCardinal(value);
    return [...new Set([written, toCardinal(value, { gender: 'feminine' }), written.replace(` ${and} `, ' ')])].map(
      compact,
    );
  };
  // `einhundert` has no `eins`.
  const ones = spelled(1).flatMap((one) => [one, one.replace(/s$/u, '')]);
  const withoutOne = (written: string): string =>
    written.slice(ones.find((one) => written.startsWith(one))?.length ?? 0);
  for (let value = 0; value < 1000; value++)
    for (const written of spelled(value)) {
      if (!isShort(written)) small.set(written, value);
      if (value >= 100 && value < 200) small.set(withoutOne(written), value);
    }
  const [two = '', hundreds = ''] = [2, 200].map((value) => spelled(value)[0]);
  for (let value = 11; value < 20; value++)
    for (const hundred of [withoutOne(spelled(100)[0] ?? ''), hundreds.slice(two.length)])
      small.set(`${spelled(value)[0]}${hundred}`, 100 * value);
  for (let value = 1; value < 100; value++)
    for (const written of [toOrdinal(value), toOrdinal(value, { gender: 'feminine' })].map(compact)) {
      ordinals.set(written.replace(ORDINAL_ENDING, ''), value);
      if (and === 'and') small.set(written, value);
    }
  return { and, small, ordinals };
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

let known: readonly Numerals[] | null = null;

/** The numerals of all languages, which are spelled on first use. */
function numerals(): readonly Numerals[] {
  known ??= LANGUAGES.map(numeralsOf);
  return known;
}

let beginnings: ReadonlyMap<string, ReadonlySet<Numerals>> | null = null;

/** The languages in which a number may begin with a word. */
function languagesOf(word: string): ReadonlySet<Numerals> | undefined {
  if (beginnings === null) {
    const all = new Map<string, Set<Numerals>>();
    for (const each of numerals())
      for (const spelling of [...each.small.keys(), ...SCALES.keys()])
        for (const beginning of [2, 3, 4].map((length) => spelling.slice(0, length)))
          all.set(beginning, (all.get(beginning) ?? new Set()).add(each));
    beginnings = all;
  }
  return beginnings.get(compact(word.slice(0, 4)).slice(0, 4));
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

/** The longest number below a limit that begins at an offset of a run and ends with a word; null when there is none. */
function longestAt(run: Run, at: number, below: number, language: Numerals): Ending | null {
  const { and, small } = language;
  let best: Ending | null = null;
  const offer = (each: Ending): void => {
    if (run.ends.has(each.end) && each.value < below && each.end > (best?.end ?? 0)) best = each;
  };
  const spelledAt = (offset: number, spellings: ReadonlyMap<string, number>): readonly Ending[] => {
    const found: Ending[] = [];
    for (let end = offset + 2; end <= Math.min(run.text.length, offset + MAX_LETTERS); end++) {
      const value = spellings.get(run.text.slice(offset, end));
      if (value !== undefined) found.push({ end, value });
    }
    return found;
  };
  const multipliers = spelledAt(at, small);
  for (const each of multipliers) offer(each);
  for (const { end, value } of [{ end: at, value: 1 }, ...multipliers])
    for (const scale of spelledAt(end, SCALES)) {
      if (scale.value >= below) continue;
      const head = { end: scale.end, value: value * scale.value };
      offer(head);
      for (const next of run.text.startsWith(and, head.end) ? [head.end, head.end + and.length] : [head.end]) {
        const rest = longestAt(run, next, scale.value, language);
        if (rest !== null) offer({ end: rest.end, value: head.value + rest.value });
      }
    }
  return best;
}

const WORDS = /(?<![\p{L}\p{M}\p{N}])\p{L}[\p{L}\p{M}]*(?:[ \u00a0\u200c-]\p{L}[\p{L}\p{M}]*)*/gu;
const WORD = /[\p{L}\p{M}]+/gu;
/** How many words a number may have. */
const MAX_WORDS = 12;
/** Of the spelling of a number below a thousand. */
const MAX_LETTERS = 40;
/** Of so many letters a numeral is no common word of another language. */
const LONG = 7;

/** The numbers in words of a text in any language. */
function* numbersIn(text: string): Generator<WordNumber & { readonly isEnglish: boolean }> {
  for (const { 0: all, index } of text.matchAll(WORDS)) {
    const words = [...all.matchAll(WORD)].map(rangeOf);
    for (let at = 0; at < words.length;) {
      const { start, end: wordEnd } = words[at] ?? { start: 0, end: 0 };
      const languages = languagesOf(all.slice(start, wordEnd));
      if (languages === undefined) {
        at++;
        continue;
      }
      const run = runOf(all, words.slice(at, at + MAX_WORDS));
      let read: (Ending & { isEnglish: boolean }) | null = null;
      for (const each of languages) {
        const longest = longestAt(run, 0, Infinity, each);
        if (longest !== null && longest.end > (read?.end ?? 0)) read = { ...longest, isEnglish: each.and === 'and' };
      }
      const end = run.ends.get(read?.end ?? 0);
      if (read !== null && end !== undefined) yield { ...read, start: index + start, end: index + end };
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
  const lower = compact(word);
  const stem = lower.replace(ORDINAL_ENDING, '');
  const others = numerals().slice(1, DISTINCT);
  const cardinal = others.map(({ small }) => small.get(lower)).find((value) => (value ?? 0) > 1);
  return cardinal ?? others.map(({ ordinals }) => ordinals.get(stem)).find((value) => value !== undefined) ?? null;
}

/** The hours of a clock in words, and 25 minutes. */
export function clockHours(): Readonly<Record<string, number>> {
  const hours = numerals()
    .slice(0, CLOCKS)
    .flatMap(({ small }) => [...small].filter(([, value]) => value > 0 && value <= 25));
  return Object.fromEntries([...hours.toReversed(), ...['ein', 'une', 'uma', 'час'].map((word) => [word, 1] as const)]);
}

/** How often something happens, in one word; `once` may also mean `as soon as`. */
const OFTEN = {
  ...inOrder('twice thrice'),
  ...inOrder('zweimal dreimal viermal'),
  ...inOrder('tweemaal driemaal'),
  ...inOrder('дважды трижды'),
};
const OFTEN_WORD = new RegExp(
  `(?<!\\p{L})(?:(?:${Object.keys(OFTEN).join('|')})(?!\\p{L}|\\s(?:as|the|so)(?!\\p{L}))|(?<=only |just )once(?!\\p{L})|once(?=\\s(?:an?|per|each|every|daily|weekly|in)(?!\\p{L}))|einmal(?=\\s(?:im|am|in|pro|täglich|wöchentlich|jährlich|monatlich)(?!\\p{L}))|(?<=nur )einmal)`,
  'giu',
);

/** The words of a text that say how often something happens. */
export function readOften(text: string): readonly WordNumber[] {
  return [...text.matchAll(OFTEN_WORD)].map((match) => ({
    ...rangeOf(match),
    value: OFTEN[match[0].toLowerCase()] ?? 1,
  }));
}
