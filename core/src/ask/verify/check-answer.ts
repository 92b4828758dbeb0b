import type {
  AnswerJudgement,
  AnswerToJudge,
  JudgedQuotation,
  JudgedSentence,
  PromptPassage,
} from '../../contracts/groundedness-checker.ts';
import type { TextRange } from '../../domain/block.ts';
import { formatUri } from '../../domain/uri.ts';
import { clipped } from '../../errors/invalid-input.ts';
import type { Alert, AnswerCitation, AnswerChecks, Claim } from '../../wire/index.ts';
import type { NumberedEvidence } from '../prompt/pack-context.ts';
import { readAnswer } from './read-answer.ts';

/** The classification of a model's text: an answer with its checks, or none. */
export type CheckedAnswer =
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
      /** Null when the answer was not checked. */
      readonly checks: AnswerChecks | null;
      /** In order of first appearance. */
      readonly citations: readonly AnswerCitation[];
      readonly unsupported: readonly string[];
      readonly claims: readonly Claim[];
      /** The sentences that make a claim. */
      readonly statements: readonly string[];
      /** What the reader should know beside the findings. */
      readonly alerts: readonly Alert[];
    };

/** The text of a model, and the prompt that it answers. */
export interface ModelAnswer {
  readonly raw: string;
  readonly question: string;
  readonly passages: readonly NumberedEvidence[];
  /** Whether the model was interrupted. */
  readonly isCutOff?: boolean;
}

/** Judges an answer; null when there is no checker, or when it failed. */
export type Judge = (answer: AnswerToJudge) => Promise<AnswerJudgement | null>;

/**
 * Has a model's text checked against the passages it received, and shapes the result. A text that consists of citations only, or begins
 * with the sentinel, is not an answer; any other text is one, with its findings. An answer that nobody judged is unverified.
 */
export async function checkAnswer(model: ModelAnswer, judge: Judge): Promise<CheckedAnswer> {
  const { question, passages, isCutOff = false } = model;
  const { answer, written, hasSentinel } = readAnswer(model.raw, {
    question,
    isCutOff,
    passages: passages.map(promptPassage),
  });
  if (written === '') return { kind: 'no_answer', written: '' };
  const judgement = await judge(answer);
  if (judgement === null) return hasSentinel ? { kind: 'no_answer', written } : unchecked(answer, passages);
  const { text, sentences, deniesOnly, cited, attributed } = judgement;
  const isSupported = sentences.some(({ verdict }) => verdict === 'supported');
  if (sentences.length === 0 || (hasSentinel && !isSupported && !deniesOnly)) return { kind: 'no_answer', written };
  const byNumber = new Map(passages.map((passage) => [passage.number, passage]));
  return {
    kind: 'answer',
    text,
    reason: deniesOnly ? 'llm_self_judge' : judgement.reason === null ? null : 'unverified',
    checks: checksOf(judgement),
    citations: cited.flatMap((number) => {
      const passage = byNumber.get(number);
      if (passage === undefined) return [];
      const isAttributed = attributed.includes(number);
      return [{ ...citationOf(passage, sentences), ...(isAttributed ? { attributed: true } : {}) }];
    }),
    unsupported: judgement.unsupported,
    claims: sentences.map((sentence) => claimOf(sentence, byNumber)),
    statements: sentences.filter(({ verdict }) => verdict !== null).map((sentence) => sentence.text),
    alerts: [...orderAlerts(passages), ...missingValueAlert(judgement)],
  };
}

function promptPassage({ number, title, headingPath, citation, text, orders }: NumberedEvidence): PromptPassage {
  return { number, title, headingPath, path: citation.path, text, orders };
}

function unchecked({ text, citations }: AnswerToJudge, passages: readonly NumberedEvidence[]): CheckedAnswer {
  const numbers = new Set(citations.flatMap((citation) => citation.numbers));
  const cited = passages.filter(({ number }) => numbers.has(number));
  return {
    kind: 'answer',
    text,
    reason: 'unverified',
    checks: null,
    citations: cited.map((passage) => citationOf(passage, [])),
    unsupported: [],
    claims: [],
    statements: [],
    alerts: orderAlerts(passages),
  };
}

function checksOf({ method, sentences, details, reason, findings }: AnswerJudgement): AnswerChecks {
  const claims = sentences.filter(({ verdict }) => verdict !== null);
  const cited = claims.filter((claim) => claim.cited.length > 0);
  return { method, sentences: claims.length, cited: cited.length, details, reason, findings };
}

/** Reports each passage of the prompt that gives orders to its reader, with the line of the first. */
function orderAlerts(passages: readonly NumberedEvidence[]): readonly Alert[] {
  return passages.flatMap(({ text, citation, orders: [order] }) => {
    if (order === undefined) return [];
    const written = clipped(text.slice(order.start, order.end).trim(), MAX_SHOWN);
    return [
      {
        level: 'warn',
        code: 'orders_in_passage',
        path: citation.path,
        ...(isCitedByLines(citation) ? { line: linesOf(citation, text, order).start } : {}),
        message: `gives orders to whoever reads it ("${written}"); they are left out and no evidence`,
      } as const,
    ];
  });
}

const MAX_SHOWN = 60;

/** Reports that a question asks for a kind of value which no supported sentence names. */
function missingValueAlert({ missingValue }: AnswerJudgement): readonly Alert[] {
  if (missingValue === null) return [];
  const message = `the question asks for ${missingValue}, and no supported sentence of the answer names one`;
  return [{ level: 'warn', code: 'asked_value_missing', path: '', message }];
}

function citationOf(passage: NumberedEvidence, sentences: readonly JudgedSentence[]): AnswerCitation {
  const { citation, score, indexed_at, stale, freshness, number } = passage;
  const quotes = sentences
    .flatMap(({ quotations }) => quotations)
    .filter(({ cited, holding }) => (holding.length > 0 ? holding.map((held) => held.number) : cited).includes(number))
    .map(({ text, holding }) => ({ text, verified: holding.length > 0 }));
  const verified = quotes.length === 0 ? null : quotes.every((quote) => quote.verified);
  return { marker: `[${number}]`, citation, score, indexed_at, stale, freshness, quotes, verified };
}

function claimOf({ text, cited, quotations }: JudgedSentence, passages: ReadonlyMap<number, NumberedEvidence>): Claim {
  const evidence = cited.flatMap((number) => {
    const passage = passages.get(number);
    if (passage === undefined) return [];
    const failed = quotations.find((quotation) => quotation.holding.length === 0 && quotation.cited.includes(number));
    const quotation = failed ?? quotations.find(({ holding }) => holding.some((held) => held.number === number));
    return [
      {
        marker: `[${number}]`,
        uri: quotation === undefined ? passage.citation.uri : uriOf(passage, quotation),
        quote: quotation?.text ?? null,
        verified: quotation === undefined ? null : quotation.holding.length > 0,
      },
    ];
  });
  return { text, evidence };
}

/** The URI of a passage, narrowed to the lines that have a quotation; that of the whole passage if it has none or is not cited by lines. */
function uriOf({ number, text, citation }: NumberedEvidence, { holding }: JudgedQuotation): string {
  const range = holding.find((held) => held.number === number)?.range ?? null;
  if (range === null || !isCitedByLines(citation)) return citation.uri;
  const lines = linesOf(citation, text, range);
  return formatUri({ sourceId: citation.source_id ?? null, path: citation.path, fragment: { kind: 'line', ...lines } });
}

type LineCitation = Extract<NumberedEvidence['citation'], { kind: 'line' | 'code' }>;

function isCitedByLines(citation: NumberedEvidence['citation']): citation is LineCitation {
  return citation.kind === 'line' || citation.kind === 'code';
}

/** The lines of a range of a passage, within those that it is cited by. */
function linesOf(citation: LineCitation, text: string, { start, end }: TextRange): TextRange {
  const [first, last] =
    citation.kind === 'line' ? [citation.start, citation.end] : [citation.line_start, citation.line_end];
  const from = Math.min(last, first + lineFeeds(text.slice(0, start)));
  return { start: from, end: Math.min(last, from + lineFeeds(text.slice(start, end).trimEnd())) };
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1;
}
