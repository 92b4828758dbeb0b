import type { AnswerCitation, Claim } from '../../wire/index.ts';
import { rewriteMarkers } from '../generate/marker-stream.ts';
import { NO_EVIDENCE } from '../prompt/templates.ts';
import type { NumberedEvidence } from '../retrieval/evidence.ts';
import { narrowCitation } from './narrow-citation.ts';
import { groupMarkers, parseMarkers } from './parse-markers.ts';
import { splitClaims } from './split-claims.ts';
import { unsupportedNumbers } from './unsupported-numbers.ts';
import { verifyQuotes, type CheckedQuote } from './verify-quotes.ts';

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
export function toCitation(passage: NumberedEvidence, marker: string | null): AnswerCitation {
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
