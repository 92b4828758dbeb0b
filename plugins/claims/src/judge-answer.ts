import type { AnswerJudgement, AnswerToJudge, JudgedSentence, Verdict } from '@kebab/core';
import { askedValue, namesValue } from './asked-value.ts';
import { attribute } from './attribute.ts';
import {
  checkClaims,
  preparePrompt,
  type CheckedClaims,
  type CheckedSentence,
  type PreparedPrompt,
} from './check-claims.ts';
import { isUnspaced } from './content-words.ts';
import type { SpokenWord } from './spoken-words.ts';

/**
 * Judges an answer: checks every sentence against the passages it cites, sets the markers that the model left out or got wrong, and checks
 * the result. The last sentence of a text that is cut off gets no marker, and needs none.
 */
export function judgeAnswer(answer: AnswerToJudge): AnswerJudgement {
  const { question, isCutOff } = answer;
  const prompt = preparePrompt(answer);
  const first = checkClaims(answer, prompt);
  const whole = isCutOff ? first.sentences.filter(({ end }) => end < answer.text.length) : first.sentences;
  const { attributed, ...marked } = attribute(answer, whole, prompt);
  const checked = marked.text === answer.text ? first : checkClaims(marked, prompt);
  const { sentences, findings, reason, cited, details, deniesOnly, unsupported } = checked;
  const isOpenEnd = ({ kind, cited: numbers, end }: AnswerJudgement['findings'][number]): boolean =>
    isCutOff && kind === 'citation' && numbers.length === 0 && end >= marked.text.length;
  return {
    method: 'lexical',
    text: marked.text,
    sentences: sentences.map(judgedSentence),
    findings: findings.filter((finding) => !isOpenEnd(finding)),
    reason: reason ?? (isBesideThePoint(checked, prompt, question) ? 'beside_the_question' : null),
    cited,
    attributed: cited.filter((number) => attributed.has(number) && !isCitedByModel(number, first)),
    details,
    deniesOnly,
    unsupported,
    missingValue: missingValue(checked, question),
  };
}

const CONTRADICTIONS: ReadonlySet<string> = new Set(['quotation', 'number', 'date', 'unit']);

function judgedSentence(sentence: CheckedSentence): JudgedSentence {
  const { text, start, end, cited, quotations } = sentence;
  return { text, start, end, verdict: verdictOf(sentence), cited, quotations };
}

function verdictOf({ isClaim, failures }: CheckedSentence): Verdict | null {
  if (!isClaim) return null;
  if (failures.length === 0) return 'supported';
  return failures.some(({ kind }) => CONTRADICTIONS.has(kind)) ? 'contradicted' : 'unsupported';
}

/** Whether the model set a marker of a passage that still stands. */
function isCitedByModel(number: number, { sentences }: CheckedClaims): boolean {
  return sentences.some(
    ({ citations, failures }) => failures.length === 0 && citations.some(({ numbers }) => numbers.includes(number)),
  );
}

/** A passage that has more than this share of the question's words speaks about it. */
const SPEAKS_ABOUT = 0.5;

/**
 * Whether an answer holds nothing of what was asked: neither it nor the passages it cites have a word of the question, while a sentence of
 * another passage has most of them.
 */
function isBesideThePoint({ sentences, cited }: CheckedClaims, { coverer }: PreparedPrompt, question: string): boolean {
  const { words } = coverer.asked;
  // Words of two scripts cannot be compared.
  const claims = sentences.filter(({ isClaim, text }) => isClaim && isUnspaced(text) === isUnspaced(question));
  if (words.length === 0 || claims.length === 0 || cited.length === 0) return false;
  const spoken = claims.map(({ text }) => coverer.read(text));
  if (words.some((word) => spoken.some(({ has }) => has(word)))) return false;
  const held = (sentence: { readonly words: { readonly has: (word: SpokenWord) => boolean } }): number =>
    words.filter((word) => sentence.words.has(word)).length;
  const [own, others] = [true, false].map((isOwn) =>
    coverer.sentences.filter(({ passage }) => cited.includes(passage) === isOwn),
  );
  if (own?.some((sentence) => held(sentence) > 0) === true) return false;
  return others?.some((sentence) => held(sentence) > SPEAKS_ABOUT * words.length) === true;
}

/** The kind of value that the question asks for and no supported sentence names; null if nothing is missing or nothing supported. */
function missingValue({ sentences }: CheckedClaims, question: string): string | null {
  const kind = askedValue(question);
  const supported = sentences.filter((sentence) => verdictOf(sentence) === 'supported');
  if (kind === null || supported.length === 0) return null;
  if (supported.some(({ text }) => namesValue(text, kind, question))) return null;
  return kind === 'number' ? 'a number' : 'a date or a time';
}
