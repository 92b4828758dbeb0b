import type { TextRange } from '@kebab/core';
import { compileText, once, type CompiledPassage } from './compile-passage.ts';
import { MAX_STATEMENT } from './content-words.ts';
import { FINITE } from './denials.ts';
import { detailsOf, lookUp, type Detail } from './details.ts';
import { findQuotations } from './find-quotations.ts';
import { CLAUSES, DEADLINE, isNegated } from './polarity.ts';
import { hardWords, mentions, type HardWord } from './rates.ts';
import { blanked } from './sorted-ranges.ts';
import { lackedBy, sizeOf, type SpokenWord, type SpokenWords } from './spoken-words.ts';

/** Something that a text says: a word that carries meaning, a quotation, number or date, a rate or a vague amount. */
export type Token = TextRange &
  (
    | { readonly kind: 'word'; readonly word: SpokenWord }
    | { readonly kind: 'detail'; readonly detail: Detail }
    | { readonly kind: 'rate'; readonly rate: HardWord }
  );

/** A text in which tokens are looked up. */
export interface Source {
  readonly whole: string;
  readonly words: SpokenWords;
  readonly compiled: () => CompiledPassage;
}

/** A clause of a statement or of a sentence of a passage, with what it says in order. */
export interface Clause extends TextRange, Source {
  readonly tokens: readonly Token[];
  readonly isNegated: boolean;
  /** What joins it to the clause before it. */
  readonly joint: string;
}

/** Whether a text has a token, in any form of it. */
export function stands(token: Token, { whole, words, compiled }: Source): boolean {
  switch (token.kind) {
    case 'word':
      return lackedBy([token.word], [words]).length === 0;
    case 'detail':
      return lookUp(token.detail, [compiled()]).kind === null;
    case 'rate':
      return mentions(whole, token.rate);
    default:
      return token satisfies never;
  }
}

/** A part of a sentence with fewer words and values is no clause of its own. */
export const MIN_CLAUSE = 2;
/** A negation of more words is a statement: `but not in that of the rooms`. */
const MIN_EXCEPTED = 4;
/** What gives a reason is a statement of its own. */
const CAUSE = /because|unless|weil|parce que|porque|perché|omdat|ponieważ|потому/iu;

/** The clauses of a sentence; one without a statement of its own joins its neighbour. */
export function clausesOf(sentence: string, read: (text: string) => SpokenWords): readonly Clause[] {
  if (sentence.length > MAX_STATEMENT) return [];
  const details = detailsOf(sentence, findQuotations(sentence));
  // The half of `half an hour` is part of a value.
  const rates = hardWords(sentence).filter(
    ({ kind, start }) => kind === 'unit' || !details.some((each) => each.start <= start && start < each.end),
  );
  const spoken = read(blanked(sentence, [...details, ...rates]).replace(DEADLINE, (all) => ' '.repeat(all.length)));
  const tokens: readonly Token[] = [
    ...spoken.words.map(
      (word) => ({ kind: 'word', word, start: word.at, end: word.at + word.written.length }) as const,
    ),
    ...details.map((detail) => ({ kind: 'detail', detail, start: detail.start, end: detail.end }) as const),
    ...rates.map((rate) => ({ kind: 'rate', rate, start: rate.start, end: rate.end }) as const),
  ].toSorted((a, b) => a.start - b.start);
  const inside = (start: number, end: number): readonly Token[] =>
    tokens.filter((token) => token.start >= start && token.start < end);
  const ranges: { start: number; end: number; joint: string }[] = [];
  let start = 0;
  let joined = '';
  for (const { 0: joint, index } of [
    ...blanked(sentence, details).matchAll(CLAUSES),
    { 0: '', index: sentence.length },
  ]) {
    // `5–6 km` is one value.
    if (/[—–]/u.test(joint) && /\d$/.test(sentence.slice(0, index)) && /^\d/.test(sentence.slice(index + 1))) continue;
    // A label says nothing without what follows it: `under 12: half a tablet`.
    if (joint === ':' && !FINITE.test(sentence.slice(start, index))) continue;
    const last = ranges.at(-1);
    const own = inside(start, index);
    const size = own.reduce((sum, token) => sum + (token.kind === 'word' ? sizeOf(token.word) : 1), 0);
    const part = sentence.slice(start, index);
    // `has a volume of 140 L` says something of its one value.
    const saysValue = own.some(({ kind }) => kind === 'detail') && part.trim().split(/\s+/u).length > MIN_CLAUSE;
    const isClause =
      size >= MIN_CLAUSE ||
      (size > 0 && (saysValue || CAUSE.test(joined) || isNegated(part))) ||
      (isNegated(part) && (part.match(/\p{L}+/gu)?.length ?? 0) > MIN_EXCEPTED);
    const isLast = index === sentence.length;
    // What follows a semicolon begins a clause, however short.
    if (!isClause && last !== undefined && (isLast || !/[;；:：]/u.test(joined))) last.end = index;
    else if (isClause || isLast) ranges.push({ start, end: index, joint: joined });
    else continue;
    start = index + joint.length;
    joined = joint;
  }
  return ranges.map((range): Clause => {
    const whole = sentence.slice(range.start, range.end);
    return {
      ...range,
      whole,
      tokens: inside(range.start, range.end),
      words: spoken.within(range),
      compiled: once(() => compileText(whole)),
      isNegated: isNegated(whole),
    };
  });
}
