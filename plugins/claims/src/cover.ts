import { detectLanguage, type PromptPassage, type TextRange } from '@kebab/core';
import { clausesOf, MIN_CLAUSE, stands, type Clause, type Source, type Token } from './clauses.ts';
import { compileText, once, remembered, type CompiledPassage } from './compile-passage.ts';
import { likelyLanguage } from './content-words.ts';
import { isLight, isMeasure } from './meanings.ts';
import { misplaced } from './placement.ts';
import {
  aligned,
  findDisagreement,
  isBound,
  isDirection,
  isModal,
  isNegated,
  isOtherOrder,
  speaksOf,
  withoutAnswerWord,
} from './polarity.ts';
import { valueOfWord } from './number-words.ts';
import { isTalk } from './small-talk.ts';
import { blanked } from './sorted-ranges.ts';
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
  /** The word, value or clause as written. */
  readonly written: string;
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

/** Compares statements with the passages of one prompt. */
export interface Coverer {
  /** `only` restricts the comparison to these passages; `aside` are ranges of the statement that are judged by themselves. */
  readonly cover: (statement: string, only?: readonly number[], aside?: readonly TextRange[]) => Coverage;
  /** The words of a statement that neither the question nor any of these passages has. */
  readonly unknownWords: (statement: string, passages: readonly number[]) => UnknownWords;
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

/**
 * Prepares the passages of a prompt for comparison. Passages cover a statement when each of its clauses stands in one of their sentences,
 * read with its title, headings, the lead-in of its list and what a pronoun refers to: every word that carries meaning, every number, date
 * and quotation, with the same polarity, and each value beside the same subject. Two kinds of words are set aside: those that carry no
 * meaning, and those the question already said; but a subject of the question that stands elsewhere in the passages, and not in that
 * sentence, shows that the sentence is about something else. Orders to the reader of the prompt cover nothing.
 */
export function covererOf(passages: readonly PromptPassage[], question: string): Coverer {
  const sentences = passages.flatMap(({ number, text, title, headingPath, path, orders }) =>
    sourceSentences(number, blanked(text, orders), [title, ...headingPath, path].join('\n')),
  );
  const orders = passages.flatMap(({ text, orders: ranges }) => ranges.map(({ start, end }) => text.slice(start, end)));
  const language = detectLanguage(passages.map(({ text }) => text).join('\n'));
  const read = remembered((text: string) => spokenWords(text, likelyLanguage(text, language)));
  const asked = { whole: question, words: read(question), compiled: once(() => compileText(question)) };
  const clausesIn = remembered((text: string) => clausesOf(text, read));
  const context: CoverContext = { asked, all: sentences, clausesIn, aside: [] };
  const topics = passages.map(({ title, headingPath, path }) => [title, ...headingPath, path].join('\n')).join('\n');
  const pools = remembered((numbers: string) => poolOf(sentences, numbers.split(',').map(Number)));
  const poolFor = (only?: readonly number[]): readonly SourceSentence[] =>
    only === undefined ? sentences : pools(only.join(','));
  const covered = new Map<string, Coverage>();
  return {
    asked: asked.words,
    ordered: spokenWords(orders.join('\n')),
    language,
    isTopic: spokenWords(topics, language).has,
    question: asked.compiled(),
    read,
    sentences,
    unknownWords: (statement, numbers) => {
      const tokens = clausesIn(statement).flatMap((clause) => clause.tokens);
      const own = tokens.flatMap((each) => (each.kind === 'word' && !asked.words.has(each.word) ? [each.word] : []));
      const unknown = lackedBy(own, [asked.words, ...poolFor(numbers).map(({ words }) => words)]);
      return {
        words: [...new Set(unknown.map(({ written }) => written))],
        own: sizeOfAll(own),
        lacking: sizeOfAll(unknown),
        details: tokens.filter((each) => each.kind === 'detail' && !stands(each, asked)).length,
      };
    },
    cover: (statement, only, aside = []) => {
      const key = `${only?.join(',') ?? ''}\n${aside.map(({ start }) => start).join(',')}\n${statement}`;
      const coverage = covered.get(key) ?? coverStatement(statement, poolFor(only), { ...context, aside });
      covered.set(key, coverage);
      return coverage;
    },
  };
}

/** How much different words say. */
function sizeOfAll(words: readonly SpokenWord[]): number {
  const different = new Map(words.map((word) => [word.written, sizeOf(word)]));
  return [...different.values()].reduce((sum, size) => sum + size, 0);
}

/** The sentences of these passages, repeated ones once. */
function poolOf(sentences: readonly SourceSentence[], only: readonly number[]): readonly SourceSentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ passage, whole }) => only.includes(passage) && !seen.has(whole) && seen.add(whole));
}

/** What a statement is compared with besides the sentences. */
interface CoverContext {
  readonly asked: Source;
  readonly all: readonly SourceSentence[];
  readonly clausesIn: (text: string) => readonly Clause[];
  readonly aside: readonly TextRange[];
}

function coverStatement(statement: string, pool: readonly SourceSentence[], context: CoverContext): Coverage {
  const said = withoutAnswerWord(statement);
  const offset = statement.length - said.length;
  const clauses = context.clausesIn(said);
  const tokens = clauses.flatMap((clause) => clause.tokens);
  const restates = !tokens.some((token) => token.kind !== 'rate' && !stands(token, context.asked));
  if (!tokens.some(isTelling)) return { passages: [], gaps: [], missing: [statement.trim()], restates };
  const aside = context.aside.map(({ start, end }) => ({ start: start - offset, end: end - offset }));
  const covered: CoveredClause[] = [];
  for (const clause of clauses) {
    // The sentence of the clause before is tried first.
    const last = covered.at(-1)?.nearest?.sentence;
    const ordered = last === undefined ? pool : [last, ...pool.filter((each) => each !== last)];
    covered.push(coverClause(clause, ordered, { ...context, restates, aside }));
  }
  const isReordered =
    covered.length > 1 && covered.some(({ nearest }) => isOtherOrder(said, nearest?.sentence.text ?? ''));
  const reordered: Gap = { kind: 'reversed', start: 0, end: said.length, there: null, written: said };
  const gaps = [
    ...covered.flatMap((each) => [...each.gaps, ...turnedIn(each, covered)]),
    ...(isReordered ? [reordered] : []),
  ].map((each) => ({ ...each, start: each.start + offset, end: each.end + offset }));
  const passages = covered.flatMap(({ nearest }) => (nearest === null ? [] : [nearest.sentence.passage]));
  return {
    passages: gaps.length === 0 ? [...new Set(passages)] : [],
    gaps,
    missing: [...new Set(gaps.map((each) => (/reversed|shifted/.test(each.kind) ? statement.trim() : each.written)))],
    restates,
  };
}

/** Whether a token can be told from chance: a quotation of one letter stands in any passage. */
function isTelling(token: Token): boolean {
  if (token.kind === 'word') return isCompared(token.word);
  if (token.kind === 'rate' || token.detail.kind !== 'quotation') return token.kind === 'detail';
  return /\p{N}/u.test(token.detail.text) || spokenWords(token.detail.text).words.length > 0;
}

/** Whether a word is more than a negation and talk of the answer and its sources: `the passage speaks of`. */
function isCompared(word: SpokenWord): boolean {
  if (isNegated(word.written) || isDirection(word.written) || isBound(word.written)) return false;
  const isAboutAnswer = isTalk(word.written) || (word.kind === 'cjk' && isTalk(word.stem.normalize('NFC')));
  return !isAboutAnswer || speaksOf(word, word.written) || /^(?:good|great|free|a)$/iu.test(word.written);
}

/** Whether a text speaks of what a word is about, or has the number that it means: `elf` of 11 journeymen. */
function isSaidOf(word: SpokenWord, { whole }: Source): boolean {
  const value = valueOfWord(word.written);
  return speaksOf(word, whole) || (value !== null && new RegExp(`(?<!\\d)${value}(?!\\d)`).test(whole));
}

/** A sentence compared with a clause of a statement. */
interface Nearest {
  readonly sentence: SourceSentence;
  readonly lacking: readonly Token[];
  /** Its clauses that have most of the clause. */
  readonly near: readonly Near[];
  /** What stands there beside another subject. */
  readonly strange: Token | null;
}

/** A clause of a passage with the sentence it stands in. */
interface Near {
  readonly clause: Clause;
  readonly sentence: string;
}

/** A clause of a statement with the sentence that is nearest to it, and what that lacks. */
interface CoveredClause {
  readonly clause: Clause;
  readonly nearest: Nearest | null;
  readonly gaps: readonly Gap[];
}

function coverClause(
  clause: Clause,
  pool: readonly SourceSentence[],
  context: CoverContext & { readonly restates: boolean },
): CoveredClause {
  const { asked, all, restates, aside } = context;
  const texts = [asked, ...pool].map(({ words }) => words);
  const isNowhere = ({ kind, word }: Token & { kind: 'word' }): boolean =>
    kind === 'word' && lackedBy([word], texts).length > 0;
  const hasValue = clause.tokens.some((token) => token.kind === 'detail' && token.detail.kind === 'number');
  const isOfQuestion = (token: Token): boolean =>
    token.kind === 'word' ? asked.words.has(token.word) : token.kind === 'detail' && stands(token, asked);
  const tokens = clause.tokens.filter((token) =>
    token.kind === 'word'
      ? isCompared(token.word) &&
        !(
          hasValue &&
          (isMeasure(token.word.written) ||
            /^\s(?:than|niż|чем)(?!\p{L})/iu.test(clause.whole.slice(token.end - clause.start)))
        ) &&
        (isOfQuestion(token) || !isLight(token.word.written))
      : !aside.some((range) => range.start < token.end && token.start < range.end),
  );
  const unknown = tokens.filter(
    (token) => token.kind === 'word' && isNowhere(token) && !pool.some((each) => isSaidOf(token.word, each)),
  );
  const known = tokens.filter((token) => !unknown.includes(token));
  const isLacking = (token: Token, sentence: SourceSentence): boolean => {
    const repeats = isOfQuestion(token);
    const together = repeats ? [sentence.words] : [asked.words, sentence.words];
    if (token.kind === 'word' ? lackedBy([token.word], together).length === 0 : stands(token, sentence)) return false;
    if (token.kind === 'word' && isSaidOf(token.word, sentence)) return false;
    // A subject of the question that another sentence speaks of shows that this one may be about something else.
    return (
      restates ||
      !repeats ||
      ((token.kind !== 'word' || isSpecific(token.word)) &&
        all.some((other) => other !== sentence && stands(token, other)))
    );
  };
  let nearest: Nearest | null = null;
  let cost = Infinity;
  for (const sentence of tokens.length === 0 ? pool.slice(0, 1) : pool) {
    const lacking = known.filter((token) => isLacking(token, sentence));
    if (lacking.length >= cost) continue;
    const near = nearClauses(clause, sentence, context);
    const strange = strangeIn(clause, sentence, context);
    const isOpposed = disagreement(clause.whole, comparable(clause, near)) !== null;
    const own = lacking.length + (isOpposed ? 0.5 : 0) + (strange === null ? 0 : 0.75);
    if (own < cost) [nearest, cost] = [{ sentence, lacking, near, strange }, own];
    if (cost === 0) break;
  }
  const gapOf = (kind: GapKind) => (token: Token) => gap(kind, token, clause);
  return {
    clause,
    nearest,
    gaps: [...unknown.map(gapOf('unknown')), ...(nearest?.lacking ?? known).map(gapOf('apart'))],
  };
}

function gap(kind: GapKind, { start, end }: TextRange, clause: Clause, there: string | null = null): Gap {
  return { kind, start, end, there, written: clause.whole.slice(start - clause.start, end - clause.start) };
}

/** The clauses of a sentence, and of what it refers to, that have most of a clause; empty where one is a copy of it. */
function nearClauses(clause: Clause, { spoken }: SourceSentence, { clausesIn }: CoverContext): readonly Near[] {
  const clauses = spoken.flatMap((sentence) => clausesIn(sentence).map((each) => ({ clause: each, sentence })));
  if (clauses.some((each) => each.clause.whole.trim() === clause.whole.trim())) return [];
  const values = clause.tokens.filter((token) => token.kind === 'detail' && token.detail.kind !== 'quotation');
  const every = aligned(clause.words.words);
  const compared = every.filter(isCompared);
  const others = compared.filter((word) => values.length === 0 || !isMeasure(word.written));
  // `whichever comes first`
  const words = [others, compared, every].find((each) => each.length > 0) ?? [];
  if (words.length + values.length === 0) return [];
  const isContrast = ({ sentence }: Near): boolean =>
    clauses.some((each) => each.sentence === sentence && !each.clause.isNegated);
  // `Before boarding, never on board` says of one word that it is both.
  const isRepeated = ({ clause: each, sentence }: Near): boolean =>
    clause.whole.match(/\p{L}+/gu)?.some(isDirection) === true &&
    clauses.some(
      (other) =>
        other.sentence === sentence &&
        other.clause !== each &&
        lackedBy(aligned(each.words.words), [other.clause.words]).length === 0,
    );
  // `Insurance is compulsory` where it is `recommended, but not compulsory`.
  const modals = modalsOf(clause);
  const shared = clauses.map(
    (each) =>
      sharedSize(words, each.clause.words) +
      modals.filter((word) => each.clause.isNegated && each.clause.words.has(word)).length +
      BY_VALUE * values.filter((value) => stands(value, each.clause)).length +
      (isContrast(each) && isExclusion(each.clause, clause) && !isRepeated(each) ? EXCLUSION : 0),
  );
  const max = Math.max(...shared);
  // `At least three times a day` is compared with the bound of the three times.
  const bounds = (each: Clause): boolean =>
    isBound(clause.whole) && isBound(each.whole) && values.some((value) => stands(value, each));
  const near = max === 0 ? [] : clauses.filter((_, at) => shared[at] === max);
  if (near.some((each) => isBound(each.clause.whole))) return near;
  return near.concat(near.length === 0 ? [] : clauses.filter((each) => bounds(each.clause)));
}

function modalsOf({ words }: Clause): readonly SpokenWord[] {
  return words.words.filter(({ written }) => isModal(written));
}

/** Those of the nearest clauses that a clause is compared with by itself: one word or value cannot turn a longer one round. */
function comparable(clause: Clause, near: readonly Near[]): readonly Near[] {
  const others = clause.tokens.filter(({ kind }) => kind !== 'word');
  const isThin =
    aligned(clause.words.words).filter(isCompared).length + modalsOf(clause).length + others.length < MIN_CLAUSE;
  const max = Math.max(MIN_CLAUSE + Number(clause.isNegated), aligned(clause.words.words).length);
  return isThin ? near.filter((each) => aligned(each.clause.words.words).length <= max) : near;
}

/** A value tells more than a word which clause is meant. */
const BY_VALUE = 1.5;
/** More than any clause shares. */
const EXCLUSION = 100;

/** Whether a clause there is negated and has no other words than a clause of a statement: `not with ibuprofen`, `electricity is not`. */
function isExclusion({ isNegated: isDenied, words, tokens }: Clause, clause: Clause): boolean {
  if (!isDenied) return false;
  const there = aligned(words.words);
  return (
    !tokens.some(({ kind }) => kind === 'detail') && there.length > 0 && lackedBy(there, [clause.words]).length === 0
  );
}

/** Where a text does not agree with the nearest clauses of a passage. */
function disagreement(said: string, near: readonly Near[], own = ''): ReturnType<typeof findDisagreement> {
  const [first] = near;
  return first === undefined
    ? null
    : findDisagreement(said, near.map(({ clause }) => clause.whole).join(' , '), own || first.sentence);
}

/** What the sentence that is nearest to a clause says otherwise. */
function turnedIn({ clause, nearest }: CoveredClause, covered: readonly CoveredClause[]): readonly Gap[] {
  if (nearest === null) return [];
  // Clauses that stand in one clause there are compared together: `if it is hot, do not open it`.
  const together = covered.filter((each) =>
    each.nearest?.near.some(({ clause: there }) => nearest.near.some((own) => own.clause === there)),
  );
  const near = comparable(clause, nearest.near);
  const alone = disagreement(clause.whole, near, nearest.sentence.text);
  const isThinOrOpposed = alone !== null || near.length < nearest.near.length;
  const whole =
    isThinOrOpposed && together.length > 1
      ? disagreement(together.map((each) => each.clause.whole).join(' , '), nearest.near)
      : alone;
  if (isThinOrOpposed && whole !== null) {
    const { start, end } =
      alone === null ? clause : { start: clause.start + alone.start, end: clause.start + alone.end };
    return [gap('reversed', { start, end }, clause, alone?.there ?? null)];
  }
  return nearest.strange === null ? [] : [gap('shifted', nearest.strange, clause)];
}

/** What of a clause stands elsewhere in a sentence than with the rest of it. */
function strangeIn(
  clause: Clause,
  { text, before, context, spoken }: SourceSentence,
  { clausesIn }: CoverContext,
): Token | null {
  return text.includes('|')
    ? otherColumn(clause, text.split('|'), spoken.slice(1).join('\n').split('\n').at(-1)?.split('|') ?? [])
    : misplaced(clause, { clauses: clausesIn(text), before: clausesIn(before), context });
}

/** The one value of a clause that stands below another head than the one head whose words the clause has. */
function otherColumn({ tokens }: Clause, cells: readonly string[], heads: readonly string[]): Token | null {
  const [value, ...more] = tokens.filter(({ kind }) => kind === 'detail');
  if (value === undefined || more.length > 0) return null;
  const [column = 0, ...others] = below(cells, value);
  const words = tokens.filter(({ kind }) => kind === 'word').map((token) => below(heads, token));
  const named = new Set(words.filter(([at = 0, ...further]) => at > 1 && further.length === 0).flat());
  // The first column names what the row is about.
  return column > 1 && others.length === 0 && named.size === 1 && !named.has(column) ? value : null;
}

/** Which of some texts have a token. */
function below(texts: readonly string[], token: Token): readonly number[] {
  return texts.flatMap((whole, at) =>
    stands(token, { whole, words: spokenWords(whole), compiled: once(() => compileText(whole)) }) ? [at] : [],
  );
}
