import type { TextRange } from '../domain/block.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/** Three probabilities that sum to 1. */
export interface Entailment {
  readonly entailment: number;
  readonly neutral: number;
  readonly contradiction: number;
}

/** A passage of a prompt. */
export interface PromptPassage {
  /** From 1, as the model saw it and cites it. */
  readonly number: number;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly path: string;
  readonly text: string;
  /** The ranges of the text that give orders to the reader of the prompt: they are no evidence. Sorted, without overlaps. */
  readonly orders: readonly TextRange[];
}

/** A citation as a model wrote it, such as `[1]` or `[#1, 2]`. */
export interface ReadCitation extends TextRange {
  /** The numbers it names, without duplicates; including those of nonexistent passages. */
  readonly numbers: readonly number[];
}

/** A citation of a nonexistent passage, and the offset in the text where it was removed. */
export interface RemovedCitation {
  readonly number: number;
  readonly at: number;
}

/** The answer of a model to a question, with the passages that the model received. */
export interface AnswerToJudge {
  readonly question: string;
  /** The answer as shown to the reader. All offsets are UTF-16 units. */
  readonly text: string;
  /** Every citation in the text, in order, without overlaps. */
  readonly citations: readonly ReadCitation[];
  /** In order. */
  readonly removedCitations: readonly RemovedCitation[];
  readonly passages: readonly PromptPassage[];
  /** Whether the text ends before its model had finished: its last sentence may lack its citation. */
  readonly isCutOff: boolean;
}

/**
 * What becomes of a claim: the passages it cites say it; they do not; or they say something else in its place, such as another number.
 */
export type Verdict = 'supported' | 'unsupported' | 'contradicted';

/** A sentence of an answer, or its equivalent: a list item, a table row, a code block. */
export interface JudgedSentence extends TextRange {
  /** Without citations and markup. */
  readonly text: string;
  /** Null for a sentence that claims nothing: a greeting, a question, a statement that the passages are silent. */
  readonly verdict: Verdict | null;
  /** The passages it cites, itself or by its position. */
  readonly cited: readonly number[];
  readonly quotations: readonly JudgedQuotation[];
}

/** A quotation in an answer. */
export interface JudgedQuotation {
  /** Without its quote marks. */
  readonly text: string;
  /** The passages it was compared with. */
  readonly cited: readonly number[];
  /** The passages that have it, each with the range in its text, which is null where only the title, a heading or the path has it. */
  readonly holding: readonly { readonly number: number; readonly range: TextRange | null }[];
}

/** Something in an answer that its passages do not support, at a range of its text. */
export interface AnswerFinding extends TextRange {
  readonly kind: 'quotation' | 'number' | 'date' | 'unit' | 'name' | 'citation' | 'claim' | 'computed';
  /** `failed`: the answer is not grounded; `warning`: the reader should look. */
  readonly level: 'failed' | 'warning';
  /** As it stands in the answer. */
  readonly text: string;
  /** The passages it was compared with; empty: all of them. */
  readonly cited: readonly number[];
  /** For people, one line. */
  readonly message: string;
}

/** The judgement of an answer: plain data. Offsets are those of its own `text`. */
export interface AnswerJudgement {
  /** Whether words, numbers and quotations were compared, or meaning. */
  readonly method: 'lexical' | 'entailment';
  /** The answer, in which only citations may differ: the checker may set a missing one, as `[n]`, and replace a wrong one. */
  readonly text: string;
  /** In order; empty for a text that says nothing, which is no answer. */
  readonly sentences: readonly JudgedSentence[];
  /** In the order of the text. */
  readonly findings: readonly AnswerFinding[];
  /** Why the answer is not grounded; null when it is. */
  readonly reason:
    | 'not_in_passage'
    | 'unknown_citation'
    | 'no_citation'
    | 'nothing_to_check'
    | 'beside_the_question'
    | null;
  /** Every cited passage, in order of first appearance. */
  readonly cited: readonly number[];
  /** Those that the checker alone cites. */
  readonly attributed: readonly number[];
  /** How many quotations, numbers, dates, units and names were compared with cited passages. */
  readonly details: number;
  /** Whether it says only that something is missing from the passages. */
  readonly deniesOnly: boolean;
  /** Numbers and dates that occur in no passage at all, without duplicates, as written. */
  readonly unsupported: readonly string[];
  /** What the question asks for and no supported sentence names, as in `a date or a time`; null if nothing is missing. */
  readonly missingValue: string | null;
}

/**
 * Judges whether passages support what a model writes. It implements `check`, `judge` or both, and is used for what it implements:
 * `models.nli.provider` names one with `check`, for the sentences of multi-hop answers, and `rag.answer_checker` one with `judge`, for every
 * answer.
 */
export interface GroundednessChecker extends Contribution {
  /** Judges claims one by one: one triple per claim and passage, in order; long input is windowed, never an error. */
  check?(
    claims: readonly string[],
    passages: readonly string[],
    options?: AbortOptions,
  ): Promise<readonly (readonly Entailment[])[]>;
  /** Judges a whole answer. The same input gives the same judgement; no text is an error. */
  judge?(answer: AnswerToJudge, options?: AbortOptions): Promise<AnswerJudgement>;
}
