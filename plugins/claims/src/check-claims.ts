import {
  detectLanguage,
  UNDETERMINED,
  type AnswerFinding,
  type AnswerJudgement,
  type AnswerToJudge,
  type JudgedQuotation,
  type ReadCitation,
  type TextRange,
} from '@kebab/core';
import { compilePassage, compileText, remembered, type CompiledPassage } from './compile-passage.ts';
import { contentUnits, foldText, isUnspaced, likelyLanguage, readNames, type ReadName } from './content-words.ts';
import {
  computed,
  finding,
  incomparable,
  missing,
  notCovered,
  notIn,
  ordered,
  reversed,
  uncited,
  unknownCitation,
} from './claim-findings.ts';
import { covererOf, type Coverer } from './cover.ts';
import { detailsOf, lookUp, type Detail, type Lookup } from './details.ts';
import { hardWords, mentions, type HardWord } from './rates.ts';
import { holdsIdentifier, identifiersOf } from './identifiers.ts';
import { foreignLanguage, roleOf, unsaidByLabel, type StatementRole } from './statement-role.ts';
import { findQuotations, foldedQuotation } from './find-quotations.ts';
import { computedFrom } from './measures.ts';
import { answerWord, isNegated, withoutAnswerWord } from './polarity.ts';
import { blanked, firstFrom, startingIn } from './sorted-ranges.ts';
import { splitClaims, type Sentence } from './split-claims.ts';

/** The passages and the question of a prompt, indexed for the checks of one answer. */
export interface PreparedPrompt {
  readonly passages: ReadonlyMap<number, CompiledPassage>;
  readonly question: CompiledPassage;
  readonly coverer: Coverer;
  /** The numbers and dates of a text. */
  readonly detailsIn: (text: string) => readonly Detail[];
  /** The words of a text for a rate or a vague amount. */
  readonly hard: (text: string) => readonly HardWord[];
  /** Folds a quotation for comparison. */
  readonly folded: (quotation: string) => readonly string[];
  /** Whether a text, behind a language and a line feed, is in another language. */
  readonly foreign: (said: string) => boolean;
  /** The language of passages, whose numbers are joined by commas. */
  readonly languageOf: (numbers: string) => string;
}

/** Indexes the passages and the question of a prompt. */
export function preparePrompt({ question, passages }: Pick<AnswerToJudge, 'question' | 'passages'>): PreparedPrompt {
  const coverer = covererOf(passages, question);
  const compiled = new Map(passages.map((passage) => [passage.number, compilePassage(passage)]));
  return {
    passages: compiled,
    question: coverer.question,
    coverer,
    detailsIn: remembered((text: string) => detailsOf(text, [])),
    hard: remembered(hardWords),
    folded: remembered(foldedQuotation),
    foreign: remembered((said: string) => {
      const [cited = '', ...rest] = said.split('\n');
      return foreignLanguage(rest.join('\n'), cited) !== null;
    }),
    languageOf: remembered((numbers: string) => languageOf(numbers.split(',').map(Number), compiled, coverer.language)),
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
    isGermanText: likelyLanguage(bare, prompt.coverer.language) === 'de',
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
  /(?<!\p{L})(?:left out|omitted|omits?|lack\p{L}*|missing|absent|unable|silent|silence|fehl\p{L}*|schweig\p{L}*|manqu\p{L}*|ignor\p{L}*|desconoz\p{L}*|desconhe\p{L}*|falta\p{L}*|manca\p{L}*|ontbre\p{L}*|brak\p{L}*|отсутств\p{L}*|неизвест\p{L}*|yok|değil|lipse\p{L}*)(?!\p{L})|어렵|불가|부족|無理|難し|不足|不明|无法|無法|难以|缺|لم|لا|غير|نیست|نمی|نشده/iu;

/** Whether an answer says that something is not known, and beside that nothing that the model found in a passage. */
function deniesOnly(checked: readonly SentenceCheck[], context: CheckContext): boolean {
  const denies = ({ role, isClaim, failures, text, cited }: CheckedSentence): boolean => {
    if (role === 'denial') return true;
    if (!isClaim || failures.length === 0 || !(isNegated(text) || ABSENCE.test(text))) return false;
    const numbers = cited.length > 0 ? cited : [...context.passages.keys()];
    const { words, own, details } = context.coverer.unknownWords(text, numbers);
    const namesAsked = context.coverer.read(text).words.some((word) => context.coverer.asked.has(word));
    return details === 0 && (namesAsked || own > 2) && 3 * (own - words.length) <= own;
  };
  const sentences = checked.map(({ sentence }) => sentence);
  if (!sentences.some(denies)) return false;
  return sentences.every(
    (sentence) =>
      denies(sentence) ||
      (sentence.isClaim
        ? sentence.failures.length > 0 && sentence.citations.length === 0
        : sentence.failures.length === 0),
  );
}

interface CheckContext extends PreparedPrompt {
  readonly text: string;
  /** The text with citations blanked out, of the same length. */
  readonly bare: string;
  readonly details: readonly Detail[];
  readonly citedAnywhere: readonly number[];
  /** Whether the answer is in German, which capitalises every noun. */
  readonly isGermanText: boolean;
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
  for (const detail of details) {
    if (!isClaim && isCount(detail)) continue;
    const against = directGroup(detail, sentence, context) ?? pool;
    const numbers = against.length > 0 ? against : [...context.passages.keys()];
    const verdict = look(detail, numbers, context);
    if (detail.kind === 'quotation') quotations.push({ text: detail.text, cited: against, holding: verdict.holding });
    if (against.length > 0) checked++;
    if (verdict.kind === null) continue;
    // A question may name something that is not in the evidence: repeating it isClaim nothing.
    if (isOfQuestion(detail, context) && (repeats || !isClaim)) continue;
    const steps = isClaim && against.length > 0 ? computation(detail, sentence, against, context) : null;
    if (steps !== null) {
      findings.push(computed(detail, { steps, cited: against, text: context.text }));
      continue;
    }
    if (sentence.kind === 'code' && detail.kind === 'quotation' && hasWords(detail.text, numbers, context)) continue;
    findings.push(missing(detail, { ...verdict, kind: verdict.kind, cited: against, text: context.text }));
  }
  if (role !== 'denial') findings.push(...notTyped(sentence, pool, context));
  if (role === 'label' && !findings.some(isFailure)) {
    const lacking = unsaidByLabel(sentence, context.coverer);
    if (lacking.length > 0) findings.push(notCovered(sentence, { cited, lacking, text: context.text }));
  }
  const isComputed = findings.some(({ kind }) => kind === 'computed');
  if (isClaim && cited.length > 0 && !isComputed) findings.push(...wrongRates(sentence, cited, context));
  const names = isClaim && cited.length > 0 ? unknownNames(sentence, cited, context) : { findings: [], known: 0 };
  if (isClaim && !isComputed && !findings.some(isFailure)) findings.push(...mismatches(sentence, cited, context));
  if (isClaim && cited.length > 0 && !findings.some(isFailure))
    findings.push(...unsaid(sentence, { cited, hasDetails: checked + names.known > 0 }, context));
  const { text, kind, start, end, citations } = sentence;
  return {
    sentence: {
      text,
      kind,
      role,
      start,
      end,
      citations,
      isClaim,
      cited,
      quotations,
      failures: findings.filter(isFailure),
    },
    findings: [...findings, ...names.findings],
    details: checked + names.known + names.findings.length,
    sharesWords: isClaim && sharesWords(sentence, cited, context),
  };
}

function isFailure({ level }: AnswerFinding): boolean {
  return level === 'failed';
}

/** Fewer words of its own do not show that a sentence is not from the passage it cites. */
const MIN_OWN_WORDS = 3;
/** Said of a time that is a number in its passage. */
const DAYTIME =
  /(?<!\p{L})(?:half|quarter) (?:past|to)(?!\p{L})|(?<!\p{L})in the (?:morning|afternoon|evening)(?!\p{L})/giu;
/** Where one statement of a sentence ends and another begins. */
const CLAUSES = /[,;:—–，；、]|\s(?:and|but|while|which|who|und|aber|et|mais|y|pero|e|ma|en|maar)\s/giu;

/**
 * What a cited passage does not say although no detail is wrong: a sentence that only repeats the question, one that follows an order in a
 * passage, one most of whose own words stand in none of its passages, and one in another language without a value to compare.
 */
function unsaid(
  sentence: Sentence,
  { cited, hasDetails }: { readonly cited: readonly number[]; readonly hasDetails: boolean },
  context: CheckContext,
): readonly AnswerFinding[] {
  const { coverer, text } = context;
  if (sentence.kind === 'code') return unsaidCode(sentence, cited, context);
  const sameScript = cited.some((number) => context.passages.get(number)?.isUnspaced === isUnspaced(sentence.text));
  const said = blanked(sentence.text, context.hard(sentence.text)).replaceAll(DAYTIME, ' ');
  const unknown = coverer.unknownWords(said, cited);
  if (!sameScript || context.foreign(`${context.languageOf(cited.join(','))}\n${sentence.text}`)) {
    return hasDetails || unknown.own === 0 ? [] : [incomparable(sentence, cited, text)];
  }
  if (unknown.inOrders && unknown.words.length > 0) return [ordered(sentence, cited, text)];
  // All it adds to the question is what no passage has: `The capital is Ulaanbaatar`.
  if (unknown.own > 0 && unknown.details === 0 && unknown.words.length === unknown.own)
    return [notCovered(sentence, { cited, lacking: unknown.words, text })];
  for (const part of [...(hasDetails ? [] : [said]), ...clausesOf(said)]) {
    const { words, own, details } = coverer.unknownWords(part, cited);
    // Beside a value, a clause may be in words of the answer's own.
    const most = hasDetails ? own - 1 : own / 2;
    if (words.length >= MIN_OWN_WORDS && words.length > most && !(hasDetails && details > 0))
      return [notCovered(sentence, { cited, lacking: words, text })];
  }
  if (hasDetails || unknown.own > 0) {
    const isMostlyUnknown = unknown.own >= MIN_OWN_WORDS && 2 * unknown.words.length > unknown.own;
    return isMostlyUnknown && !hasDetails ? [notCovered(sentence, { cited, lacking: unknown.words, text })] : [];
  }
  if (coverer.read(sentence.text).words.length === 0) return []; // nothing can be compared
  const { missing: lacking, restates } = coverer.cover(sentence.text, cited);
  return restates && lacking.length > 0 ? [notCovered(sentence, { cited, lacking, text })] : [];
}

/** The clauses of a sentence; a quotation is cut nowhere. */
function clausesOf(said: string): readonly string[] {
  const joints = [...blanked(said, findQuotations(said)).matchAll(CLAUSES)];
  return [...joints, { 0: '', index: said.length }].map(({ index }, at) => {
    const before = joints[at - 1];
    return said.slice(before === undefined ? 0 : before.index + before[0].length, index);
  });
}

/** The language of passages; that of all of them where these are too short. */
function languageOf(
  cited: readonly number[],
  passages: ReadonlyMap<number, CompiledPassage>,
  otherwise: string,
): string {
  const texts = cited.flatMap((number) => passages.get(number)?.original ?? []);
  const language = detectLanguage(texts.join('\n'));
  return language === UNDETERMINED ? otherwise : language;
}

/** `flow = 320` and `"flow": 320` hold data, whose values are compared; any other line is a command, which passages have word for word. */
const DATA = /^[\s"']*[\p{L}_][\p{L}\p{N}_ .-]*["']?\s*[=:]\s*\S|^[\s{}[\](),;]*$/u;

function unsaidCode(sentence: Sentence, cited: readonly number[], context: CheckContext): readonly AnswerFinding[] {
  const texts = [...context.passages].filter(([number]) => cited.includes(number)).map(([, { original }]) => original);
  const lines = sentence.text.split('\n').filter((line) => !/^\s*(?:```|~~~)/.test(line) && /[\p{L}\p{N}]/u.test(line));
  const lacking = lines.filter(
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
    .filter(({ text }) => ![...texts, ...heads, context.question.original].some((each) => holdsIdentifier(each, text)))
    .filter(
      ({ text }) =>
        !/\p{N}/u.test(text) || !/^[\p{L}\p{M}\p{N}\s.,:%°-]+$/u.test(text) || !hasWords(text, numbers, context),
    )
    .map((at) => {
      const range = { start: start + at.start, end: start + at.end };
      return missing(range, { kind: 'quotation', cited: numbers, text: context.text });
    });
}

/** Whether every word and number of a text stands in one of these passages. */
function hasWords(text: string, numbers: readonly number[], context: CheckContext): boolean {
  const { words } = context.coverer.read(text.replaceAll(/[_./-]/g, ' '));
  const sentences = context.coverer.sentences.filter(({ passage }) => numbers.includes(passage));
  const values = detailsOf(text, []);
  return (
    words.length + values.length > 0 &&
    words.every((word) => sentences.some((sentence) => sentence.words.has(word))) &&
    values.every((value) => look(value, numbers, context).kind === null)
  );
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
  for (const number of cited) {
    const text = context.passages.get(number)?.original ?? '';
    const steps = computedFrom(detail.value, {
      written: context.bare.slice(detail.start, detail.end),
      statement: sentence.text,
      text,
      details: context.detailsIn(text),
      periods: said.length === 0 ? [[], []] : [said, context.hard(text).map(({ means }) => means)],
    });
    if (steps !== null) return steps;
  }
  return null;
}

/** Rates and vague amounts that do not stand in the sentence of a passage that has the numbers beside them. */
function wrongRates(sentence: Sentence, cited: readonly number[], context: CheckContext): readonly AnswerFinding[] {
  const { start, text, head } = sentence;
  const written = context.bare.slice(start, sentence.end);
  const hard = context.hard(written);
  const ofHead = head === '' ? [] : context.hard(head);
  if (hard.length + ofHead.length === 0) return [];
  const sources = context.coverer.sentences.filter(({ passage }) => cited.includes(passage));
  const isForeign = context.foreign(`${context.languageOf(cited.join(','))}\n${text}`);
  return [...hard, ...ofHead.map((word) => ({ ...word, start: 0, end: written.length }))]
    .filter((word) => !isMentioned(word, { written, sources, isForeign }))
    .map((word) => {
      const range = { start: start + word.start, end: start + word.end };
      return missing(range, { kind: word.kind, cited, text: context.text });
    });
}

function isMentioned(
  word: HardWord,
  {
    written,
    sources,
    isForeign,
  }: { readonly written: string; readonly sources: Coverer['sentences']; readonly isForeign: boolean },
): boolean {
  const having = sources.filter(({ whole }) => mentions(whole, word));
  if (having.length === 0 || word.kind === 'number' || isForeign) return having.length > 0;
  // A rate belongs to the numbers of its clause.
  const from = Math.max(
    0,
    ...[...written.slice(0, word.start).matchAll(/[,;，；]\s|\s(?:and|und|et|y)\s/gu)].map(({ index }) => index),
  );
  const values = detailsOf(written.slice(from, word.start), []).filter(({ kind }) => kind !== 'quotation');
  const after = values.length > 0 ? values : detailsOf(written.slice(word.end), []).slice(0, 1);
  const held = sources.filter((sentence) => after.every((value) => lookUp(value, [sentence.compiled()]).kind === null));
  return held.length === 0 || after.length === 0 || held.some(({ whole }) => mentions(whole, word));
}

/** A `yes` or `no` that the sentence after it contradicts: the question is answered by that sentence the other way. */
function wrongAnswerWord(sentences: readonly Sentence[], context: CheckContext): readonly AnswerFinding[] {
  const at = sentences.findIndex(({ text }) => answerWord(text.replaceAll('*', '')) !== null);
  const first = sentences[at];
  if (first === undefined || at > 1) return [];
  const word = answerWord(first.text.replaceAll('*', ''));
  const own = withoutAnswerWord(first.text.replaceAll('*', ''));
  const { coverer, question } = context;
  const { words } = coverer.asked;
  const isBare = coverer.read(own).words.length === 0;
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
  const isOther = detailsOf(question.original, []).some((detail) => lookUp(detail, [compiledOf(said)]).kind !== null);
  if (!isAsked || isOther) return unsupported;
  const isOpposed = isNegated(said) !== isNegated(question.original);
  if ((word === 'yes') !== isOpposed) return [];
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

function compiledOf(text: string): CompiledPassage {
  return { number: 0, ...compileText(text, [foldText(text)]) };
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

/** Whether a sentence has a word of what it cites. */
function sharesWords({ text }: Sentence, cited: readonly number[], { passages }: CheckContext): boolean {
  const units = contentUnits(text);
  return cited.some((number) => units.some((unit) => passages.get(number)?.content.has(unit) === true));
}

/** What a sentence says otherwise than the passages it cites, in the words of one of their sentences. */
function mismatches(
  { start, end, kind }: Sentence,
  cited: readonly number[],
  context: CheckContext,
): readonly AnswerFinding[] {
  if (kind === 'code' || cited.length === 0) return [];
  // What is quoted stands there word for word.
  const written = context.bare.slice(start, end);
  const said = kind === 'row' ? written.replaceAll('|', ' ') : written;
  const found = context.coverer.mismatch(blanked(said, findQuotations(said)), cited);
  if (found === null) return [];
  const range = { start: start + found.start, end: start + found.end };
  return [reversed(range, { ...found, cited, text: context.text })];
}

/** Words of German, which capitalises every noun: there, only two capitalised words in a row are a name. */
const GERMAN =
  /(?<!\p{L})(?:der|die|das|den|dem|des|eine?[nmrs]?|und|ist|sind|wird|werden|wurden?|im|am|vom|zum|zur|nicht|mit|auf|für|kostet|hat|beträgt|muss|darf|nach|bei|jeden?|über|aus)(?!\p{L})/giu;

function unknownNames(
  { start, end }: Sentence,
  cited: readonly number[],
  { bare, details, passages, question, isGermanText }: CheckContext,
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
  const isGerman = (bare.slice(start, end).match(GERMAN) ?? []).length > 1 || isGermanText;
  const names = readNames(sentence, isKnownName).filter(
    ({ words }) => !isGerman || words.filter((word) => word.search(GERMAN) === -1).length > 1,
  );
  const isKnown = (word: string): boolean => [...holders, question].some((passage) => passage.hasWord(word));
  const isPhrase = (words: readonly string[]): boolean =>
    words.length < 2 ||
    words.slice(1).every((word, at) => holders.some((passage) => standTogether(passage, words[at] ?? '', word)));
  const unknown = names.filter(({ words }) => !words.every(isKnown) || (holders.length > 0 && !isPhrase(words)));
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

/** Whether two words of a name stand close together in a passage, or one of them does not stand there at all. */
function standTogether({ original, head }: CompiledPassage, one: string, other: string): boolean {
  const words = `${original} ${head}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const at = (word: string): readonly number[] => {
    const stem = word.toLowerCase().slice(0, Math.max(4, word.length - 2));
    return words.flatMap((each, index) => (each.startsWith(stem) ? [index] : []));
  };
  const [first, second] = [at(one), at(other)];
  return first.length === 0 || second.length === 0 || first.some((a) => second.some((b) => Math.abs(a - b) <= 3));
}

function unknownNumbers(
  { numbers, start, end }: ReadCitation,
  { passages, text }: CheckContext,
): readonly AnswerFinding[] {
  const unknown = numbers.filter((number) => !passages.has(number));
  return unknown.length === 0 ? [] : [{ ...unknownCitation(text.slice(start, end), { start, end }), cited: unknown }];
}
