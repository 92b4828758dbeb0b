import { foldWord, stemOf, type TextRange } from '@kebab/core';
import { compileText, remembered, type CompiledPassage } from './compile-passage.ts';
import { foldText, likelyLanguage } from './content-words.ts';
import { detailsOf, lookUp, type Detail } from './details.ts';
import { measureOf } from './measures.ts';
import { CLAUSES, aligned, findDisagreement } from './polarity.ts';
import type { SourceSentence } from './source-sentences.ts';
import { isSpecific, spokenWords, type SpokenWord, type SpokenWords } from './spoken-words.ts';

/** A value in a text: a number or a date. */
type Value = Exclude<Detail, { readonly kind: 'quotation' }>;

/** A clause of a sentence with what it says. */
interface Clause extends TextRange {
  readonly text: string;
  readonly words: SpokenWords;
  readonly values: readonly Value[];
  readonly compiled: () => CompiledPassage;
}

/** What a statement says otherwise than its passages, at a range of it. */
export interface Mismatch extends TextRange {
  /** What a passage has in place of it; null for a negation that only one of the two has. */
  readonly there: string | null;
  /** A reversal has the words of its passage with another polarity, a shift has them with another value. */
  readonly kind: 'reversal' | 'shift';
}

/** A longer statement is a list of many things. */
const MAX_STATEMENT = 1000;

/** Looks in the passages of a prompt for what a statement says otherwise than those of these numbers. */
export type MismatchFinder = (statement: string, passages: readonly number[]) => Mismatch | null;

/** Texts read before, by what they say. */
interface FinderContext {
  readonly clauses: (text: string) => readonly Clause[];
  readonly whole: (text: string) => Clause;
  readonly counted: (text: string) => readonly Counted[];
}

/**
 * Prepares the sentences of passages for {@link MismatchFinder}: a statement mismatches one that has its words with the opposite polarity, a
 * quantifier or a bound of the other kind, with a value that belongs to another subject, or with another number before the same noun.
 */
export function mismatchFinder(sentences: readonly SourceSentence[], language: string): MismatchFinder {
  const results = new Map<string, Mismatch | null>();
  const context: FinderContext = {
    clauses: remembered((text: string) => clausesOf(text, likelyLanguage(text, language))),
    whole: remembered((text: string) => clauseOf(text, { start: 0, end: text.length }, likelyLanguage(text, language))),
    counted: remembered(countedIn),
  };
  return (statement, passages) => {
    if (statement.length > MAX_STATEMENT) return null;
    const key = `${passages.join(',')}\n${statement}`;
    const earlier = results.get(key);
    if (earlier !== undefined) return earlier;
    const found = firstMismatch(context.clauses(statement), distinct(sentences, passages), context);
    results.set(key, found);
    return found;
  };
}

/** The sentences of these passages, repeated ones once. */
function distinct(sentences: readonly SourceSentence[], passages: readonly number[]): readonly SourceSentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ passage, whole }) => {
    if (!passages.includes(passage) || seen.has(whole)) return false;
    seen.add(whole);
    return true;
  });
}

function firstMismatch(
  clauses: readonly Clause[],
  sources: readonly SourceSentence[],
  context: FinderContext,
): Mismatch | null {
  for (const clause of clauses) {
    const found =
      reversed(clause, sources, context) ??
      countedOtherwise(clause, sources, context) ??
      shifted(clause, sources, context);
    if (found !== null) return { ...found, start: clause.start + found.start, end: clause.start + found.end };
  }
  return null;
}

/** The clauses of a sentence; one without a word joins its neighbour. */
function clausesOf(sentence: string, language: string): readonly Clause[] {
  const ranges: { start: number; end: number }[] = [];
  let start = 0;
  for (const { 0: joint, index } of [...sentence.matchAll(CLAUSES), { 0: '', index: sentence.length }]) {
    const isInNumber =
      !/\p{L}/u.test(joint) && /\d$/.test(sentence.slice(0, index)) && /^\d/.test(sentence.slice(index + joint.length));
    if (isInNumber) continue;
    const last = ranges.at(-1);
    const size = sizeOf(sentence.slice(start, index), language);
    if (size < 2 && last !== undefined) last.end = index;
    else if (size > 0) ranges.push({ start, end: index });
    else continue;
    start = index + joint.length;
  }
  return ranges.map((range) => clauseOf(sentence, range, language));
}

function clauseOf(sentence: string, { start, end }: TextRange, language: string): Clause {
  const text = sentence.slice(start, end);
  let compiled: CompiledPassage | null = null;
  return {
    start,
    end,
    text,
    words: spokenWords(text, language),
    values: valuesOf(text),
    compiled: () => (compiled ??= { number: 0, ...compileText(text, [foldText(text)]) }),
  };
}

function sizeOf(text: string, language: string): number {
  return spokenWords(text, language).words.length + valuesOf(text).length;
}

function valuesOf(text: string): readonly Value[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return [];
  return detailsOf(text, []).filter((detail): detail is Value => detail.kind !== 'quotation');
}

function holds(value: Value, compiled: CompiledPassage): boolean {
  return lookUp(value, [compiled]).kind === null;
}

/** The share of a clause that the sentence it restates has at least. */
const SHARE = 0.65;

function reversed(
  clause: Clause,
  sources: readonly SourceSentence[],
  { whole, clauses }: FinderContext,
): Mismatch | null {
  const words = aligned(clause.words.words);
  const size = words.length + clause.values.length;
  if (size === 0) return null;
  const scored = sources.map((source) => ({
    source,
    held:
      words.filter((word) => source.words.has(word)).length +
      clause.values.filter((value) => holds(value, source.compiled())).length,
  }));
  const best = Math.max(0, ...scored.map(({ held }) => held));
  if (best < SHARE * size || best === 0) return null;
  const nearest = scored
    .filter(({ held, source }) => held === best && words.some((word) => whole(source.text).words.has(word)))
    .map(({ source }) => source);
  if (size === 1 && !nearest.every(({ text }) => aligned(whole(text).words.words).length <= 2)) return null;
  const isCopy = (text: string): boolean => clauses(text).some((each) => each.text.trim() === clause.text.trim());
  if (nearest.some(({ text }) => isCopy(text))) return null;
  const isAbout = (part: string): boolean => {
    const there = whole(part);
    return words.some((word) => there.words.has(word)) || clause.values.some((value) => holds(value, there.compiled()));
  };
  const found = nearest.map(({ text }) => findDisagreement(clause.text, text, isAbout));
  const [first] = found;
  return first === undefined || first === null || found.includes(null) ? null : { ...first, kind: 'reversal' };
}

/** `twice` is a number of times. */
const TIMES: Readonly<Record<string, string>> = { once: '1 times', twice: '2 times', thrice: '3 times' };

interface Counted {
  readonly value: Value;
  readonly stem: string;
  readonly written: string;
}

/** The numbers without a unit of a text, each with the noun directly after it. */
function countedIn(text: string): readonly Counted[] {
  const plain = text.replaceAll(
    /(?<!\p{L})(?:once|twice|thrice)(?!\p{L})/giu,
    (word) => TIMES[word.toLowerCase()] ?? '',
  );
  return valuesOf(plain).flatMap((value) => {
    if (value.kind !== 'number' || value.value.unit !== null || isYear(value)) return [];
    const noun = /^[ \u00a0-](\p{L}{4,})(?![\p{L}\d])/u.exec(plain.slice(value.end))?.[1];
    const written = plain.slice(value.start, value.end);
    return noun === undefined ? [] : [{ value, stem: stemOf(foldWord(noun)), written }];
  });
}

/** A number before a noun that has only other numbers before it in the passages. */
function countedOtherwise(
  clause: Clause,
  sources: readonly SourceSentence[],
  { counted }: FinderContext,
): Mismatch | null {
  const own = counted(clause.text);
  if (own.length === 0) return null;
  const there = sources.flatMap(({ text }) => counted(text));
  for (const { value, stem } of own) {
    const same = there.filter((each) => each.stem === stem);
    const [other] = same;
    // `75 loads in 2023 and 61 in 2022` counts 61 loads.
    const isLeftOut = ({ text, compiled }: SourceSentence): boolean =>
      counted(text).some((each) => each.stem === stem) && holds(value, compiled());
    if (other === undefined || same.some((each) => isEqual(value, each.value))) continue;
    if (sources.some(isLeftOut)) continue;
    const { start, end } = value;
    return { start, end: Math.min(end, clause.text.length), there: other.written, kind: 'shift' };
  }
  return null;
}

function isEqual(one: Value, other: Value): boolean {
  if (one.kind !== 'number' || other.kind !== 'number') return false;
  const values = new Set(one.value.alternatives.flat());
  return other.value.alternatives.flat().some((value) => values.has(value));
}

/** A value that stands in the passages with another subject than in a clause. */
function shifted(clause: Clause, sources: readonly SourceSentence[], { clauses }: FinderContext): Mismatch | null {
  const { values, words, text } = clause;
  if (values.length === 0) return null;
  const holding = sources.filter((source) => values.every((value) => holds(value, source.compiled())));
  // A sentence is indexed with the one before it, which may be the one that has the values.
  const own = holding.filter((source) =>
    values.some((value) => clauses(source.text).some((each) => holds(value, each.compiled()))),
  );
  const holders = own.length > 0 ? own : holding;
  const strange = holders.map((source) =>
    strangeIn(clause, {
      source,
      clauses: clauses(source.text),
      others: () => sources.filter((each) => each !== source).flatMap(({ text: other }) => clauses(other)),
    }),
  );
  const [least] = strange.toSorted((a, b) => a.length - b.length);
  const written = least?.[0];
  if (written === undefined) return null;
  const first = words.words.find((word) => word.written === written);
  const start = first === undefined ? 0 : Math.max(0, text.indexOf(written));
  return { start, end: first === undefined ? text.length : start + written.length, there: null, kind: 'shift' };
}

/**
 * The words of a clause that a sentence with its values does not have beside them while another clause has them beside a rival value:
 * `western` for 17 kg. None if the clause has a word of its own that stands beside its values there and not beside the rival.
 */
function strangeIn(
  { values, words }: Clause,
  {
    source,
    clauses,
    others,
  }: {
    readonly source: SourceSentence;
    readonly clauses: readonly Clause[];
    readonly others: () => readonly Clause[];
  },
): readonly string[] {
  if (isCrossed(values, clauses)) return [''];
  const numbers = values.filter((each) => each.kind === 'number');
  const value = numbers.find((each) => !isYear(each)) ?? numbers[0];
  const here = clauses.filter((each) => value !== undefined && holds(value, each.compiled()));
  if (value === undefined || here.length === 0) return [];
  const rivals = [...clauses, ...others()].filter(
    (each) => !here.includes(each) && !holds(value, each.compiled()) && each.values.length > 0,
  );
  const isRival = (rival: Clause): boolean => {
    // A clause that shares less is about something else.
    if (2 * words.words.filter((word) => rival.words.has(word)).length < words.words.length) return false;
    const isOfKind = rival.values.some((each) => isSameKind(value, each));
    const isParallel = words.words.some(
      (word) => isNoun(word) && rival.words.has(word) && here.every((each) => each.words.has(word)),
    );
    return isOfKind || isParallel;
  };
  const isOwn = (rival: Clause): boolean =>
    words.words.some((word) => here.some((each) => each.words.has(word)) && !rival.words.has(word)) ||
    values.some((each) => here.some((clause) => holds(each, clause.compiled())) && !isHeldBeside(each, value, rival));
  return rivals
    .filter((rival) => isRival(rival) && !isOwn(rival))
    .flatMap((rival) =>
      words.words.filter(
        (word) =>
          isSpecific(word) &&
          rival.words.has(word) &&
          !here.some((each) => each.words.has(word)) &&
          (clauses.includes(rival) || !source.words.has(word)),
      ),
    )
    .map(({ written }) => written);
}

/** Whether a rival clause has a value, or it is the one whose rival it is. */
function isHeldBeside(each: Value, value: Value, rival: Clause): boolean {
  return each === value || holds(each, rival.compiled());
}

function isNoun({ written }: SpokenWord): boolean {
  return written.length > 3;
}

/** Two values that stand in two clauses, each beside another value of the kind of the other: `75 in 2022` of `75 in 2023 and 61 in 2022`. */
function isCrossed(values: readonly Value[], clauses: readonly Clause[]): boolean {
  const [one, other, ...more] = values;
  if (one === undefined || other === undefined || more.length > 0) return false;
  if (clauses.some((each) => values.every((value) => holds(value, each.compiled())))) return false;
  const isApart = (value: Value, from: Value): boolean =>
    clauses
      .filter((each) => holds(value, each.compiled()))
      .every((each) => each.values.some((rival) => isSameKind(rival, from) && !isEqual(rival, from)));
  return isApart(one, other) && isApart(other, one);
}

function isSameKind(one: Value, other: Value): boolean {
  if (one.kind !== 'number' || other.kind !== 'number') return one.kind === other.kind;
  const units = one.value.unit?.means ?? [];
  if (isYear(one) !== isYear(other)) return false;
  if (other.value.unit === null) return units.length === 0;
  const measures = units.map(measureOf);
  return other.value.unit.means.some((unit) => measures.includes(measureOf(unit)));
}

function isYear(value: Value): boolean {
  return value.kind === 'number' && /^(?:1[5-9]|20)\d{2}$/.test(value.value.alternatives[0]?.[0] ?? '');
}
