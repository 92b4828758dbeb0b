import type { TextRange } from '../../domain/block.ts';
import type { NumberedEvidence } from '../retrieval/retrieve-evidence.ts';
import type { AnswerChecks, AnswerFinding } from '../../wire/index.ts';
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
import { detailsOf, lookUp, type Detail, type Verdict } from './details.ts';
import { findQuotations, foldedQuotation } from './find-quotations.ts';
import { findReversal } from './polarity.ts';
import { readCitations, type ReadCitation } from './read-citations.ts';
import { blanked, firstFrom, startingIn } from './sorted-ranges.ts';
import { splitClaims, type Sentence } from './split-claims.ts';

/** The text to compare with the passages. */
export interface CheckedText {
  /** As shown to the reader. */
  readonly text: string;
  readonly question: string;
  readonly passages: readonly NumberedEvidence[];
  /** Citations of nonexistent passages that were removed from the text, with their positions. */
  readonly removed?: readonly RemovedCitation[];
  /** The passages and the question, if they are prepared already. */
  readonly prompt?: PreparedPrompt;
}

/** A citation of a nonexistent passage, and the offset in the text where it was removed. */
export interface RemovedCitation {
  readonly number: number;
  readonly at: number;
}

/** The passages and the question of a prompt, indexed for the checks of one answer. */
export interface PreparedPrompt {
  readonly passages: ReadonlyMap<number, CompiledPassage>;
  readonly question: CompiledPassage;
  readonly coverer: Coverer;
}

/** Indexes the passages and the question of a prompt. */
export function preparePrompt({ question, passages }: Pick<CheckedText, 'question' | 'passages'>): PreparedPrompt {
  const coverer = covererOf(passages, question);
  return {
    passages: new Map(passages.map((passage) => [passage.number, compilePassage(passage)])),
    question: coverer.question,
    coverer,
  };
}

/** The findings of the checks of an answer, with their inputs. */
export interface CheckedClaims {
  readonly checks: AnswerChecks;
  readonly sentences: readonly CheckedSentence[];
  /** Every cited passage, in order of first appearance. */
  readonly cited: readonly number[];
  /** Whether it only says that something is missing from the evidence. */
  readonly deniesOnly: boolean;
  /** Numbers and dates that occur in no passage at all, without duplicates, as written. */
  readonly unsupported: readonly string[];
}

/** A sentence with the passages it cites, and its quotations with the passages that contain them. */
export interface CheckedSentence extends TextRange {
  readonly text: string;
  readonly kind: Sentence['kind'];
  /** Its own citations. */
  readonly citations: readonly ReadCitation[];
  /** Whether a check of it failed. */
  readonly failed: boolean;
  /** Whether it makes a claim that needs a citation. */
  readonly claims: boolean;
  readonly cited: readonly number[];
  readonly quotations: readonly {
    readonly text: string;
    readonly cited: readonly number[];
    readonly holding: readonly number[];
  }[];
}

/**
 * Compares every sentence of an answer with the passages it cites: literally, not by meaning. Quotations, numbers, dates and units that do
 * not occur there fail; names only cause a warning, since good answers may paraphrase them.
 */
export function checkClaims({ text, removed = [], ...given }: CheckedText): CheckedClaims {
  const { passages } = given;
  const prompt = given.prompt ?? preparePrompt(given);
  const citations = readCitations(text, passages.length);
  const bare = blanked(text, citations);
  const quotations = findQuotations(bare);
  const sentences = splitClaims(text, citations, quotations);
  const world: World = {
    text,
    bare,
    ...prompt,
    details: detailsOf(bare, quotations),
    folded: remembered(foldedQuotation),
    citedAnywhere: [...new Set(citations.flatMap(({ numbers }) => numbers))].filter((number) =>
      passages.some((passage) => passage.number === number),
    ),
  };
  const checked = sentences.map((sentence) => checkSentence(sentence, world));
  const findings = [
    ...checked.flatMap((each) => each.findings),
    ...removed.map(({ number, at }) => unknownCitation(`[${number}]`, { start: at, end: at })),
  ].toSorted((a, b) => a.start - b.start || a.end - b.end);
  const claims = checked.filter((each) => each.sentence.claims);
  const details = checked.reduce((sum, each) => sum + each.details, 0);
  const compared = details > 0 || checked.some(({ sharesWords }) => sharesWords);
  const unsupported = findings
    .filter(
      ({ kind, start, level }) =>
        level === 'failed' &&
        (kind === 'number' || kind === 'date') &&
        startingIn(world.details, { start, end: start + 1 }).some((detail) => isNowhere(detail, world)),
    )
    .map(({ text: written }) => written);
  return {
    checks: {
      method: 'lexical',
      sentences: claims.length,
      cited: claims.filter(({ sentence }) => sentence.cited.length > 0).length,
      details,
      reason: reasonOf(findings, compared),
      findings,
    },
    sentences: checked.map(({ sentence }) => sentence),
    cited: world.citedAnywhere,
    deniesOnly: claims.length === 0 && sentences.some(({ kind }) => kind === 'denial'),
    unsupported: [...new Set(unsupported)],
  };
}

function reasonOf(findings: readonly AnswerFinding[], compared: boolean): AnswerChecks['reason'] {
  const failed = findings.filter(({ level }) => level === 'failed');
  if (failed.some(({ kind }) => kind !== 'citation')) return 'not_in_passage';
  if (failed.some(({ cited }) => cited.length > 0)) return 'unknown_citation';
  if (failed.length > 0) return 'no_citation';
  return compared ? null : 'nothing_to_check';
}

interface World extends PreparedPrompt {
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

function checkSentence(sentence: Sentence, world: World): SentenceCheck {
  const details = startingIn(world.details, sentence);
  const written = [...new Set(sentence.citations.flatMap(({ numbers }) => numbers))];
  const cited = [...written, ...sentence.inherited].filter((number) => world.passages.has(number));
  const claims = needsCitation(sentence, world);
  // A sentence without a claim may still contain a detail, which must occur in something that the answer cites.
  const pool = cited.length > 0 ? cited : claims ? [] : world.citedAnywhere;
  const findings: AnswerFinding[] = sentence.citations.flatMap((citation) => unknownNumbers(citation, world));
  if (claims && cited.length === 0 && !findings.some(({ kind }) => kind === 'citation'))
    findings.push(uncited(sentence, world.text, world.coverer.cover(sentence.text).missing));
  const repeats = repeatsQuestion(sentence, world);
  const quotations: CheckedSentence['quotations'][number][] = [];
  let checked = 0;
  for (const detail of details) {
    if (!claims && isCount(detail)) continue;
    const against = directGroup(detail, sentence, world) ?? pool;
    const numbers = against.length > 0 ? against : [...world.passages.keys()];
    const verdict = look(detail, numbers, world);
    if (detail.kind === 'quotation') quotations.push({ text: detail.text, cited: against, holding: verdict.holding });
    if (against.length > 0) checked++;
    if (verdict.kind === null) continue;
    // A question may name something that is not in the evidence: repeating it claims nothing.
    if (isOfQuestion(detail, world) && (repeats || sentence.kind === 'remark' || sentence.kind === 'denial')) continue;
    findings.push(missing(detail, { ...verdict, kind: verdict.kind, cited: against, text: world.text }));
  }
  const names = claims && cited.length > 0 ? unknownNames(sentence, cited, world) : { findings: [], known: 0 };
  if (claims) findings.push(...reversals(sentence, cited, world));
  const shared = sharedWords(sentence, cited, world);
  // When a detail or a name was found, the surrounding words may be the answer's own.
  if (claims && checked + names.known === 0) {
    const better = betterPassage(sentence, cited, world);
    if (better !== null || shared === 'none') findings.push(unrelated(sentence, { cited, better, text: world.text }));
  }
  if (claims && cited.length > 0 && !findings.some(isFailure))
    findings.push(...unsaid(sentence, { cited, hasDetails: checked + names.known > 0 }, world));
  const { text, kind, start, end, citations } = sentence;
  return {
    sentence: { text, kind, start, end, citations, claims, cited, quotations, failed: findings.some(isFailure) },
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
  world: World,
): readonly AnswerFinding[] {
  const { coverer, text } = world;
  if (sentence.kind === 'code') return [];
  const sameScript = cited.some((number) => world.passages.get(number)?.isUnspaced === isUnspaced(sentence.text));
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
function needsCitation(sentence: Sentence, world: World): boolean {
  const { kind, text } = sentence;
  if (kind === 'denial' && isGermanDenial(text)) return false;
  if (kind === 'denial') return unknownNames(sentence, [...world.passages.keys()], world).findings.length > 0;
  return kind === 'text' || kind === 'row' || kind === 'code';
}

/** A small whole number in a sentence without a claim only counts what follows: `the three rules:`. */
function isCount(detail: Detail): boolean {
  return detail.kind === 'number' && detail.value.unit === null && Number(detail.value.alternatives[0]?.[0] ?? 0) <= 20;
}

/** The passages cited directly after a quotation, a number or a date, one of which must contain it. */
function directGroup({ end }: Detail, sentence: Sentence, { bare, passages }: World): readonly number[] | null {
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

function look(detail: Detail, numbers: readonly number[], { passages, folded }: World): Verdict {
  return lookUp(
    detail,
    numbers.flatMap((number) => passages.get(number) ?? []),
    folded,
  );
}

function isNowhere(detail: Detail, world: World): boolean {
  return look(detail, [...world.passages.keys()], world).kind !== null;
}

function isOfQuestion(detail: Detail, { question, folded }: World): boolean {
  return lookUp(detail, [question], folded).kind === null;
}

/** Whether a sentence only repeats the question. */
function repeatsQuestion({ text }: Sentence, { question }: World): boolean {
  const units = contentUnits(text);
  return units.length > 0 && units.every((unit) => question.content.has(unit));
}

/** Whether a sentence shares words with what it cites; `unknown` when it has too few, or is in another script. */
function sharedWords({ text, kind }: Sentence, cited: readonly number[], world: World): 'some' | 'none' | 'unknown' {
  const units = new Set(contentUnits(text));
  const passages = cited.flatMap((number) => world.passages.get(number) ?? []);
  if (passages.length === 0) return 'unknown';
  if ([...units].some((unit) => passages.some(({ content }) => content.has(unit)))) return 'some';
  const sameScript = passages.some(({ isUnspaced: unspaced }) => unspaced === isUnspaced(text));
  return units.size >= 4 && sameScript && kind !== 'code' ? 'none' : 'unknown';
}

/** Fewer words do not show which passage they come from. */
const MIN_WORDS_TO_COMPARE = 6;
/** Another passage is better when it contains this share of a sentence, and the cited ones together less than this part of that. */
const BETTER = { holds: 0.5, part: 0.6 };

/** A passage in the prompt that a sentence evidently comes from, while it cites others; null when there is none. */
function betterPassage({ text, kind }: Sentence, cited: readonly number[], { passages }: World): number | null {
  const units = [...new Set(contentUnits(text))];
  if (units.length < MIN_WORDS_TO_COMPARE || kind === 'code' || cited.length === 0) return null;
  const shareOf = (numbers: readonly number[]): number =>
    units.filter((unit) => numbers.some((number) => passages.get(number)?.content.has(unit) === true)).length /
    units.length;
  const own = shareOf(cited);
  const others = [...passages.keys()].filter((number) => !cited.includes(number));
  const best = others.toSorted((a, b) => shareOf([b]) - shareOf([a]))[0];
  if (best === undefined) return null;
  const share = shareOf([best]);
  return share >= BETTER.holds && own < BETTER.part * share ? best : null;
}

/** A word that reverses what the cited passages say in nearly the same words. */
function reversals({ start, end }: Sentence, cited: readonly number[], world: World): readonly AnswerFinding[] {
  const sentences = cited.flatMap((number) => world.passages.get(number)?.sentences() ?? []);
  const found = findReversal(world.bare.slice(start, end), sentences);
  if (found === null) return [];
  const range = { start: start + found.start, end: start + found.end };
  return [reversed(range, { there: found.there, cited, text: world.text })];
}

function unknownNames(
  { start, end }: Sentence,
  cited: readonly number[],
  { bare, details, passages, question }: World,
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

function unknownNumbers({ numbers, start, end }: ReadCitation, { passages, text }: World): readonly AnswerFinding[] {
  const unknown = numbers.filter((number) => !passages.has(number));
  return unknown.length === 0 ? [] : [{ ...unknownCitation(text.slice(start, end), { start, end }), cited: unknown }];
}
