import type { AnswerCitation, AnswerChecks, Claim } from '../../wire/index.ts';
import { rewriteMarkers } from '../generate/marker-stream.ts';
import { NO_EVIDENCE } from '../prompt/templates.ts';
import type { NumberedEvidence } from '../retrieval/evidence.ts';
import { checkClaims, type CheckedSentence } from './check-claims.ts';
import { narrowCitation } from './verify-quotes.ts';

/** What a model's text turned out to be: an answer, as far as it holds, or none. */
export type Validated =
  | {
      readonly kind: 'no_answer';
      /** What was written apart from the sentinel; empty when nothing was. */
      readonly written: string;
    }
  | {
      readonly kind: 'answer';
      /** With markers `[n]`. */
      readonly text: string;
      /** Null when every check held; `llm_self_judge` when the answer cites nothing or takes itself back. */
      readonly reason: 'unverified' | 'llm_self_judge' | null;
      readonly checks: AnswerChecks;
      /** In order of first appearance. */
      readonly citations: readonly AnswerCitation[];
      readonly unsupported: readonly string[];
      readonly claims: readonly Claim[];
      /** The sentences that claim something. */
      readonly statements: readonly string[];
    };

/**
 * Checks what a model wrote against the passages it was given. Nothing but citations, and text that begins with the sentinel, is no
 * answer; any other text is one, with what does not hold in it.
 */
export function postValidate(raw: string, passages: readonly NumberedEvidence[], question = ''): Validated {
  const written = raw.trim();
  const spoken = written.replaceAll(NO_EVIDENCE, '').trim();
  if (spoken === '' || written.startsWith(NO_EVIDENCE)) return { kind: 'no_answer', written: spoken };
  const takenBack = written.includes(NO_EVIDENCE);
  const { text, removed } = shown(written.replaceAll(NO_EVIDENCE, ''), passages.length);
  const { checks, sentences, cited, unsupported } = checkClaims({ text, question, passages, removed });
  if (sentences.length === 0) return { kind: 'no_answer', written: spoken };
  return {
    kind: 'answer',
    text,
    reason: takenBack || cited.length === 0 ? 'llm_self_judge' : checks.reason === null ? null : 'unverified',
    checks,
    citations: cited.flatMap((number) => {
      const passage = passages.find((each) => each.number === number);
      return passage === undefined ? [] : [citationOf(passage, sentences)];
    }),
    unsupported,
    claims: sentences.map((sentence) => claimOf(sentence, passages)),
    statements: sentences.filter(({ claims }) => claims).map((sentence) => sentence.text),
  };
}

/** The text as readers see it, and the markers of passages that are not there, with where they stood. */
function shown(
  raw: string,
  passages: number,
): { readonly text: string; readonly removed: readonly { readonly number: number; readonly at: number }[] } {
  const whole = rewriteMarkers(raw, passages);
  const text = whole.trim();
  const lead = whole.length - whole.trimStart().length;
  const removed = [...raw.matchAll(/\[#(\d{1,3})\]/g)].flatMap(({ 1: digits, index }) => {
    const number = Number(digits);
    if (number >= 1 && number <= passages) return [];
    const at = rewriteMarkers(raw.slice(0, index), passages).trimEnd().length - lead;
    return [{ number, at: Math.min(text.length, Math.max(0, at)) }];
  });
  return { text, removed };
}

function citationOf(passage: NumberedEvidence, sentences: readonly CheckedSentence[]): AnswerCitation {
  const { citation, score, indexed_at, stale, freshness, number } = passage;
  const quotes = sentences
    .flatMap(({ quotations }) => quotations)
    .filter(({ cited, holding }) => (holding.length > 0 ? holding : cited).includes(number))
    .map(({ text, holding }) => ({ text, verified: holding.length > 0 }));
  const verified = quotes.length === 0 ? null : quotes.every((quote) => quote.verified);
  return { marker: `[${number}]`, citation, score, indexed_at, stale, freshness, quotes, verified };
}

function claimOf({ text, cited, quotations }: CheckedSentence, passages: readonly NumberedEvidence[]): Claim {
  return {
    text,
    evidence: cited.flatMap((number) => {
      const passage = passages.find((each) => each.number === number);
      if (passage === undefined) return [];
      const held = quotations.find(({ holding }) => holding.includes(number));
      const failed = quotations.find((quotation) => quotation.cited.includes(number) && quotation.holding.length === 0);
      const quote = failed ?? held;
      return [
        {
          marker: `[${number}]`,
          uri: quote?.holding.includes(number) === true ? narrowCitation(passage, quote.text) : passage.citation.uri,
          quote: quote?.text ?? null,
          verified: quote === undefined ? null : quote.holding.length > 0,
        },
      ];
    }),
  };
}
