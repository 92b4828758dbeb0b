import {
  UNDETERMINED,
  type AnswerFinding,
  type AnswerJudgement,
  type AnswerToJudge,
  type JudgedQuotation,
  type ReadCitation,
  type TextRange,
} from '@kebab/core';
import { compilePassage, compileText, remembered, type CompiledPassage } from './compile-passage.ts';
import { isUnspaced, likelyLanguage } from './content-words.ts';
import {
  computed,
  finding,
  incomparable,
  missing,
  notCovered,
  reversed,
  uncited,
  unknownCitation,
} from './claim-findings.ts';
import { covererOf, type Coverer } from './cover.ts';
import { detailsOf, lookUp, type Detail, type Lookup } from './details.ts';
import type { ReadNumber } from './read-numbers.ts';
import { hardWords, type HardWord } from './rates.ts';
import { holdsIdentifier, identifiersOf, linesOfCode } from './identifiers.ts';
import { isAboutNotes, roleOf, unsaidByLabel, type StatementRole } from './statement-role.ts';
import { findQuotations, foldedQuotation } from './find-quotations.ts';
import { computedFrom, type Steps } from './measures.ts';
import { aligned, answerWord, isNegated, limits, withoutAnswerWord } from './polarity.ts';
import { valueOfWord } from './number-words.ts';
import { blanked, firstFrom, startingIn } from './sorted-ranges.ts';
import type { SourceSentence } from './source-sentences.ts';
import { speaksOfOrders } from './small-talk.ts';
import { splitClaims, type Sentence } from './split-claims.ts';

/** The passages and the question of a prompt, indexed for the checks of one answer. */
export interface PreparedPrompt {
  readonly passages: ReadonlyMap<number, CompiledPassage>;
  readonly coverer: Coverer;
  /** The numbers and dates of a text. */
  readonly detailsIn: (text: string) => readonly Detail[];
  /** The words of a text for a rate or a vague amount. */
  readonly hard: (text: string) => readonly HardWord[];
  /** Folds a quotation for comparison. */
  readonly folded: (quotation: string) => readonly string[];
}

/** Indexes the passages and the question of a prompt. */
export function preparePrompt({ question, passages }: Pick<AnswerToJudge, 'question' | 'passages'>): PreparedPrompt {
  const coverer = covererOf(passages, question);
  const compiled = new Map(passages.map((passage) => [passage.number, compilePassage(passage)]));
  return {
    passages: compiled,
    coverer,
    detailsIn: remembered((text: string) => detailsOf(text, [])),
    hard: remembered(hardWords),
    folded: remembered(foldedQuotation),
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
  readonly role: StatementRole;
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
    citedAnywhere: [...new Set(citations.flatMap(({ numbers }) => numbers))].filter((number) =>
      prompt.passages.has(number),
    ),
  };
  const checked = sentences.map((sentence) => checkSentence(sentence, context));
  const findings = [
    ...checked.flatMap((each) => each.findings),
    ...wrongAnswerWord(sentences, context),
    ...removedCitations.map(({ number, at }) => unknownCitation(`[${number}]`, { start: at, end: at })),
  ].toSorted((a, b) => a.start - b.start || a.end - b.end);
  const claims = checked.filter((each) => each.sentence.isClaim);
  const details = checked.reduce((sum, each) => sum + each.details, 0);
  const compared = details > 0 || checked.some((each) => each.sharesWords);
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
    reason: reasonOf(findings, compared && claims.length > 0),
    details,
    sentences: checked.map(({ sentence }) => sentence),
    cited: context.citedAnywhere,
    deniesOnly: deniesOnly(checked, context),
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

/** Words of absence and inability that are no negations. */
const ABSENCE =
  /(?<!\p{L})(?:left (?:out|open)|remains? open|bleibt offen|omitted|omits?|lack\p{L}*|missing|absent|unable|silent|silence|fehl\p{L}*|schweig\p{L}*|manqu\p{L}*|ignor\p{L}*|desconoz\p{L}*|desconhe\p{L}*|falta\p{L}*|manca\p{L}*|ontbre\p{L}*|brak\p{L}*|отсутств\p{L}*|неизвест\p{L}*|yok|değil|lipse\p{L}*)(?!\p{L})|어렵|불가|부족|無理|難し|不足|不明|无法|無法|难以|缺|لم|لا|غير|نیست|نمی|نشده/iu;

/** Whether an answer says that something is not known, and beside that nothing that the model found in a passage. */
function deniesOnly(checked: readonly SentenceCheck[], context: CheckContext): boolean {
  const denies = ({ sentence, findings }: SentenceCheck): boolean => {
    const { role, isClaim, text, cited } = sentence;
    if (role === 'denial') return true;
    if (!isClaim || answerWord(text) !== null || !(isNegated(text) || ABSENCE.test(text))) return false;
    // `It is not possible to reserve a seat` where `seats cannot be reserved` is an answer.
    const named = aligned(context.coverer.read(text).words).filter((word) => context.coverer.asked.has(word));
    const isAnswered = ({ passage, text: said, words: there }: SourceSentence): boolean =>
      cited.includes(passage) && isNegated(said) && named.every((word) => there.has(word));
    if (named.length > 0 && context.coverer.sentences.some(isAnswered)) return false;
    const numbers = cited.length > 0 ? cited : [...context.passages.keys()];
    const { words, own, lacking, details } = context.coverer.unknownWords(text, numbers);
    const isUnheard = words.length > 0 || findings.some(({ kind }) => kind !== 'computed');
    return isUnheard && details === 0 && (named.length > 0 || own > 2) && 3 * (own - lacking) <= own;
  };
  const denials = new Set(checked.filter(denies));
  const isWithoutSupport = ({ sentence: { isClaim, failures, citations, text } }: SentenceCheck): boolean =>
    isClaim ? failures.length > 0 && (citations.length === 0 || isAboutNotes(text)) : failures.length === 0;
  return denials.size > 0 && checked.every((each) => denials.has(each) || isWithoutSupport(each));
}

interface CheckContext extends PreparedPrompt {
  readonly text: string;
  /** The text with citations blanked out, of the same length. */
  readonly bare: string;
  readonly details: readonly Detail[];
  readonly citedAnywhere: readonly number[];
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
  const quotes = details.some(
    (detail) => detail.kind === 'quotation' && !isOfQuestion(detail, context) && !isNowhere(detail, context),
  );
  // A sentence with the words of a passage says more than that something is not known.
  const role = sentence.kind === 'denial' && quotes ? 'claim' : roleOf(sentence, context.coverer);
  const isClaim = role === 'claim';
  // A sentence without a claim may still contain a detail, which must occur in something that the answer cites.
  const pool = cited.length > 0 ? cited : isClaim ? [] : context.citedAnywhere;
  const findings: AnswerFinding[] = sentence.citations.flatMap((citation) => unknownNumbers(citation, context));
  if (isClaim && cited.length === 0 && !findings.some(({ kind }) => kind === 'citation'))
    findings.push(uncited(sentence, context.text, context.coverer.cover(sentence.text).missing));
  const repeats = repeatsQuestion(sentence, context);
  const quotations: JudgedQuotation[] = [];
  let checked = 0;
  let isComputed = false;
  let isConverted = false;
  for (const detail of details) {
    if (!isClaim && (isCount(detail) || (role === 'remark' && speaksOfOrders(sentence.text)))) continue;
    const against = directGroup(detail, sentence, context) ?? pool;
    const numbers = against.length > 0 ? against : [...context.passages.keys()];
    const verdict = look(detail, numbers, context);
    if (detail.kind === 'quotation') quotations.push({ text: detail.text, cited: against, holding: verdict.holding });
    if (against.length > 0) checked++;
    if (verdict.kind === null) {
      if (isClaim && verdict.converted !== undefined)
        findings.push(computed(detail, { steps: verdict.converted, cited: against, text: context.text }));
      isConverted ||= verdict.converted !== undefined;
      continue;
    }
    // A question may name something that is not in the evidence: repeating it isClaim nothing.
    if (isOfQuestion(detail, context) && (repeats || !isClaim)) continue;
    const steps = isClaim && against.length > 0 ? computation(detail, sentence, against, context) : null;
    if (steps !== null) {
      isComputed = true;
      findings.push(computed(detail, { steps, cited: against, text: context.text }));
      continue;
    }
    findings.push(missing(detail, { ...verdict, kind: verdict.kind, cited: against, text: context.text }));
  }
  if (role !== 'denial') findings.push(...notTyped(sentence, pool, context));
  if (role === 'label' && !findings.some(isFailure)) {
    const lacking = unsaidByLabel(sentence, context.coverer);
    if (lacking.length > 0) findings.push(notCovered(sentence, { cited, lacking, text: context.text }));
  }
  if (isClaim && cited.length > 0 && !findings.some(isFailure)) {
    if (!isComputed) findings.push(...uncovered(sentence, { cited, details: checked, isConverted }, context));
  }
  const { text, kind, start, end, citations } = sentence;
  const failures = findings.filter(isFailure);
  return {
    sentence: { text, kind, role, start, end, citations, isClaim, cited, quotations, failures },
    findings,
    details: checked,
    sharesWords: isClaim && sharesWords(sentence, cited, context),
  };
}

function isFailure({ level }: AnswerFinding): boolean {
  return level === 'failed';
}

/** Whether a text is in another language than passages. */
function isForeignTo(cited: readonly number[], text: string, { passages, coverer }: CheckContext): boolean {
  const language = likelyLanguage(cited.map((number) => passages.get(number)?.original).join('\n'), coverer.language);
  return language !== UNDETERMINED && likelyLanguage(text, language) !== language;
}

/** A sentence with a converted value has other words than its passage: this many of them may stand nowhere. */
const MAX_CONVERTED_GAPS = 2;

/** What the passages that a sentence cites do not say although no detail of it is wrong by itself. */
function uncovered(
  sentence: Sentence,
  { cited, details, isConverted }: { cited: readonly number[]; details: number; isConverted: boolean },
  context: CheckContext,
): readonly AnswerFinding[] {
  const { coverer, text, bare } = context;
  const { start, end, kind } = sentence;
  if (kind === 'code') return unsaidCode(sentence, cited, context);
  const sameScript = cited.some((number) => context.passages.get(number)?.isUnspaced === isUnspaced(sentence.text));
  const unheard = coverer.unknownWords(sentence.text, cited);
  // A sentence most of whose words stand there is in the language of its passage.
  const isForeign =
    !sameScript || (2 * unheard.lacking >= Math.max(1, unheard.own) && isForeignTo(cited, sentence.text, context));
  const written = bare.slice(start, end);
  const said = kind === 'row' ? `${written.replaceAll('|', ' ')} ${ratesAbove(sentence, context)}` : written;
  const inside = startingIn(context.details, sentence).filter((detail) => detail.kind === 'quotation');
  const { gaps, restates } = coverer.cover(
    said,
    cited,
    inside.map((range) => ({ start: range.start - start, end: range.end - start })),
  );
  if (isForeign) {
    const knows = details > 0 || unheard.words.length < coverer.read(sentence.text).words.length;
    return knows ? [] : [incomparable(sentence, cited, text)];
  }
  const rangeOf = (gap: TextRange): TextRange => ({ start: start + gap.start, end: start + gap.end });
  if (restates && details > 0) return [];
  if (isConverted && gaps.filter((gap) => gap.kind === 'unknown').length <= MAX_CONVERTED_GAPS) return [];
  const turned = gaps.find((gap) => gap.kind === 'reversed' || gap.kind === 'shifted');
  const unknown = gaps.filter((gap) => gap.kind === 'unknown');
  const apart = gaps.filter((gap) => gap.kind === 'apart');
  if (apart.length > 0) {
    const lacking = apart.map((gap) => gap.written);
    return [notCovered(sentence, { cited, lacking, text })];
  }
  if (turned !== undefined) {
    const found = turned.kind === 'reversed' ? 'reversal' : 'shift';
    return [reversed(rangeOf(turned), { there: turned.there, kind: found, cited, text })];
  }
  const lacking = unknown.map((gap) => gap.written);
  return lacking.length > 0 ? [notCovered(sentence, { cited, lacking, text })] : [];
}

const PER_THING = /(?<!\p{L})(?:per|pro|par|por|a|à|za|за)\s\p{L}+/giu;

/** The rates in the heads of the columns whose cells have numbers. */
function ratesAbove({ text, head }: Sentence, { hard }: CheckContext): string {
  const cells = text.split('|');
  const heads = head.split('|').filter((_, at) => /\p{N}/u.test(cells[at] ?? ''));
  const perThing = heads.join(' ').match(PER_THING) ?? [];
  return [...perThing, ...heads.flatMap((each) => hard(each).map(({ start, end }) => each.slice(start, end)))].join(
    ' ',
  );
}

/** `flow = 320` and `"flow": 320` hold data, whose values are compared; any other line is a command, which passages have word for word. */
const DATA = /^[\s"']*[\p{L}_][\p{L}\p{N}_ .-]*["']?\s*[=:]\s*\S|^[\s{}[\](),;]*$/u;

function unsaidCode(sentence: Sentence, cited: readonly number[], context: CheckContext): readonly AnswerFinding[] {
  const texts = [...context.passages].filter(([number]) => cited.includes(number)).map(([, { original }]) => original);
  const lacking = linesOfCode(sentence.text).filter(
    (line) =>
      !DATA.test(line) && !/^\s*[\d.,\s]+$/.test(line) && !texts.some((text) => holdsIdentifier(text, line.trim())),
  );
  return lacking.length === 0 ? [] : [notCovered(sentence, { cited, lacking, text: context.text })];
}

/** What a sentence tells to type or to open, and no passage has literally. */
function notTyped(sentence: Sentence, pool: readonly number[], context: CheckContext): readonly AnswerFinding[] {
  if (sentence.kind === 'code') return [];
  const { start, end } = sentence;
  const numbers = pool.length > 0 ? pool : [...context.passages.keys()];
  const texts = numbers.flatMap((number) => context.passages.get(number)?.original ?? []);
  // A file name may be that of any passage.
  const heads = [...context.passages.values()].map(({ head }) => head);
  return identifiersOf(context.bare.slice(start, end))
    .filter(
      ({ text }) =>
        ![...texts, ...heads, context.coverer.question.original].some((each) => holdsIdentifier(each, text)),
    )
    .map((at) => {
      const range = { start: start + at.start, end: start + at.end };
      return missing(range, { kind: 'quotation', cited: numbers, text: context.text });
    });
}

/** How a number that no cited passage has follows from numbers of one; null if it does not. */
function computation(
  detail: Detail,
  sentence: Sentence,
  cited: readonly number[],
  context: CheckContext,
): string | null {
  if (detail.kind !== 'number') return null;
  const said = context.hard(sentence.text).map(({ means }) => means);
  // `twice, in 2009 and in 2016`
  const listed = startingIn(context.details, sentence).filter((each) => each !== detail && each.kind !== 'quotation');
  if (
    detail.value.unit?.means.includes('times') === true &&
    Number(detail.value.alternatives[0]?.[0]) === listed.length
  )
    return listed.map(({ start, end }) => context.bare.slice(start, end).trim()).join(', ');
  const numbers = listed.filter((each) => each.kind === 'number');
  const sources = cited.map((number) => {
    const text = context.passages.get(number)?.original ?? '';
    const details = context.detailsIn(text);
    // The half of `half an hour` is part of a value.
    const apart = context
      .hard(text)
      .filter(({ start }) => !details.some((each) => each.start <= start && start < each.end));
    return { text, details, periods: [said, apart.map(({ means }) => means)] as const };
  });
  const stepsTo = (value: ReadNumber, counts: readonly number[]): Steps | null => {
    for (const source of sources) {
      const steps = computedFrom(value, {
        statement: sentence.text,
        own: numbers.map((each) => each.value),
        counts,
        ...source,
      });
      if (steps !== null) return steps;
    }
    return null;
  };
  const count = countOf(detail);
  const named = [detail, ...numbers, ...context.detailsIn(context.coverer.question.original)];
  const spelled = sentence.text.match(/\p{L}+/gu)?.map((word) => valueOfWord(word) ?? 0) ?? [];
  const counts = [...named.flatMap((each) => countOf(each) ?? []), ...spelled.filter((each) => each > 1)];
  if (count === null) return stepsTo(detail.value, counts)?.written ?? null;
  // `two adults pay 28 pounds`: the two is one of the statement's own.
  const products = numbers.filter(({ value }) => value.unit !== null).map(({ value }) => stepsTo(value, counts));
  return (products.find((steps) => steps?.counts.includes(count)) ?? stepsTo(detail.value, []))?.written ?? null;
}

/** How many of something a detail says there are; null for a value with a unit. */
function countOf(detail: Detail): number | null {
  if (detail.kind !== 'number' || detail.value.unit !== null) return null;
  const count = Number(detail.value.alternatives[0]?.[0]);
  return Number.isInteger(count) && count > 1 ? count : null;
}

/** A `yes` or `no` that the sentence after it contradicts: the question is answered by that sentence the other way. */
function wrongAnswerWord(sentences: readonly Sentence[], context: CheckContext): readonly AnswerFinding[] {
  const at = sentences.findIndex(({ text }) => answerWord(text.replaceAll('*', '')) !== null);
  const first = sentences[at];
  if (first === undefined || at > 1) return [];
  const word = answerWord(first.text.replaceAll('*', ''));
  const own = withoutAnswerWord(first.text.replaceAll('*', ''));
  const { coverer } = context;
  const { question } = coverer;
  const { words } = coverer.asked;
  const isBare = coverer.read(own).words.every(({ written }) => isNegated(written));
  const said = isBare ? (sentences[at + 1]?.text ?? '') : own;
  const range = { start: first.start, end: first.start + (word?.length ?? 0) };
  const failing = (message: string): readonly AnswerFinding[] => [
    finding('claim', 'failed', { range, cited: [], bare: context.text, message }),
  ];
  // `No, never` needs a sentence that says so.
  const isEmphatic = isBare && isNegated(own);
  if (words.length === 0 || said === '') return [];
  const spoken = coverer.read(said);
  const unsupported = isEmphatic ? failing('no sentence after this supports it') : [];
  if (!words.some((each) => spoken.has(each))) return unsupported;
  const covering = coverer.cover(said).passages;
  const isAsked = coverer.sentences.some(
    (sentence) =>
      covering.includes(sentence.passage) && words.every((each) => spoken.has(each) || sentence.words.has(each)),
  );
  const isOther = detailsOf(question.original, []).some((detail) => lookUp(detail, [compileText(said)]).kind !== null);
  if (!isAsked || isOther) return unsupported;
  const isOpposed = isNegated(said) !== isNegated(question.original);
  // `No, it is closed` agrees with `Is it open?`, and not with `Is it closed?`; `No, they may` agrees with `Must they?`.
  const isRefused = word === 'no' && limits(said, question.original);
  if ((word === 'yes') !== isOpposed || isRefused) return [];
  return failing(`"${context.text.slice(range.start, range.end)}" contradicts the sentence after it`);
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

function isOfQuestion(detail: Detail, { coverer: { question }, folded }: CheckContext): boolean {
  return lookUp(detail, [question], folded).kind === null;
}

/** Whether a sentence only repeats the question. */
function repeatsQuestion({ text }: Sentence, { coverer }: CheckContext): boolean {
  const { words } = coverer.read(text);
  return words.length > 0 && words.every((word) => coverer.asked.has(word));
}

/** Whether a sentence has a word of what it cites. */
function sharesWords({ text }: Sentence, cited: readonly number[], { coverer }: CheckContext): boolean {
  const sources = coverer.sentences.filter(({ passage }) => cited.includes(passage));
  return coverer.read(text).words.some((word) => sources.some(({ words }) => words.has(word)));
}

function unknownNumbers(
  { numbers, start, end }: ReadCitation,
  { passages, text }: CheckContext,
): readonly AnswerFinding[] {
  const unknown = numbers.filter((number) => !passages.has(number));
  return unknown.length === 0 ? [] : [{ ...unknownCitation(text.slice(start, end), { start, end }), cited: unknown }];
}
