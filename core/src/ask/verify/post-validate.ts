import type { Alert, AnswerCitation, AnswerChecks, Claim } from '../../wire/index.ts';
import { rewriteMarkers } from '../generate/generate-text.ts';
import { SENTINEL } from '../prompt/pack-context.ts';
import type { NumberedEvidence } from '../retrieval/retrieve-evidence.ts';
import { clipped } from '../../errors/invalid-input.ts';
import { askedValue, namesValue, type AskedValue } from './asked-value.ts';
import { attribute } from './attribute.ts';
import {
  checkClaims,
  preparePrompt,
  type CheckedClaims,
  type CheckedSentence,
  type PreparedPrompt,
} from './check-claims.ts';
import { foldText, type FoldedText, isUnspaced } from './content-words.ts';
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
       * Null when every check passed; `llm_self_judge` when the answer says only that the evidence is silent, or says it with the sentinel
       * and nothing that a passage says.
       */
      readonly reason: 'unverified' | 'llm_self_judge' | null;
      readonly checks: AnswerChecks;
      /** In order of first appearance. */
      readonly citations: readonly AnswerCitation[];
      readonly unsupported: readonly string[];
      readonly claims: readonly Claim[];
      /** The sentences that make a claim. */
      readonly statements: readonly string[];
      /** What the reader should know beside the findings. */
      readonly alerts: readonly Alert[];
    };

/** Reasoning whose opening tag is in the template of the model, and not in its text. */
const REASONING = /^(?:(?!```|<think)[^])*?\n<\/think(?:ing)?>[ \t]*\n/;

/**
 * Checks a model's text against the passages it received. A text that consists of citations only, or begins with the sentinel, is not an
 * answer; any other text is one, with its findings. The last sentence of a text that `isCutOff` gets no marker.
 */
export function postValidate(
  raw: string,
  passages: readonly NumberedEvidence[],
  question = '',
  { isCutOff = false }: { readonly isCutOff?: boolean } = {},
): Validated {
  const written = raw.replace(REASONING, '').trim();
  const rest = written.replaceAll(SENTINEL, '');
  const hasSentinel = rest !== written;
  const spoken = hasSentinel && !/[\p{L}\p{N}]/u.test(rest) ? '' : rest.trim();
  if (spoken === '') return { kind: 'no_answer', written: '' };
  const prompt = preparePrompt({ question, passages });
  const asWritten = { ...shown(withJoinedDigits(rest, passages), passages.length), question, passages, prompt };
  const first = checkClaims(asWritten);
  if (first.sentences.length === 0) return { kind: 'no_answer', written: spoken };
  const whole = isCutOff ? first.sentences.filter(({ end }) => end < asWritten.text.length) : first.sentences;
  const { attributed, ...marked } = attribute({ ...asWritten, sentences: whole });
  const checked = marked.text === asWritten.text ? first : checkClaims({ ...asWritten, ...marked });
  const { checks, sentences, cited } = checked;
  if (hasSentinel && supportedSentences(checked).length === 0 && !checked.deniesOnly)
    return { kind: 'no_answer', written: spoken };
  const foldedPassages = new Map<NumberedEvidence, FoldedText>();
  const folded = (passage: NumberedEvidence): FoldedText => {
    const known = foldedPassages.get(passage) ?? foldText(passage.text);
    foldedPassages.set(passage, known);
    return known;
  };
  const beside = isBesideThePoint(checked, prompt, question);
  return {
    kind: 'answer',
    text: marked.text,
    reason: checked.deniesOnly ? 'llm_self_judge' : checks.reason === null && !beside ? null : 'unverified',
    checks: beside && checks.reason === null ? { ...checks, reason: 'beside_the_question' } : checks,
    citations: cited.flatMap((number) => {
      const passage = passages.find((each) => each.number === number);
      if (passage === undefined) return [];
      const byKebab = attributed.has(number) && !isCitedByModel(number, first);
      return [{ ...citationOf(passage, sentences), ...(byKebab ? { attributed: true } : {}) }];
    }),
    unsupported: checked.unsupported,
    claims: sentences.map((sentence) => claimOf(sentence, passages, folded)),
    statements: sentences.filter(({ claims }) => claims).map((sentence) => sentence.text),
    alerts: [...orderAlerts(passages, prompt), ...missingValueAlert(checked, question)],
  };
}

/** Small models write `84, 300` for the `84,300` of a passage. */
function withJoinedDigits(text: string, passages: readonly NumberedEvidence[]): string {
  return text.replaceAll(/(?<![\d,.])(\d{1,3}), (\d{3})(?![\d,.]\d|\d)/g, (apart, first: string, second: string) => {
    const isSplit = passages.some((each) => each.text.includes(`${first},${second}`) && !each.text.includes(apart));
    return isSplit ? `${first},${second}` : apart;
  });
}

/** Whether the model set a marker of a passage that still stands. */
function isCitedByModel(number: number, { sentences }: CheckedClaims): boolean {
  return sentences.some(
    ({ citations, failed }) => !failed && citations.some(({ numbers }) => numbers.includes(number)),
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
  const claims = sentences.filter(({ claims: isClaim, text }) => isClaim && isUnspaced(text) === isUnspaced(question));
  if (words.length === 0 || claims.length === 0 || cited.length === 0) return false;
  const spoken = claims.map(({ text }) => coverer.read(text));
  if (words.some((word) => spoken.some(({ has }) => has(word)))) return false;
  const held = (sentence: { readonly words: { readonly has: (word: (typeof words)[number]) => boolean } }): number =>
    words.filter((word) => sentence.words.has(word)).length;
  const [own, others] = [true, false].map((isOwn) =>
    coverer.sentences.filter(({ passage }) => cited.includes(passage) === isOwn),
  );
  if (own?.some((sentence) => held(sentence) > 0) === true) return false;
  return others?.some((sentence) => held(sentence) > SPEAKS_ABOUT * words.length) === true;
}

/** Reports each passage of the prompt that gives orders to its reader, with the line of the first. */
function orderAlerts(passages: readonly NumberedEvidence[], { coverer }: PreparedPrompt): readonly Alert[] {
  return passages.flatMap(({ number, text, citation }) => {
    const order = coverer.orders.find(({ passage }) => passage === number);
    if (order === undefined) return [];
    const first = citation.kind === 'line' ? citation.start : citation.kind === 'code' ? citation.line_start : null;
    const line = first === null ? null : first + text.slice(0, order.start).split('\n').length - 1;
    return [
      {
        level: 'warn',
        code: 'orders_in_passage',
        path: citation.path,
        ...(line === null ? {} : { line }),
        message: `gives orders to whoever reads it ("${clipped(order.text, MAX_SHOWN)}"); they are left out and no evidence`,
      } as const,
    ];
  });
}

const MAX_SHOWN = 60;

const VALUES: Readonly<Record<AskedValue, string>> = {
  number: 'a number',
  date: 'a date or a time',
  person: 'a person',
  place: 'a place',
};

/** The claims that cite a passage and of which no check failed. */
function supportedSentences({ sentences }: CheckedClaims): readonly CheckedSentence[] {
  return sentences.filter(({ claims, failed, cited }) => claims && !failed && cited.length > 0);
}

/** Reports that a question asks for a kind of value which no supported sentence names. */
function missingValueAlert(checked: CheckedClaims, question: string): readonly Alert[] {
  const kind = askedValue(question);
  const supported = supportedSentences(checked);
  if (kind === null || supported.length === 0) return [];
  if (supported.some(({ text }) => namesValue(text, kind, question))) return [];
  const message = `the question asks for ${VALUES[kind]}, and no supported sentence of the answer names one`;
  return [{ level: 'warn', code: 'asked_value_missing', path: '', message }];
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
