import { detectLanguage, type PromptPassage, type TextRange } from '@kebab/core';
import { compileText, once, remembered, type CompiledPassage } from './compile-passage.ts';
import { foldText, likelyLanguage } from './content-words.ts';
import { detailsOf, lookUp, type Detail } from './details.ts';
import { isLight, isMeasure } from './meanings.ts';
import { misplaced } from './placement.ts';
import {
  aligned,
  CLAUSES,
  DEADLINE,
  findDisagreement,
  isDirection,
  isModal,
  isNegated,
  speaksOf,
  withoutAnswerWord,
} from './polarity.ts';
import { hardWords, mentions, type HardWord } from './rates.ts';
import { valueOfWord } from './quantity-words.ts';
import { findQuotations } from './find-quotations.ts';
import { blanked } from './sorted-ranges.ts';
import { isTalk } from './small-talk.ts';
import { sourceSentences, type SourceSentence } from './source-sentences.ts';
import {
  isSpecific,
  lackedBy,
  sharedSize,
  sizeOf,
  spokenWords,
  type SpokenWord,
  type SpokenWords,
} from './spoken-words.ts';

/** Why a part of a statement is not covered. */
export type GapKind =
  /** No passage has the word. */
  | 'unknown'
  /** The passages have the word or the value elsewhere, not with the rest of its clause. */
  | 'apart'
  /** The words stand there with another polarity, opposite, bound or modal. */
  | 'reversed'
  /** The value stands there beside another subject. */
  | 'shifted';

/** A part of a statement that its passages do not say. */
export interface Gap extends TextRange {
  readonly kind: GapKind;
  /** What stands there in its place, if a word can be named. */
  readonly there: string | null;
  /** The word that is lacking, if it is one. */
  readonly word: SpokenWord | null;
  /** The clause that it belongs to. */
  readonly clause: Clause;
}

/** What the passages of a prompt say about a statement. */
export interface Coverage {
  /** The passages that say it, in order; empty when none does. */
  readonly passages: readonly number[];
  /** What they lack or say otherwise; empty when they say it. */
  readonly gaps: readonly Gap[];
  /** What the nearest sentence lacks of it, as written. */
  readonly missing: readonly string[];
  /** Whether it says nothing that the question did not say. */
  readonly restates: boolean;
}

/** A value in a text: a number or a date. */
type Value = Exclude<Detail, { readonly kind: 'quotation' }>;

/** A clause of a statement or of a sentence of a passage, with what it says. */
export interface Clause extends TextRange {
  readonly text: string;
  readonly words: SpokenWords;
  readonly details: readonly Detail[];
  readonly hard: readonly HardWord[];
  readonly compiled: () => CompiledPassage;
  readonly isNegated: () => boolean;
  /** What joins it to the clause before it. */
  readonly joint: string;
}

/** Compares statements with the passages of one prompt. */
export interface Coverer {
  /** `only` restricts the comparison to these passages; `aside` are ranges of the statement that are judged by themselves. */
  readonly cover: (statement: string, only?: readonly number[], aside?: readonly TextRange[]) => Coverage;
  /** The words of a statement that neither the question nor any of these passages has. */
  readonly unknownWords: (statement: string, passages: readonly number[]) => UnknownWords;
  /** The passages that contain a text of code, line by line. */
  readonly coverCode: (code: string) => readonly number[];
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

/** The own words of a statement that passages lack. */
export interface UnknownWords {
  /** As written, in order. */
  readonly words: readonly string[];
  /** How much its own words say, and those of them that are lacking. */
  readonly own: number;
  readonly lacking: number;
  /** How many numbers, dates and quotations of its own the statement has. */
  readonly details: number;
}

/** A longer sentence is a list of many things, and is not compared as one statement. */
const MAX_STATEMENT = 1000;

/**
 * Prepares the passages of a prompt for comparison. Passages cover a statement when each of its clauses stands in one of their sentences,
 * read with its title, headings, the lead-in of its list and what a pronoun refers to: every word that carries meaning, every number, date
 * and quotation, with the same polarity, and each value beside the same subject. Two kinds of words are set aside: those that carry no
 * meaning, and those the question already said; but a subject of the question that stands elsewhere in the passages, and not in that
 * sentence, shows that the sentence is about something else. Orders to the reader of the prompt cover nothing.
 */
export function covererOf(passages: readonly PromptPassage[], question: string): Coverer {
  const sentences = passages.flatMap(({ number, text, title, headingPath, path, orders }) =>
    sourceSentences({ number, text: blanked(text, orders), head: [title, ...headingPath, path].join('\n') }),
  );
  const orders = passages.flatMap(({ text, orders: ranges }) => ranges.map(({ start, end }) => text.slice(start, end)));
  const ordered = spokenWords(orders.join('\n'));
  const language = detectLanguage(passages.map(({ text }) => text).join('\n'));
  const languageIn = remembered((text: string) => likelyLanguage(text, language));
  const asked = spokenWords(question, languageIn(question));
  const askedText = compileText(question);
  const code = new Map(passages.map(({ number, text }) => [number, foldText(text).text]));
  const read = remembered((text: string) => spokenWords(text, languageIn(text)));
  const clausesIn = remembered((text: string) => clausesOf(text, (part) => spokenWords(part, languageIn(text))));
  const context: CoverContext = { asked, askedText, all: sentences, clausesIn };
  const topics = spokenWords(
    passages.map(({ title, headingPath, path }) => [title, ...headingPath, path].join('\n')).join('\n'),
    language,
  );
  const covered = new Map<string, Coverage>();
  return {
    asked,
    ordered,
    language,
    isTopic: topics.has,
    question: askedText,
    read,
    sentences,
    unknownWords: (statement, numbers) => {
      const details = detailsOf(statement, findQuotations(statement));
      const own = read(blanked(statement, details)).words.filter((word) => !asked.has(word));
      const unknown = lackedBy(own, [asked, ...poolOf(sentences, numbers).map(({ words }) => words)]);
      return {
        words: [...new Set(unknown.map(({ written }) => written))],
        own: sizeOfAll(own),
        lacking: sizeOfAll(unknown),
        details: details.filter((detail) => lookUp(detail, [askedText]).kind !== null).length,
      };
    },
    cover: (statement, only, aside = []) => {
      const key = `${only?.join(',') ?? ''}\n${aside.map(({ start }) => start).join(',')}\n${statement}`;
      const known = covered.get(key);
      if (known !== undefined) return known;
      const coverage = coverStatement(statement, poolOf(sentences, only), { ...context, aside });
      covered.set(key, coverage);
      return coverage;
    },
    coverCode: (text) => {
      const lines = text.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\s*(?:```|~~~)/.test(line));
      const holdsAll = (passage: string): boolean =>
        lines.every((line) => passage.includes(foldText(line).text.trim()));
      return lines.length === 0
        ? []
        : [...code]
            .filter(([, passage]) => holdsAll(passage))
            .map(([number]) => number)
            .slice(0, 1);
    },
  };
}

/** How much different words say. */
function sizeOfAll(words: readonly SpokenWord[]): number {
  const different = new Map(words.map((word) => [word.written, sizeOf(word)]));
  return [...different.values()].reduce((sum, size) => sum + size, 0);
}

/** The sentences of these passages, repeated ones once. */
function poolOf(sentences: readonly SourceSentence[], only?: readonly number[]): readonly SourceSentence[] {
  if (only === undefined) return sentences;
  const seen = new Set<string>();
  return sentences.filter(({ passage, whole }) => {
    if (!only.includes(passage) || seen.has(whole)) return false;
    seen.add(whole);
    return true;
  });
}

/** What a statement is compared with besides the sentences. */
interface CoverContext {
  readonly asked: SpokenWords;
  readonly askedText: CompiledPassage;
  readonly all: readonly SourceSentence[];
  readonly clausesIn: (text: string) => readonly Clause[];
  readonly aside?: readonly TextRange[];
}

function coverStatement(statement: string, pool: readonly SourceSentence[], context: CoverContext): Coverage {
  const said = withoutAnswerWord(statement);
  const offset = statement.length - said.length;
  const clauses = statement.length > MAX_STATEMENT ? [] : context.clausesIn(said);
  const saysSomething = clauses.some(
    ({ words, details }) => words.words.some(isCompared) || details.some((detail) => isTelling(detail)),
  );
  const own = (clause: Clause): boolean =>
    clause.words.words.some((word) => !context.asked.has(word)) ||
    clause.details.some((detail) => lookUp(detail, [context.askedText]).kind !== null);
  const restates = !clauses.some(own);
  if (!saysSomething) return { passages: [], gaps: [], missing: [statement.trim()], restates };
  const aside = (context.aside ?? []).map(({ start, end }) => ({ start: start - offset, end: end - offset }));
  const inner = { ...context, restates, aside };
  const found: FoundClause[] = [];
  for (const clause of clauses) {
    // The sentence of the clause before is tried first.
    const last = found.at(-1)?.sentence;
    found.push(coverClause(clause, last === undefined ? pool : [last, ...pool.filter((each) => each !== last)], inner));
  }
  const gaps = [...found.flatMap((each) => each.gaps), ...turnedIn(said, found, inner)].map((gap) => ({
    ...gap,
    start: gap.start + offset,
    end: gap.end + offset,
  }));
  const passages = [...new Set(found.flatMap(({ passage }) => (passage === null ? [] : [passage])))];
  const missing = [
    ...new Set(
      gaps.map(({ start, end, kind, word }) =>
        kind === 'reversed' || kind === 'shifted' ? statement.trim() : (word?.written ?? statement.slice(start, end)),
      ),
    ),
  ];
  return { passages: gaps.length === 0 ? passages : [], gaps, missing, restates };
}

/** Whether a detail can be told from chance: a quotation of one letter stands in any passage. */
function isTelling(detail: Detail): boolean {
  return detail.kind !== 'quotation' || /\p{N}/u.test(detail.text) || spokenWords(detail.text).words.length > 0;
}

/** A part of a sentence with fewer words and values is no clause of its own. */
const MIN_CLAUSE = 2;

/** What gives a reason is a statement of its own. */
const CAUSE = /because|unless|weil|parce que|porque|perché|omdat|ponieważ|потому/iu;
/** The clauses of a sentence; one without a statement of its own joins its neighbour. */
export function clausesOf(sentence: string, read: (text: string) => SpokenWords): readonly Clause[] {
  const quotations = findQuotations(sentence);
  const details = detailsOf(sentence, quotations);
  // The half of `half an hour` is part of a value.
  const hard = hardWords(sentence).filter(
    ({ kind, start }) => kind === 'unit' || !details.some((each) => each.start <= start && start < each.end),
  );
  const plain = blanked(sentence, [...details, ...hard]).replace(DEADLINE, (all) => ' '.repeat(all.length));
  const size = ({ start, end }: TextRange): number =>
    read(plain.slice(start, end)).words.reduce((sum, word) => sum + sizeOf(word), 0) +
    hard.filter((word) => word.start >= start && word.start < end).length +
    details.filter((detail) => detail.start >= start && detail.start < end).length;
  const hasValue = ({ start, end }: TextRange): boolean =>
    details.some((detail) => detail.start >= start && detail.start < end);
  const ranges: { start: number; end: number; joint: string }[] = [];
  let start = 0;
  let joined = '';
  for (const { 0: joint, index } of [
    ...blanked(sentence, details).matchAll(CLAUSES),
    { 0: '', index: sentence.length },
  ]) {
    // `5–6 km` is one value.
    if (/[—–]/u.test(joint) && /\d$/.test(sentence.slice(0, index)) && /^\d/.test(sentence.slice(index + 1))) continue;
    const last = ranges.at(-1);
    const own = size({ start, end: index });
    const part = sentence.slice(start, index);
    // `has a volume of 140 L` says something of its one value.
    const saysValue = hasValue({ start, end: index }) && part.trim().split(/\s+/u).length > MIN_CLAUSE + 1;
    const stands = own >= MIN_CLAUSE || (own > 0 && (saysValue || CAUSE.test(joined) || isNegated(part)));
    const isLast = index === sentence.length;
    // What follows a semicolon begins a clause, however short.
    if (!stands && last !== undefined && (isLast || !/[;；:：]/u.test(joined))) last.end = index;
    else if (stands || isLast) ranges.push({ start, end: index, joint: joined });
    else continue;
    start = index + joint.length;
    joined = joint;
  }
  return ranges.map(({ start: from, end, joint }): Clause => {
    const text = sentence.slice(from, end);
    const own = details.filter((detail) => detail.start >= from && detail.start < end);
    return {
      start: from,
      end,
      text,
      joint,
      words: read(plain.slice(from, end)),
      details: own,
      hard: hard.filter((word) => word.start >= from && word.start < end),
      compiled: once(() => compileText(text)),
      isNegated: once(() => isNegated(text)),
    };
  });
}

interface ClauseContext extends CoverContext {
  readonly restates: boolean;
  readonly aside: readonly TextRange[];
}

/** Whether a word is more than a negation and talk of the answer and its sources: `the passage speaks of`. */
function isCompared(word: SpokenWord): boolean {
  if (isNegated(word.written) || isDirection(word.written)) return false;
  const isAboutAnswer = isTalk(word.written) || (word.kind === 'cjk' && isTalk(word.stem.normalize('NFC')));
  return !isAboutAnswer || speaksOf(word, word.written) || /^(?:good|great|free|a)$/iu.test(word.written);
}

/** Whether a text has the number that a word means: `elf` of 11 journeymen. */
function hasNumber(text: string, { written }: SpokenWord): boolean {
  const value = valueOfWord(written);
  return value !== null && new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text);
}

/** What one sentence lacks of a clause. */
interface Lacking {
  readonly words: readonly SpokenWord[];
  readonly details: readonly Detail[];
  readonly hard: readonly HardWord[];
}

/** A clause of a statement with the sentence that is nearest to it. */
interface FoundClause {
  readonly clause: Clause;
  readonly passage: number | null;
  /** The clauses there that have most of it. */
  readonly near: readonly Near[];
  readonly sentence: SourceSentence | undefined;
  readonly gaps: readonly Gap[];
}

/** The passage that covers a clause, and what the nearest of its sentences lacks or says otherwise. */
function coverClause(clause: Clause, pool: readonly SourceSentence[], context: ClauseContext): FoundClause {
  const { asked, askedText, all, restates, aside } = context;
  const isAside = ({ start, end }: TextRange): boolean => aside.some((range) => range.start < end && start < range.end);
  const details = clause.details.filter((detail) => !isAside(detail));
  const hard = clause.hard.filter((word) => !isAside(word));
  const hasValue = clause.details.some(({ kind }) => kind === 'number');
  const compared = clause.words.words.filter((word) => isCompared(word) && !(hasValue && isMeasure(word.written)));
  const texts = [asked, ...pool.map(({ words }) => words)];
  const own = compared.filter(
    (word) => !asked.has(word) && !(isLight(word.written) && lackedBy([word], texts).length > 0),
  );
  const repeated = compared.filter((word) => asked.has(word));
  const unknown = new Set(
    lackedBy(own, texts).filter((word) => !pool.some(({ whole }) => speaksOf(word, whole) || hasNumber(whole, word))),
  );
  const isWanted = (detail: Detail, sentence: SourceSentence): boolean =>
    restates || lookUp(detail, [askedText]).kind !== null || isDetailElsewhere(detail, sentence, all);
  const lackingIn = (sentence: SourceSentence): Lacking => ({
    words: [
      ...lackedBy(own, [asked, sentence.words]).filter(
        (word) => !unknown.has(word) && !speaksOf(word, sentence.whole) && !hasNumber(sentence.whole, word),
      ),
      ...lackedBy(repeated, [sentence.words]).filter(
        (word) => (restates || isElsewhere(word, sentence, all)) && !speaksOf(word, sentence.whole),
      ),
    ],
    details: details.filter(
      (detail) => lookUp(detail, [sentence.compiled()]).kind !== null && isWanted(detail, sentence),
    ),
    hard: hard.filter((word) => !mentions(sentence.whole, word)),
  });
  let best: { lacking: Lacking; cost: number; sentence: SourceSentence } | null = null;
  for (const sentence of pool) {
    const lacking = lackingIn(sentence);
    const base = lacking.words.length + lacking.details.length + lacking.hard.length;
    if (best !== null && base >= best.cost) continue;
    const cost =
      base +
      (disagreement(
        clause.text,
        [{ ...clause, start: 0, end: clause.text.length }],
        nearest(clause, sentence, context),
      ) === null
        ? 0
        : 0.5) +
      (misplacedIn(clause, sentence, context) === null ? 0 : 0.75);
    if (best === null || cost < best.cost) best = { lacking, cost, sentence };
    if (cost === 0) break;
  }
  const nowhere = [...unknown].map((word) => wordGap(word, clause, 'unknown'));
  if (best === null)
    return {
      clause,
      passage: null,
      near: [],
      sentence: undefined,
      gaps: [...nowhere, ...gapsOf({ words: own, details, hard }, clause)],
    };
  const { sentence, lacking } = best;
  return {
    clause,
    passage: sentence.passage,
    near: nearest(clause, sentence, context),
    sentence,
    gaps: [...nowhere, ...gapsOf(lacking, clause)],
  };
}

function gapsOf({ words, details, hard }: Lacking, clause: Clause): readonly Gap[] {
  return [
    ...words.map((word) => wordGap(word, clause, 'apart')),
    ...[...details, ...hard].map(
      ({ start, end }) => ({ start, end, kind: 'apart', there: null, word: null, clause }) as const,
    ),
  ];
}

function wordGap(word: SpokenWord, clause: Clause, kind: GapKind): Gap {
  const at = clause.text.indexOf(word.written);
  const range =
    at === -1
      ? { start: clause.start, end: clause.end }
      : { start: clause.start + at, end: clause.start + at + word.written.length };
  return { ...range, kind, there: null, word, clause };
}

/** The clauses of a sentence, and of what it refers to, that have most of a clause; empty where one is a copy of it. */
function nearest(clause: Clause, { spoken }: SourceSentence, { clausesIn }: CoverContext): readonly Near[] {
  const clauses = spoken.flatMap((sentence) => clausesIn(sentence).map((each) => ({ clause: each, sentence })));
  if (clauses.some((each) => each.clause.text.trim() === clause.text.trim())) return [];
  const words = aligned(clause.words.words).filter(isCompared);
  const values = valuesOf(clause);
  // One word or value says nothing that a sentence with it could turn round.
  const isThin = words.length + values.length + clause.hard.length < MIN_CLAUSE;
  const isContrast = ({ sentence }: Near): boolean =>
    clauses.some((each) => each.sentence === sentence && !each.clause.isNegated());
  // `Insurance is compulsory` where it is `recommended, but not compulsory`.
  const modals = clause.words.words.filter(({ written }) => isModal(written));
  const shared = clauses.map(
    (each) =>
      sharedSize(words, each.clause.words) +
      modals.filter((word) => each.clause.isNegated() && each.clause.words.has(word)).length +
      values.filter((value) => holds(value, each.clause)).length +
      (isContrast(each) && isExclusion(each.clause, clause) ? EXCLUSION : 0),
  );
  const most = Math.max(0, ...shared);
  if (words.length === 0) return [];
  const near = most === 0 ? [] : clauses.filter((_, at) => shared[at] === most);
  return isThin ? near.filter((each) => aligned(each.clause.words.words).length <= MIN_CLAUSE) : near;
}

/** More than any clause shares. */
const EXCLUSION = 100;

/** Whether a clause there is negated and has no other words than a clause of a statement: `not with ibuprofen`, `electricity is not`. */
function isExclusion({ isNegated: isDenied, words, details }: Clause, clause: Clause): boolean {
  if (!isDenied()) return false;
  const there = aligned(words.words);
  return details.length === 0 && there.length > 0 && lackedBy(there, [clause.words]).length === 0;
}

/** A clause of a passage with the sentence it stands in. */
interface Near {
  readonly clause: Clause;
  readonly sentence: string;
}

/** Where clauses of a statement do not agree with the nearest ones of a passage; of the rest of the statement nothing is read. */
function disagreement(
  statement: string,
  clauses: readonly Clause[],
  near: readonly Near[],
): (TextRange & { there: string | null }) | null {
  const [first] = near;
  if (first === undefined) return null;
  const rest: TextRange[] = [];
  let from = 0;
  for (const { start, end } of clauses.toSorted((a, b) => a.start - b.start)) {
    rest.push({ start: from, end: start });
    from = end;
  }
  const said = blanked(statement, [...rest, { start: from, end: statement.length }]);
  const there = near.map(({ clause }) => clause.text).join(' , ');
  return findDisagreement(said, there, first.sentence);
}

/** What the sentences that cover a statement say otherwise. */
function turnedIn(statement: string, found: readonly FoundClause[], context: ClauseContext): readonly Gap[] {
  return found.flatMap(({ clause, near, sentence }): readonly Gap[] => {
    // Clauses that stand in one clause there are compared together: `if it is hot, do not open it`.
    const together = found.filter((each) =>
      each.near.some(({ clause: there }) => near.some((own) => own.clause === there)),
    );
    const alone = disagreement(statement, [clause], near);
    const said =
      alone === null || together.length < 2
        ? alone
        : disagreement(
            statement,
            together.map((each) => each.clause),
            near,
          );
    if (said !== null && alone !== null)
      return [{ start: alone.start, end: alone.end, kind: 'reversed', there: alone.there, word: null, clause }];
    const strange = sentence === undefined ? null : misplacedIn(clause, sentence, context);
    if (strange === null) return [];
    return 'stem' in strange
      ? [wordGap(strange, clause, 'shifted')]
      : [{ start: strange.start, end: strange.end, kind: 'shifted', there: null, word: null, clause }];
  });
}

/** What of a clause stands elsewhere in a sentence than with the rest of it. */
function misplacedIn(
  clause: Clause,
  sentence: SourceSentence,
  { clausesIn }: CoverContext,
): SpokenWord | Detail | null {
  const isRow = sentence.text.includes('|');
  return isRow
    ? null
    : misplaced(clause, {
        clauses: clausesIn(sentence.text),
        before: clausesIn(sentence.before),
        context: sentence.context,
      });
}

function valuesOf({ details }: Clause): readonly Value[] {
  return details.filter((detail): detail is Value => detail.kind !== 'quotation');
}

function holds(value: Value, clause: Clause): boolean {
  return lookUp(value, [clause.compiled()]).kind === null;
}

/** Whether a subject of the question is spoken of in another sentence of the passages, so that this one may be about something else. */
function isElsewhere(word: SpokenWord, here: SourceSentence, all: readonly SourceSentence[]): boolean {
  return isSpecific(word) && all.some((other) => other !== here && other.words.has(word));
}

function isDetailElsewhere(detail: Detail, here: SourceSentence, all: readonly SourceSentence[]): boolean {
  return all.some((other) => other !== here && lookUp(detail, [other.compiled()]).kind === null);
}
