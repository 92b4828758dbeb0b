import { rewriteMarkers } from '../generate/marker-stream.ts';
import { NO_EVIDENCE } from '../prompt/templates.ts';
import type { NumberedEvidence } from '../retrieval/evidence.ts';
import { splitClaims } from './split-claims.ts';
import { type CheckedQuote, groupMarkers, narrowCitation, parseMarkers, verifyQuotes } from './verify-quotes.ts';
import type { AnswerCitation, Claim } from '../../wire/index.ts';

/** What a model's text turned out to be: an answer that cites evidence, or none. */
export type Validated =
  | { readonly kind: 'no_answer' }
  | {
      readonly kind: 'answer';
      /** With markers `[n]`. */
      readonly text: string;
      /** In order of first appearance. */
      readonly citations: readonly AnswerCitation[];
      readonly unsupported: readonly string[];
      readonly claims: readonly Claim[];
    };

/**
 * Checks what a model wrote against the passages it was given. Text without a valid marker, and text that begins with the
 * sentinel, is no answer. Quotations and numbers are checked and flagged; they refuse nothing.
 */
export function postValidate(raw: string, passages: readonly NumberedEvidence[]): Validated {
  const text = raw.trim();
  const markers = parseMarkers(text, passages.length);
  if (text.startsWith(NO_EVIDENCE) || markers.length === 0) return { kind: 'no_answer' };
  const quotes = verifyQuotes(text, groupMarkers(text, markers), passages);
  const numbers = [...new Set(markers.map(({ number }) => number))];
  return {
    kind: 'answer',
    text: rewriteMarkers(text, passages.length).trim(),
    citations: numbers.flatMap((number) => {
      const passage = passages.find((each) => each.number === number);
      return passage === undefined ? [] : [citationOf(passage, quotes)];
    }),
    unsupported: unsupportedNumbers(
      text,
      passages.flatMap(({ text: body, title, headingPath }) => [body, title, ...headingPath]),
    ),
    claims: claimsOf(text, passages, quotes),
  };
}

/** A passage as it is told with an answer; `marker` null makes it a near candidate of a refusal. */
function toCitation(passage: NumberedEvidence, marker: string | null): AnswerCitation {
  const { citation, score, indexed_at, stale, freshness } = passage;
  return { marker, citation, score, indexed_at, stale, freshness, quotes: [], verified: null };
}

function citationOf(passage: NumberedEvidence, checked: readonly CheckedQuote[]): AnswerCitation {
  const quotes = checked
    .filter(({ number }) => number === passage.number)
    .map(({ text, verified }) => ({ text, verified }));
  const verified = quotes.length === 0 ? null : quotes.every((quote) => quote.verified);
  return { ...toCitation(passage, `[${passage.number}]`), quotes, verified };
}

function claimsOf(
  text: string,
  passages: readonly NumberedEvidence[],
  quotes: readonly CheckedQuote[],
): readonly Claim[] {
  return splitClaims(text, passages.length).map(({ text: claim, markers }) => ({
    text: claim,
    evidence: markers.flatMap((marker) => {
      const passage = passages.find(({ number }) => number === marker.number);
      if (passage === undefined) return [];
      const quote = quotes.find(
        ({ at, number }) => number === marker.number && at <= marker.start && isOfGroup(text, at, marker.start),
      );
      return [
        {
          marker: `[${marker.number}]`,
          uri: quote?.verified === true ? narrowCitation(passage, quote.text) : passage.citation.uri,
          quote: quote?.text ?? null,
          verified: quote?.verified ?? null,
        },
      ];
    }),
  }));
}

/** Whether only markers stand between the first marker of a group and another one. */
function isOfGroup(text: string, first: number, marker: number): boolean {
  return /^(?:\[#\d{1,3}\]|\s)*$/.test(text.slice(first, marker));
}

const NUMBER = /\d+(?:[.,'’\u00A0\u202F]\d+)*/g;
const LIST_NUMBERING = /^([ \t>*+-]*)\d{1,3}[.)](?=\s)/gm;

/**
 * The numbers of an answer that stand in none of these texts, in order, each once, as written. Thousands separators make no
 * difference; markers and the numbering of lists are no numbers. Markers must still have the form the model gave them.
 */
export function unsupportedNumbers(answer: string, texts: readonly string[]): readonly string[] {
  const known = new Set(texts.flatMap((text) => numbersIn(text).flatMap(readings)));
  const bare = asciiDigits(answer)
    .replaceAll(/\[#\d{1,3}\]/g, ' ')
    .replaceAll(LIST_NUMBERING, '$1');
  const unknown = numbersIn(bare).filter((number) => !isKnown(number, known));
  return [...new Set(unknown)];
}

function numbersIn(text: string): readonly string[] {
  return asciiDigits(text).match(NUMBER) ?? [];
}

function isKnown(number: string, known: ReadonlySet<string>): boolean {
  if (known.has(canonical(number))) return true;
  const parts = partsOf(number);
  return parts.length > 1 && isList(number) && parts.every((part) => known.has(canonical(part)));
}

/** Every way to read a number: as it is, and, for what may be an enumeration, each of its parts. */
function readings(number: string): readonly string[] {
  return isList(number) ? [canonical(number), ...partsOf(number).map(canonical)] : [canonical(number)];
}

/** Whether the separators may separate several numbers (`3,5` or `1066,1067`) rather than thousands. */
function isList(number: string): boolean {
  return number.includes(',') && canonical(number) === withoutZero(number);
}

function partsOf(number: string): readonly string[] {
  return number.split(',');
}

/** A number without thousands separators, and without the zero before a day or month. */
function canonical(number: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number)) return withoutZero(number.replaceAll(',', ''));
  if (/^\d{1,3}(?:['’\u00A0\u202F]\d{3})+(?:[.,]\d+)?$/.test(number))
    return withoutZero(number.replaceAll(/['’\u00A0\u202F]/g, ''));
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(number)) return withoutZero(number.replaceAll('.', ''));
  return withoutZero(number);
}

function withoutZero(number: string): string {
  return number.replace(/^0(?=\d$)/, '');
}

function asciiDigits(text: string): string {
  return text.replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
}
