import type {
  AnswerFinding,
  AnswerJudgement,
  AnswerToJudge,
  JudgedQuotation,
  ReadCitation,
  TextRange,
} from '@kebab/core';
import { compilePassage, remembered, type CompiledPassage } from './compile-passage.ts';
import { contentUnits, isUnspaced, readNames, type ReadName } from './content-words.ts';
import {
  finding,
  missing,
  notCovered,
  notIn,
  ordered,
  reversed,
  uncited,
  unknownCitation,
  unrelated,
} from './claim-findings.ts';
import { covererOf, type Coverer } from './cover.ts';
import { isGermanDenial } from './denials.ts';
import { detailsOf, lookUp, type Detail, type Lookup } from './details.ts';
import { findQuotations, foldedQuotation } from './find-quotations.ts';
import { findReversal } from './polarity.ts';
import { blanked, firstFrom, startingIn } from './sorted-ranges.ts';
import { splitClaims, type Sentence } from './split-claims.ts';

/** The passages and the question of a prompt, indexed for the checks of one answer. */
export interface PreparedPrompt {
  readonly passages: ReadonlyMap<number, CompiledPassage>;
  readonly question: CompiledPassage;
  readonly coverer: Coverer;
}

/** Indexes the passages and the question of a prompt. */
export function preparePrompt({ question, passages }: Pick<AnswerToJudge, 'question' | 'passages'>): PreparedPrompt {
  const coverer = covererOf(passages, question);
  return {
    passages: new Map(passages.map((passage) => [passage.number, compilePassage(passage)])),
    question: coverer.question,
    coverer,
  };
}

/** The findings of the checks of an answer, with their inputs. */
export interface CheckedClaims extends Pick<
  AnswerJudgement,
  'findings' | 'reason' | 'cited' | 'details' | 'deniesOnly' | 'unsupported'
> {
  readonly sentences: readonly CheckedSentence[];
}

/** A sentence with the passages it cites, and its quotations with the passages that contain them. */
export interface CheckedSentence extends TextRange {
  readonly text: string;
  readonly kind: Sentence['kind'];
  /** Its own citations. */
  readonly citations: readonly ReadCitation[];
  /** The findings that fail. */
  readonly failures: readonly AnswerFinding[];
  /** Whether it makes a claim that needs a citation. */
  readonly isClaim: boolean;
  readonly cited: readonly number[];
  readonly quotations: readonly JudgedQuotation[];
}

/**
 * Compares every sentence of an answer with the passages it cites: literally, not by meaning. Quotations, numbers, dates and units that do
 * not occur there fail; names only cause a warning, since good answers may paraphrase them.
 */
export function checkClaims(
  { text, citations, removedCitations }: Pick<AnswerToJudge, 'text' | 'citations' | 'removedCitations'>,
  prompt: PreparedPrompt,
): CheckedClaims {
  const bare = blanked(text, citations);
  const quotations = findQuotations(bare);
  const sentences = splitClaims(text, citations, quotations);
  const context: CheckContext = {
    text,
    bare,
    ...prompt,
    details: detailsOf(bare, quotations),
    folded: remembered(foldedQuotation),
    citedAnywhere: [...new Set(citations.flatMap(({ numbers }) => numbers))].filter((number) =>
      prompt.passages.has(number),
    ),
  };
  const checked = sentences.map((sentence) => checkSentence(sentence, context));
  const findings = [
    ...checked.flatMap((each) => each.findings),
    ...removedCitations.map(({ number, at }) => unknownCitation(`[${number}]`, { start: at, end: at })),
  ].toSorted((a, b) => a.start - b.start || a.end - b.end);
  const claims = checked.filter((each) => each.sentence.isClaim);
  const details = checked.reduce((sum, each) => sum + each.details, 0);
  const compared = details > 0 || checked.some(({ sharesWords }) => sharesWords);
  const unsupported = findings
    .filter(
      ({ kind, start, level }) =>
        level === 'failed' &&
        (kind === 'number' || kind === 'date') &&
        startingIn(context.details, { start, end: start + 1 }).some((detail) => isNowhere(detail, context)),
    )
    .map(({ text: written }) => written);
  return {
    findings,
    reason: reasonOf(findings, compared),
    details,
    sentences: checked.map(({ sentence }) => sentence),
    cited: context.citedAnywhere,
    deniesOnly: claims.length === 0 && sentences.some(({ kind }) => kind === 'denial'),
    unsupported: [...new Set(unsupported)],
  };
}

function reasonOf(findings: readonly AnswerFinding[], compared: boolean): AnswerJudgement['reason'] {
  const failed = findings.filter(({ level }) => level === 'failed');
  if (failed.some(({ kind }) => kind !== 'citation')) return 'not_in_passage';
  if (failed.some(({ cited }) => cited.length > 0)) return 'unknown_citation';
  if (failed.length > 0) return 'no_citation';
  return compared ? null : 'nothing_to_check';
}

interface CheckContext extends PreparedPrompt {
  readonly text: string;
  /** The text with citations blanked out, of the same length. */
  readonly bare: string;
  readonly details: readonly Detail[];
  readonly citedAnywhere: readonly number[];
  /** Folds a quotation for comparison. */
  readonly folded: (quotation: string) => readonly string[];
}

interface SentenceCheck {
  readonly sentence: CheckedSentence;
  readonly findings: readonly AnswerFinding[];
  /** How many details were compared with a cited passage. */
  readonly details: number;
  readonly sharesWords: boolean;
}

function checkSentence(sentence: Sentence, context: CheckContext): SentenceCheck {
  const details = startingIn(context.details, sentence);
  const written = [...new Set(sentence.citations.flatMap(({ numbers }) => numbers))];
  const cited = [...written, ...sentence.inherited].filter((number) => context.passages.has(number));
  const isClaim = needsCitation(sentence, context);
  // A sentence without a claim may still contain a detail, which must occur in something that the answer cites.
  const pool = cited.length > 0 ? cited : isClaim ? [] : context.citedAnywhere;
  const findings: AnswerFinding[] = sentence.citations.flatMap((citation) => unknownNumbers(citation, context));
  if (isClaim && cited.length === 0 && !findings.some(({ kind }) => kind === 'citation'))
    findings.push(uncited(sentence, context.text, context.coverer.cover(sentence.text).missing));
  const repeats = repeatsQuestion(sentence, context);
  const quotations: JudgedQuotation[] = [];
  let checked = 0;
  for (const detail of details) {
    if (!isClaim && isCount(detail)) continue;
    const against = directGroup(detail, sentence, context) ?? pool;
    const numbers = against.length > 0 ? against : [...context.passages.keys()];
    const verdict = look(detail, numbers, context);
    if (detail.kind === 'quotation') quotations.push({ text: detail.text, cited: against, holding: verdict.holding });
    if (against.length > 0) checked++;
    if (verdict.kind === null) continue;
    // A question may name something that is not in the evidence: repeating it isClaim nothing.
    if (isOfQuestion(detail, context) && (repeats || sentence.kind === 'remark' || sentence.kind === 'denial'))
      continue;
    findings.push(missing(detail, { ...verdict, kind: verdict.kind, cited: against, text: context.text }));
  }
  const names = isClaim && cited.length > 0 ? unknownNames(sentence, cited, context) : { findings: [], known: 0 };
  if (isClaim) findings.push(...reversals(sentence, cited, context));
  const shared = sharedWords(sentence, cited, context);
  // When a detail or a name was found, the surrounding words may be the answer's own.
  if (isClaim && checked + names.known === 0 && shared === 'none')
    findings.push(unrelated(sentence, cited, context.text));
  if (isClaim && cited.length > 0 && !findings.some(isFailure))
    findings.push(...unsaid(sentence, { cited, hasDetails: checked + names.known > 0 }, context));
  const { text, kind, start, end, citations } = sentence;
  return {
    sentence: { text, kind, start, end, citations, isClaim, cited, quotations, failures: findings.filter(isFailure) },
    findings: [...findings, ...names.findings],
    details: checked + names.known + names.findings.length,
    sharesWords: shared === 'some',
  };
}

function isFailure({ level }: AnswerFinding): boolean {
  return level === 'failed';
}

/** Fewer words of its own do not show that a sentence is not from the passage it cites. */
const MIN_OWN_WORDS = 3;
/** The share of a sentence's own words that its passages must have. */
const MIN_KNOWN_SHARE = 0.5;

/**
 * What a cited passage does not say although no detail is wrong: a sentence that only repeats the question, one that follows an order in a
 * passage, and one most of whose own words stand in none of its passages. A sentence in another script than its passages is not judged.
 */
function unsaid(
  sentence: Sentence,
  { cited, hasDetails }: { readonly cited: readonly number[]; readonly hasDetails: boolean },
  context: CheckContext,
): readonly AnswerFinding[] {
  const { coverer, text } = context;
  if (sentence.kind === 'code') return [];
  const sameScript = cited.some((number) => context.passages.get(number)?.isUnspaced === isUnspaced(sentence.text));
  if (!sameScript) return [];
  const unknown = coverer.unknownWords(sentence.text, cited);
  if (unknown.inOrders && unknown.words.length > 0) return [ordered(sentence, cited, text)];
  // All it adds to the question is what no passage has: `The capital is Ulaanbaatar`.
  if (unknown.own > 0 && unknown.details === 0 && unknown.words.length === unknown.own)
    return [notCovered(sentence, { cited, lacking: unknown.words, text })];
  // A sentence that cites several passages joins several statements.
  const subjects = cited.length > 1 ? [] : coverer.strangeSubjects(sentence.text, cited);
  if (subjects.length > 0) return [notCovered(sentence, { cited, lacking: subjects, text })];
  if (hasDetails) return [];
  if (unknown.own === 0) {
    if (coverer.read(sentence.text).words.length === 0) return []; // nothing can be compared
    const { missing: lacking, restates } = coverer.cover(sentence.text, cited);
    return restates && lacking.length > 0 ? [notCovered(sentence, { cited, lacking, text })] : [];
  }
  const isMostlyUnknown = unknown.own >= MIN_OWN_WORDS && unknown.words.length > (1 - MIN_KNOWN_SHARE) * unknown.own;
  return isMostlyUnknown ? [notCovered(sentence, { cited, lacking: unknown.words, text })] : [];
}

/** A denial claims nothing, unless it names something that occurs neither in a passage nor in the question. */
function needsCitation(sentence: Sentence, context: CheckContext): boolean {
  const { kind, text } = sentence;
  if (kind === 'denial' && isGermanDenial(text)) return false;
  if (kind === 'denial') return unknownNames(sentence, [...context.passages.keys()], context).findings.length > 0;
  return kind === 'text' || kind === 'row' || kind === 'code';
}

/** A small whole number in a sentence without a claim only counts what follows: `the three rules:`. */
function isCount(detail: Detail): boolean {
  return detail.kind === 'number' && detail.value.unit === null && Number(detail.value.alternatives[0]?.[0] ?? 0) <= 20;
}

/** The passages cited directly after a quotation, a number or a date, one of which must contain it. */
function directGroup({ end }: Detail, sentence: Sentence, { bare, passages }: CheckContext): readonly number[] | null {
  const behind = firstFrom(sentence.citations, end);
  const first = sentence.citations[behind];
  if (first === undefined || !/^[\s.,;:!?"'”’»)*_。、，！？]*$/u.test(bare.slice(end, first.start))) return null;
  const group: ReadCitation[] = [];
  for (let at = behind; at < sentence.citations.length; at++) {
    const citation = sentence.citations[at] ?? first;
    const before = group.at(-1);
    if (before !== undefined && /\S/.test(bare.slice(before.end, citation.start).replaceAll(/[,;]/g, ''))) break;
    group.push(citation);
  }
  const numbers = group.flatMap((citation) => citation.numbers).filter((number) => passages.has(number));
  return numbers.length === 0 ? null : [...new Set(numbers)];
}

function look(detail: Detail, numbers: readonly number[], { passages, folded }: CheckContext): Lookup {
  return lookUp(
    detail,
    numbers.flatMap((number) => passages.get(number) ?? []),
    folded,
  );
}

function isNowhere(detail: Detail, context: CheckContext): boolean {
  return look(detail, [...context.passages.keys()], context).kind !== null;
}

function isOfQuestion(detail: Detail, { question, folded }: CheckContext): boolean {
  return lookUp(detail, [question], folded).kind === null;
}

/** Whether a sentence only repeats the question. */
function repeatsQuestion({ text }: Sentence, { question }: CheckContext): boolean {
  const units = contentUnits(text);
  return units.length > 0 && units.every((unit) => question.content.has(unit));
}

/** Whether a sentence shares words with what it cites; `unknown` when it has too few, or is in another script. */
function sharedWords(
  { text, kind }: Sentence,
  cited: readonly number[],
  context: CheckContext,
): 'some' | 'none' | 'unknown' {
  const units = new Set(contentUnits(text));
  const passages = cited.flatMap((number) => context.passages.get(number) ?? []);
  if (passages.length === 0) return 'unknown';
  if ([...units].some((unit) => passages.some(({ content }) => content.has(unit)))) return 'some';
  const sameScript = passages.some(({ isUnspaced: unspaced }) => unspaced === isUnspaced(text));
  return units.size >= 4 && sameScript && kind !== 'code' ? 'none' : 'unknown';
}

/** A word that reverses what the cited passages say in nearly the same words. */
function reversals(
  { start, end }: Sentence,
  cited: readonly number[],
  context: CheckContext,
): readonly AnswerFinding[] {
  const sentences = context.coverer.sentences.filter(({ passage }) => cited.includes(passage));
  const found = findReversal(context.bare.slice(start, end), sentences);
  if (found === null) return [];
  const range = { start: start + found.start, end: start + found.end };
  return [reversed(range, { there: found.there, cited, text: context.text })];
}

function unknownNames(
  { start, end }: Sentence,
  cited: readonly number[],
  { bare, details, passages, question }: CheckContext,
): { readonly findings: readonly AnswerFinding[]; readonly known: number } {
  const from = firstFrom(details, start);
  const reaching = details.slice(Math.max(0, from - 3), from).filter((detail) => detail.end > start);
  const ranges = [...reaching, ...startingIn(details, { start, end })].map((detail) => ({
    start: Math.max(0, detail.start - start),
    end: Math.min(end, detail.end) - start,
  }));
  const sentence = blanked(bare.slice(start, end), ranges);
  const holders = cited.flatMap((number) => passages.get(number) ?? []);
  const isKnownName = (word: string): boolean =>
    [...passages.values()].some(({ names }) => names.has(word.toLowerCase()));
  const names = readNames(sentence, isKnownName);
  const isKnown = (word: string): boolean => [...holders, question].some((passage) => passage.hasWord(word));
  const unknown = names.filter(({ words }) => !words.every(isKnown));
  return {
    known: names.length - unknown.length,
    findings: unknown.map((name: ReadName) => {
      const range = { start: start + name.start, end: start + name.end };
      return finding('name', 'warning', {
        range,
        cited,
        bare,
        message: notIn(bare.slice(range.start, range.end), cited),
      });
    }),
  };
}

function unknownNumbers(
  { numbers, start, end }: ReadCitation,
  { passages, text }: CheckContext,
): readonly AnswerFinding[] {
  const unknown = numbers.filter((number) => !passages.has(number));
  return unknown.length === 0 ? [] : [{ ...unknownCitation(text.slice(start, end), { start, end }), cited: unknown }];
}
