import type { AnswerCitation, AnswerChecks, Claim } from '../../wire/index.ts';
import { rewriteMarkers } from '../generate/generate-text.ts';
import { SENTINEL } from '../prompt/pack-context.ts';
import type { NumberedEvidence } from '../retrieval/retrieve-evidence.ts';
import { checkClaims, type CheckedSentence } from './check-claims.ts';
import { foldText, type FoldedText } from './content-words.ts';
import { narrowCitation } from './find-quotations.ts';

/** The classification of a model's text: an answer with its checks, or none. */
export type Validated =
  | {
      readonly kind: 'no_answer';
      /** The text apart from the sentinel; empty when there was none. */
      readonly written: string;
    }
  | {
      readonly kind: 'answer';
      /** With markers `[n]`. */
      readonly text: string;
      /**
       * Null when every check passed; `llm_self_judge` when the answer cites nothing, retracts itself, or says only that the evidence is
       * silent.
       */
      readonly reason: 'unverified' | 'llm_self_judge' | null;
      readonly checks: AnswerChecks;
      /** In order of first appearance. */
      readonly citations: readonly AnswerCitation[];
      readonly unsupported: readonly string[];
      readonly claims: readonly Claim[];
      /** The sentences that make a claim. */
      readonly statements: readonly string[];
    };

/** Reasoning whose opening tag is in the template of the model, and not in its text. */
const REASONING = /^(?:(?!```|<think)[^])*?\n<\/think(?:ing)?>[ \t]*\n/;

/**
 * Checks a model's text against the passages it received. A text that consists of citations only, or begins with the sentinel, is not an
 * answer; any other text is one, with its findings.
 */
export function postValidate(raw: string, passages: readonly NumberedEvidence[], question = ''): Validated {
  const written = raw.replace(REASONING, '').trim();
  const rest = written.replaceAll(SENTINEL, '');
  const takenBack = rest !== written;
  const spoken = takenBack && !/[\p{L}\p{N}]/u.test(rest) ? '' : rest.trim();
  if (spoken === '' || written.search(SENTINEL) === 0) return { kind: 'no_answer', written: spoken };
  const { text, removed } = shown(rest, passages.length);
  const { checks, sentences, cited, unsupported, deniesOnly } = checkClaims({ text, question, passages, removed });
  if (sentences.length === 0) return { kind: 'no_answer', written: spoken };
  const foldedPassages = new Map<NumberedEvidence, FoldedText>();
  const folded = (passage: NumberedEvidence): FoldedText => {
    const known = foldedPassages.get(passage) ?? foldText(passage.text);
    foldedPassages.set(passage, known);
    return known;
  };
  return {
    kind: 'answer',
    text,
    reason:
      takenBack || deniesOnly || cited.length === 0 ? 'llm_self_judge' : checks.reason === null ? null : 'unverified',
    checks,
    citations: cited.flatMap((number) => {
      const passage = passages.find((each) => each.number === number);
      return passage === undefined ? [] : [citationOf(passage, sentences)];
    }),
    unsupported,
    claims: sentences.map((sentence) => claimOf(sentence, passages, folded)),
    statements: sentences.filter(({ claims }) => claims).map((sentence) => sentence.text),
  };
}

/** The text as shown to the reader, and the markers of nonexistent passages with their positions. */
function shown(
  raw: string,
  passages: number,
): { readonly text: string; readonly removed: readonly { readonly number: number; readonly at: number }[] } {
  const whole = rewriteMarkers(raw, passages);
  const text = whole.trim();
  const lead = whole.length - whole.trimStart().length;
  const removed: { readonly number: number; readonly at: number }[] = [];
  // Nothing is rewritten between two markers: each gap adds its length to the shown text, minus the space before a removed marker.
  let from = 0;
  let length = 0;
  let spoken = 0;
  for (const { 0: marker, 1: digits, index } of raw.matchAll(/\[#(\d{1,3})\]/g)) {
    const between = raw.slice(from, index);
    if (between.trim() !== '') spoken = length + between.trimEnd().length;
    const number = Number(digits);
    const isShown = number >= 1 && number <= passages;
    if (isShown) {
      length += between.length + `[${number}]`.length;
      spoken = length;
    } else {
      length += between.replace(/(?<![ \t])[ \t]+$/, '').length;
      removed.push({ number, at: Math.min(text.length, Math.max(0, spoken - lead)) });
    }
    from = index + marker.length;
  }
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

function claimOf(
  { text, cited, quotations }: CheckedSentence,
  passages: readonly NumberedEvidence[],
  folded: (passage: NumberedEvidence) => FoldedText,
): Claim {
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
          uri:
            quote?.holding.includes(number) === true
              ? narrowCitation(passage, quote.text, () => folded(passage))
              : passage.citation.uri,
          quote: quote?.text ?? null,
          verified: quote === undefined ? null : quote.holding.length > 0,
        },
      ];
    }),
  };
}
