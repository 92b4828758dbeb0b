import type { TextRange } from '@kebab/core';
import { contentUnits } from './content-words.ts';

/** A word of a claim that the sentence of the passage contradicts. */
export interface Reversal extends TextRange {
  /** The opposite word there; null if one of the two sentences is negated and the other is not. */
  readonly there: string | null;
}

/** A sentence of a passage, prepared for comparison. */
export interface PassageSentence {
  readonly text: string;
  readonly units: ReadonlySet<string>;
}

/** Pairs of opposites, each with the forms of its two sides. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['more|larger|greater|bigger', 'less|fewer|smaller'],
  ['most', 'least|fewest'],
  ['higher|highest|above|over', 'lower|lowest|below|under'],
  ['high', 'low'],
  ['largest|greatest|biggest', 'smallest'],
  ['maximum', 'minimum'],
  ['longer|longest', 'shorter|shortest'],
  ['older|oldest', 'younger|youngest|newer|newest'],
  ['faster|fastest', 'slower|slowest'],
  ['earlier|earliest', 'later|latest'],
  ['before', 'after'],
  ['first', 'last'],
  ['better|best', 'worse|worst'],
  ['stronger|strongest', 'weaker|weakest'],
  ['increase|increases|increased|increasing', 'decrease|decreases|decreased|decreasing|reduce|reduces|reduced'],
  ['rise|rises|rose|rising', 'fall|falls|fell|falling'],
  ['always', 'never|sometimes|rarely'],
  ['all|every|each', 'some|several|few|many|most'],
  ['with', 'without'],
  ['open|opens|opened|opening', 'close|closes|closed|closing|shut|shuts'],
  ['높', '낮'],
  ['많', '적은|적다|적습|적어'],
  ['증가', '감소'],
  ['상승', '하락'],
  ['이상', '이하|미만'],
  ['초과', '이하|미만'],
  ['최대', '최소'],
  ['이전', '이후'],
  ['빠르|빠른', '느리|느린'],
  ['모든|모두|전체', '일부'],
  ['있습니다|있다|있으며|있는', '없습니다|없다|없으며|없는'],
];
const SIDES = OPPOSITES.map(([one, other]) => [wordsIn(one), wordsIn(other)] as const);
const NEGATED = /(?<!\p{L})(?:not|never|cannot|neither|nor)(?!\p{L})|n['’]t(?!\p{L})|않|지\s?못/giu;

function wordsIn(words: string): RegExp {
  return /^[a-z|]+$/.test(words) ? new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu') : new RegExp(words, 'gu');
}

/** How much two sentences have to share of each other, and how many units at least, to be about the same. */
const SAME = { share: 0.8, units: 5 };

/** The sentences of a passage. */
export function passageSentences(text: string): readonly PassageSentence[] {
  return text
    .split(/(?<=[.!?。])\s+|\n+/u)
    .map((sentence) => ({ text: sentence, units: new Set(contentUnits(sentence)) }))
    .filter(({ units }) => units.size >= SAME.units);
}

/**
 * Looks for a word of a claim that reverses a sentence of a passage which otherwise has the same words: an opposite, or a negation in only
 * one of them. Null if no sentence has nearly the same words, or if one of those agrees.
 */
export function findReversal(claim: string, sentences: readonly PassageSentence[]): Reversal | null {
  const units = new Set(contentUnits(claim));
  if (units.size < SAME.units) return null;
  const same = sentences.filter((sentence) => isSame(units, sentence.units));
  const reversals = same.map(({ text }) => reversalBetween(claim, text));
  return reversals.includes(null) ? null : (reversals[0] ?? null);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((unit) => other.has(unit)).length;
  return shared >= SAME.share * Math.max(one.size, other.size);
}

function reversalBetween(claim: string, sentence: string): Reversal | null {
  const opposed = opposedWord(claim, sentence);
  if (opposed !== null) return opposed;
  const negations = [...claim.matchAll(NEGATED)];
  const missing = [...sentence.matchAll(NEGATED)].length;
  if (negations.length > 0 === missing > 0) return null;
  const [first] = negations;
  return first === undefined
    ? { start: 0, end: claim.length, there: null }
    : { start: first.index, end: first.index + first[0].length, there: null };
}

/** The first word of a claim whose opposite stands in a sentence that lacks the word itself; null if there is none. */
export function opposedWord(claim: string, sentence: string): Reversal | null {
  for (const [one, other] of SIDES) {
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const [written] = claim.matchAll(here);
      const [opposite] = sentence.matchAll(there);
      const isReversed = written !== undefined && opposite !== undefined && !has(claim, there) && !has(sentence, here);
      if (isReversed) return { start: written.index, end: written.index + written[0].length, there: opposite[0] };
    }
  }
  return null;
}

function has(text: string, words: RegExp): boolean {
  return text.search(words) !== -1;
}
