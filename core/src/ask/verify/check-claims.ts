import type { TextRange } from '../../domain/block.ts';
import { detectLanguage } from '../../extraction/document/detect-language.ts';
import type { NumberedEvidence } from '../retrieval/retrieve-evidence.ts';
import type { AnswerChecks, AnswerFinding } from '../../wire/index.ts';
import { compilePassage, compileText, remembered, type CompiledPassage } from './compile-passage.ts';
import { contentUnits, isUnspaced, readNames, type ReadName, foldText } from './content-words.ts';
import { finding, missing, notIn, reversed, uncited, unknownCitation, unrelated } from './claim-findings.ts';
import { isGermanDenial } from './denials.ts';
import { findQuotations, type Quotation, foldedQuotation } from './find-quotations.ts';
import { findReversal } from './polarity.ts';
import { readCitations, type ReadCitation } from './read-citations.ts';
import { dateOrder, readDates, type ReadDate } from './read-dates.ts';
import { plainDigits, readNumbers, type ReadNumber } from './read-numbers.ts';
import { blanked, firstFrom, startingIn } from './sorted-ranges.ts';
import { splitClaims, type Sentence } from './split-claims.ts';

/** The text to compare with the passages. */
export interface CheckedText {
  /** As shown to the reader. */
  readonly text: string;
  readonly question: string;
  readonly passages: readonly NumberedEvidence[];
  /** Citations of nonexistent passages that were removed from the text, with their positions. */
  readonly removed?: readonly { readonly number: number; readonly at: number }[];
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
export interface CheckedSentence {
  readonly text: string;
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
export function checkClaims({ text, question, passages, removed = [] }: CheckedText): CheckedClaims {
  const citations = readCitations(text, passages.length);
  const bare = blanked(text, citations);
  const quotations = findQuotations(bare);
  const sentences = splitClaims(text, citations, quotations);
  const world: World = {
    text,
    bare,
    passages: new Map(passages.map((passage) => [passage.number, compilePassage(passage)])),
    question: { number: 0, ...compileText(question, [foldText(question)]) },
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

interface World {
  readonly text: string;
  /** The text with citations blanked out, of the same length. */
  readonly bare: string;
  readonly passages: ReadonlyMap<number, CompiledPassage>;
  readonly question: CompiledPassage;
  readonly details: readonly Detail[];
  readonly citedAnywhere: readonly number[];
  /** Folds a quotation for comparison. */
  readonly folded: (quotation: string) => readonly string[];
}

/** Something in an answer that can be looked up literally. */
type Detail =
  | (Quotation & { readonly kind: 'quotation' })
  | (TextRange & { readonly kind: 'number'; readonly value: ReadNumber })
  | (TextRange & { readonly kind: 'date'; readonly value: ReadDate });

/** The details of an answer. Details inside a quotation are checked as part of it. */
function detailsOf(bare: string, quotations: readonly Quotation[]): readonly Detail[] {
  const outside = plainDigits(blanked(withoutNumbering(bare), quotations)).replaceAll('\u2212', '-');
  const dates = readDates(outside, dateOrder(outside));
  return [
    ...quotations.map((quotation) => ({ ...quotation, kind: 'quotation' }) as const),
    ...dates.map((value) => ({ kind: 'date', start: value.start, end: value.end, value }) as const),
    ...readNumbers(blanked(outside, dates), detectLanguage(outside)).map(
      (value) => ({ kind: 'number', start: value.start, end: value.end, value }) as const,
    ),
  ].toSorted((a, b) => a.start - b.start);
}

/** Blanks out the numbering of lists and headings, and the content of footnote definitions. */
function withoutNumbering(text: string): string {
  return text
    .replaceAll(
      /^([ \t>]*(?:#{1,6}[ \t]+|[-*+•][ \t]+)?)(\(?\d{1,3}(?:\.\d{1,2})*[.)]|[①-⑳])(?=\s)/gmu,
      (_, head: string, number: string) => head + ' '.repeat(number.length),
    )
    .replaceAll(/^[ \t]*\[[#^]?[^\]\n]+\]:.*$/gm, (line) => ' '.repeat(line.length))
    .replaceAll(/\]\([^()\s]*\)|https?:\/\/\S+/g, (target) => ' '.repeat(target.length));
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
    findings.push(uncited(sentence, world.text));
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
  return {
    sentence: { text: sentence.text, claims, cited, quotations },
    findings: [...findings, ...names.findings],
    details: checked + names.known + names.findings.length,
    sharesWords: shared === 'some',
  };
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

interface Verdict {
  /** Null when a passage contains it. */
  readonly kind: AnswerFinding['kind'] | null;
  /** Whether it may be a date of a passage, or another one. */
  readonly ambiguous?: boolean;
  readonly holding: readonly number[];
}

function look(detail: Detail, numbers: readonly number[], { passages, folded }: World): Verdict {
  const asked = numbers.flatMap((number) => passages.get(number) ?? []);
  switch (detail.kind) {
    case 'quotation': {
      const holding = asked.filter((passage) => passage.quotes(folded(detail.text))).map(({ number }) => number);
      return { kind: holding.length > 0 ? null : 'quotation', holding };
    }
    case 'date': {
      const verdicts = asked.map((passage) => passage.dates(detail.value));
      if (verdicts.includes('given')) return { kind: null, holding: [] };
      return { kind: 'date', ambiguous: verdicts.includes('ambiguous'), holding: [] };
    }
    case 'number': {
      const verdicts = asked.map((passage) => passage.gives(detail.value));
      if (verdicts.includes('given')) return { kind: null, holding: [] };
      return { kind: verdicts.includes('other_unit') ? 'unit' : 'number', holding: [] };
    }
    default:
      return detail satisfies never;
  }
}

function isNowhere(detail: Detail, world: World): boolean {
  return look(detail, [...world.passages.keys()], world).kind !== null;
}

function isOfQuestion(detail: Detail, { question, folded }: World): boolean {
  switch (detail.kind) {
    case 'quotation':
      return question.quotes(folded(detail.text));
    case 'date':
      return question.dates(detail.value) === 'given';
    case 'number':
      return question.gives(detail.value) === 'given';
    default:
      return detail satisfies never;
  }
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
