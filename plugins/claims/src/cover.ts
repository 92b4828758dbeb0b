import { detectLanguage, type PromptPassage } from '@kebab/core';
import { agrees, isNegated, withoutAnswerWord } from './polarity.ts';
import { compileText, remembered, type CompiledPassage } from './compile-passage.ts';
import { foldText, likelyLanguage } from './content-words.ts';
import { detailsOf, lookUp, type Detail } from './details.ts';
import { mismatchFinder, type MismatchFinder } from './pairing.ts';
import { findQuotations } from './find-quotations.ts';
import { blanked } from './sorted-ranges.ts';
import { sourceSentences, type SourceSentence } from './source-sentences.ts';
import { isSpecific, spokenWords, type SpokenWord, type SpokenWords } from './spoken-words.ts';

/** What the passages of a prompt say about a statement. */
export interface Coverage {
  /** The passages that say it, in order; empty when none does. */
  readonly passages: readonly number[];
  /** What the nearest sentence lacks of it, as written; empty when the passages say it. */
  readonly missing: readonly string[];
  /** Whether it says nothing that the question did not say. */
  readonly restates: boolean;
}

/** The own words of a statement that passages lack. */
export interface UnknownWords {
  /** As written, in order. */
  readonly words: readonly string[];
  /** How many different words of its own the statement has. */
  readonly own: number;
  /** How many numbers, dates and quotations of its own the statement has. */
  readonly details: number;
  /** Whether some of them stand in an order to the reader. */
  readonly inOrders: boolean;
}

/** Compares statements with the passages of one prompt. */
export interface Coverer {
  /** `only` restricts the comparison to these passages. */
  readonly cover: (statement: string, only?: readonly number[]) => Coverage;
  /** The words of a statement that neither the question nor any of these passages has, of all that the question has not. */
  readonly unknownWords: (statement: string, passages: readonly number[]) => UnknownWords;
  /** What a statement says otherwise than passages. */
  readonly mismatch: MismatchFinder;
  /** The passages that contain a text of code, line by line. */
  readonly coverCode: (code: string) => readonly number[];
  /** The passages with a sentence that covers a statement, among the sentences that say that something is not known. */
  readonly coverDenial: (statement: string, denies: (sentence: string) => boolean) => readonly number[];
  /** Whether a word stands in a title, a heading or a path. */
  readonly isTopic: (word: SpokenWord) => boolean;
  /** The words of the orders to the reader of the prompt. */
  readonly ordered: SpokenWords;
  /** The language of the passages. */
  readonly language: string;
  /** The words of a text that carry meaning, in the language of the passages. */
  readonly read: (text: string) => SpokenWords;
  /** The words of the question that carry meaning. */
  readonly asked: SpokenWords;
  /** The question, indexed like a passage. */
  readonly question: CompiledPassage;
  /** Every sentence of the passages. */
  readonly sentences: readonly SourceSentence[];
}

/**
 * Prepares the passages of a prompt for comparison. A passage covers a statement when one of its sentences, read with its title, headings
 * and what a pronoun refers to, has all words, numbers, dates and quotations of the statement and the same polarity. Two kinds of words are
 * set aside: those that carry no meaning, and those the question already said; but a subject of the question that stands elsewhere in the
 * passages, and not in that sentence, shows that the sentence is about something else. A statement that only repeats the question must be
 * covered word by word. Statements joined by `and`, `but` or a semicolon may be covered by different sentences. Orders to the reader of the
 * prompt cover nothing.
 */
export function covererOf(passages: readonly PromptPassage[], question: string): Coverer {
  const sentences = passages.flatMap(({ number, text, title, headingPath, path, orders }) =>
    sourceSentences({ number, text: blanked(text, orders), head: [title, ...headingPath, path].join('\n') }),
  );
  const orders = passages.flatMap(({ text, orders: ranges }) => ranges.map(({ start, end }) => text.slice(start, end)));
  const ordered = spokenWords(orders.join('\n'));
  const language = detectLanguage(passages.map(({ text }) => text).join('\n'));
  const asked = spokenWords(question, likelyLanguage(question, language));
  const askedText = compiledText(question);
  const code = new Map(passages.map(({ number, text }) => [number, folded(text)]));
  const languageIn = remembered((text: string) => likelyLanguage(text, language));
  const context = { language, languageIn, asked, askedText };
  const covered = new Map<string, Coverage>();
  const topics = spokenWords(
    passages.map(({ title, headingPath, path }) => [title, ...headingPath, path].join('\n')).join('\n'),
    language,
  );
  return {
    asked,
    mismatch: mismatchFinder(sentences, language),
    ordered,
    language,
    isTopic: topics.has,
    coverDenial: (statement, denies) => {
      const pool = sentences.filter(({ text }) => denies(text) || isNegated(text));
      return pool.length === 0 ? [] : coverWhole(statement, pool, { ...context, all: sentences }).passages;
    },
    question: askedText,
    read: (text) => spokenWords(text, languageIn(text)),
    sentences,
    unknownWords: (statement, numbers) => {
      const { own, ownDetails } = readStatement(statement, context);
      const cited = sentences.filter(({ passage }) => numbers.includes(passage));
      const unknown = own.filter((word) => !cited.some(({ words }) => words.has(word)));
      return {
        words: [...new Set(unknown.map(({ written }) => written))],
        own: new Set(own.map(({ written }) => written)).size,
        details: ownDetails.length,
        inOrders: unknown.some((word) => ordered.has(word)),
      };
    },
    cover: (statement, only) => {
      const key = `${only?.join(',') ?? ''}\n${statement}`;
      const known = covered.get(key);
      if (known !== undefined) return known;
      const pool = only === undefined ? sentences : sentences.filter(({ passage }) => only.includes(passage));
      const coverage = coverWhole(withoutAnswerWord(statement), pool, { ...context, all: sentences });
      covered.set(key, coverage);
      return coverage;
    },
    coverCode: (text) => {
      const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:```|~~~)/.test(line));
      const holds = (passage: string): boolean => lines.every((line) => passage.includes(folded(line).trim()));
      return lines.length === 0
        ? []
        : [...code]
            .filter(([, passage]) => holds(passage))
            .map(([number]) => number)
            .slice(0, 1);
    },
  };
}

function folded(text: string): string {
  return foldText(text).text;
}

/** What a statement is read with. */
interface StatementContext {
  readonly language: string;
  /** The language of a statement, as far as it can be told. */
  readonly languageIn: (statement: string) => string;
  readonly asked: SpokenWords;
  readonly askedText: CompiledPassage;
}

/** What a statement is compared with besides the sentences. */
interface CoverContext extends StatementContext {
  readonly all: readonly SourceSentence[];
}

/** The words and details of a statement: those of its own, and those that the question has. */
interface ReadStatement {
  readonly words: readonly SpokenWord[];
  readonly own: readonly SpokenWord[];
  readonly repeated: readonly SpokenWord[];
  readonly details: readonly Detail[];
  readonly ownDetails: readonly Detail[];
}

function readStatement(statement: string, { languageIn, asked, askedText }: StatementContext): ReadStatement {
  const details = detailsOf(statement, findQuotations(statement));
  const { words } = spokenWords(blanked(statement, details), languageIn(statement));
  return {
    words,
    own: words.filter((word) => !asked.has(word)),
    repeated: words.filter((word) => asked.has(word)),
    details,
    ownDetails: details.filter((detail) => lookUp(detail, [askedText]).kind !== null),
  };
}

function compiledText(text: string): CompiledPassage {
  return { number: 0, ...compileText(text, [foldText(text)]) };
}

function coverWhole(statement: string, pool: readonly SourceSentence[], around: CoverContext): Coverage {
  const whole = coverPart(statement, pool, around);
  if (whole.missing.length === 0) return whole;
  const parts = statementsOf(statement, around.language);
  if (parts.length < 2) return whole;
  const covered = parts.map((part) => coverPart(part, pool, around));
  if (covered.some(({ missing }) => missing.length > 0)) return whole;
  return {
    passages: [...new Set(covered.flatMap((part) => part.passages))],
    missing: [],
    restates: whole.restates,
  };
}

/** A part that is shorter than this, in words and details, is no statement of its own. */
const MIN_PART = 3;
const JOINTS =
  /;\s+|[,，、]\s*(?:and|but|while|which|so|or|und|aber|wobei|et|mais|y|pero|e|ma|en|maar)\s+|\s+(?:and|but|und|aber|et|mais|y|pero)\s+|(?<=[가-힣](?:고|며|지만|으나)),?\s+|[，；]/giu;

/** The statements that a sentence joins; one when it joins none. */
function statementsOf(statement: string, language: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: joint, index } of [...statement.matchAll(JOINTS), { 0: '', index: statement.length }]) {
    const part = statement.slice(start, index);
    const isLast = index === statement.length;
    if (sizeOf(part, language) < MIN_PART && !isLast) continue;
    if (isLast && sizeOf(part, language) < MIN_PART && parts.length > 0) parts.push(`${parts.pop() ?? ''} ${part}`);
    else parts.push(part);
    start = index + joint.length;
  }
  return parts;
}

function sizeOf(part: string, language: string): number {
  const details = detailsOf(part, findQuotations(part));
  return spokenWords(blanked(part, details), language).words.length + details.length;
}

/** A longer sentence is a list of many things, and is not compared as one statement. */
const MAX_STATEMENT = 1000;

/** Whether a detail can be told from chance: a quotation of one letter stands in any passage. */
function saysSomething(detail: Detail, language: string): boolean {
  if (detail.kind !== 'quotation') return true;
  return /\p{N}/u.test(detail.text) || spokenWords(detail.text, language).words.length > 0;
}

function coverPart(statement: string, pool: readonly SourceSentence[], around: CoverContext): Coverage {
  const { language, all } = around;
  const { words, own, repeated, details, ownDetails } = readStatement(statement, around);
  const restates = own.length + ownDetails.length === 0;
  const isEmpty = words.length === 0 && !details.some((detail) => saysSomething(detail, language));
  if (isEmpty || statement.length > MAX_STATEMENT) return { passages: [], missing: [statement.trim()], restates };
  let nearest: readonly string[] | null = null;
  for (const sentence of pool) {
    const missing = [
      ...own.filter((word) => !sentence.words.has(word)),
      ...repeated.filter((word) => !sentence.words.has(word) && (restates || isElsewhere(word, sentence, all))),
    ].map(({ written }) => written);
    if (missing.length === 0) {
      const wanted = details.filter(
        (detail) => ownDetails.includes(detail) || restates || isDetailElsewhere(detail, sentence, all),
      );
      const lacking = wanted.filter((detail) => lookUp(detail, [sentence.compiled()]).kind !== null);
      if (lacking.length === 0) {
        const isAbout = (clause: string): boolean => shares(clause, words, details, language);
        if (agrees(statement, sentence.text, isAbout)) return { passages: [sentence.passage], missing: [], restates };
        nearest = [statement.trim()];
        continue;
      }
      missing.push(...lacking.map(({ start, end }) => statement.slice(start, end)));
    }
    if (nearest === null || missing.length < nearest.length) nearest = missing;
  }
  return { passages: [], missing: [...new Set(nearest ?? [statement.trim()])], restates };
}

/** Whether a clause has a word or a value of a statement. */
function shares(clause: string, words: readonly SpokenWord[], details: readonly Detail[], language: string): boolean {
  const there = spokenWords(clause, language);
  if (words.some((word) => there.has(word))) return true;
  if (details.length === 0 || !/\p{N}/u.test(clause)) return false;
  const compiled = compiledText(clause);
  return details.some((detail) => lookUp(detail, [compiled]).kind === null);
}

/** Whether a subject of the question is spoken of in another sentence of the passages, so that this one may be about something else. */
function isElsewhere(word: SpokenWord, here: SourceSentence, all: readonly SourceSentence[]): boolean {
  return isSpecific(word) && all.some((other) => other !== here && other.words.has(word));
}

function isDetailElsewhere(detail: Detail, here: SourceSentence, all: readonly SourceSentence[]): boolean {
  return all.some((other) => other !== here && lookUp(detail, [other.compiled()]).kind === null);
}
