import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { sixDigits } from '../domain/json.ts';
import type { Mode } from '../domain/query.ts';
import { type WordEvidence, measurePassages, weighWords } from './measure-passages.ts';
import { indexTextOf } from './query-weights.ts';
import { questionWords } from './question-words.ts';

/** The inputs of a relevance estimate: the words of one passage, and how near its vector is. */
export interface RelevanceEvidence extends WordEvidence {
  /** The cosine on its scale; null when no model took part. */
  readonly nearness: number | null;
  /** The score of a reranker, 0 to 1; absent when none scored the passage. */
  readonly reranked?: number | undefined;
}

/** The meaning of a cosine for one model, corpus and query. */
export interface CosineScale {
  /** The mean cosine of the query with random passages of the corpus. */
  readonly background: number;
  /** How far a matching passage lies above the background, as a share of the remaining distance to 1. */
  readonly matching: number;
  /** The standard deviation of those cosines, above 0. */
  readonly spread: number;
}

interface Weights {
  readonly bias: number;
  readonly held: number;
  readonly heldByTwo: number;
  readonly inOrder: number;
  /** Of `ln(1 + words)`. */
  readonly words: number;
  readonly nearness: number;
}

// Rounded from fits of these features: for words on half of the articles of squad2 with questions about them and about the others, two of
// four Korean subjects, and cranfield; with vectors on that half with all-MiniLM-L6-v2 and multilingual-e5-small, and on one held-out
// Korean subject with the latter. `npm run fit:relevance` repeats the fit on such parts, and prints weights near these and the refusals on
// the fitted and the held-out parts. The biases are shifted so that 0.3 is the operating point of both.
const BY_WORDS: Weights = { bias: -12.7, held: 9.7, heldByTwo: 3.7, inOrder: 7, words: 2.5, nearness: 0 };
const BY_WORDS_AND_MEANING: Weights = {
  bias: -13.6,
  held: 6.7,
  heldByTwo: 2.45,
  inOrder: 3.3,
  words: 1.43,
  nearness: 8.2,
};

// Of the passages that words and vectors found together, the nearest one is near by chance more often than the one that contains most
// contains it by chance: hence the weights of words above, times 1.5, and half the weight of nearness. Evidence so near that the weights
// above exceed their threshold by 1.5 passes as well. Chosen on the refusal sets with three models, not fitted
// (docs/decisions/0034-fused-by-evidence.md has the results for each half of them).
const TOGETHER_IN_HYBRID: Weights = { bias: -15.1, held: 10, heldByTwo: 3.7, inOrder: 5, words: 2.1, nearness: 4.1 };
const VERY_NEAR: Weights = { ...BY_WORDS_AND_MEANING, bias: BY_WORDS_AND_MEANING.bias - 1.5 };

/** The score of a reranker is capped here, so that it never decides alone. */
const SURE = 0.999;

/** Beyond these limits a cosine carries no more information. */
const NEARNESS = { min: -1, max: 2 };

/** Maps a cosine to the scale of its model, corpus and query: 0 like a random passage, 1 like a matching one. */
export function nearnessOf(cosine: number, { background, matching }: Omit<CosineScale, 'spread'>): number {
  const above = (cosine - background) / Math.max(1e-6, 1 - background) / Math.max(1e-6, matching);
  return Math.min(NEARNESS.max, Math.max(NEARNESS.min, above));
}

/**
 * Estimates, from 0 to 1, that passages answer a question; increases with each kind of evidence. It is calibrated at one point: below 0.3
 * lie about 3% of the questions that a corpus answers, with and without a model, and about 90% of those it does not. A reranker's score is
 * a second estimate: the mean of their log odds is used. That weight is not fitted.
 */
export function estimateRelevance(evidence: RelevanceEvidence): number {
  return estimate(evidence, BY_WORDS_AND_MEANING);
}

/** Estimates the same for the best of each kind of evidence across the passages of a page, in the mode that found them. */
export function estimateTogether(evidence: RelevanceEvidence, mode: Mode): number {
  if (mode !== 'hybrid') return estimate(evidence, BY_WORDS_AND_MEANING);
  return Math.max(estimate(evidence, TOGETHER_IN_HYBRID), estimate(evidence, VERY_NEAR));
}

function estimate(evidence: RelevanceEvidence, withVectors: Weights): number {
  const { held, heldByTwo, inOrder, words, nearness, reranked } = evidence;
  if (words === 0 && nearness === null) return reranked ?? 0;
  const weights = nearness === null ? BY_WORDS : withVectors;
  const sum =
    weights.bias +
    weights.held * held +
    weights.heldByTwo * heldByTwo +
    weights.inOrder * inOrder +
    weights.words * Math.log(1 + words) +
    weights.nearness * (nearness ?? 0);
  return 1 / (1 + Math.exp(-(reranked === undefined ? sum : (sum + logOdds(reranked)) / 2)));
}

function logOdds(score: number): number {
  const chance = Math.min(SURE, Math.max(1 - SURE, score));
  return Math.log(chance / (1 - chance));
}

/** A passage that was found, with its scores from models. */
interface FoundPassage {
  readonly found: ChunkWithDocument;
  /** Null when the vector side did not find it. */
  readonly cosine: number | null;
  /** The score of a reranker; absent when none scored it. */
  readonly reranked?: number | undefined;
}

/** The relevance of a passage to a question, 0 to 1, with its evidence. */
export interface JudgedPassage {
  readonly relevance: number;
  readonly evidence: RelevanceEvidence;
}

/** The context for judging passages. */
interface RelevanceSources {
  readonly index: Pick<LexicalIndex, 'termStats'>;
  /** Null when no vectors took part: words alone count. */
  readonly scale: CosineScale | null;
}

/** Judges each passage by itself, in order. A passage that the vector side did not find counts as near as the background. */
export async function judgePassages(
  question: string,
  passages: readonly FoundPassage[],
  { index, scale }: RelevanceSources,
): Promise<readonly JudgedPassage[]> {
  const words = await weighWords(questionWords(question), (tokens) => index.termStats(tokens));
  const measured = measurePassages(
    words,
    passages.map(({ found }) => indexTextOf(found)),
  );
  return measured.map((byWords, at) => {
    const { cosine = null, reranked } = passages[at] ?? {};
    const nearness = scale === null ? null : cosine === null ? 0 : nearnessOf(cosine, scale);
    const evidence = { ...byWords, nearness, reranked };
    return { relevance: estimateRelevance(evidence), evidence };
  });
}

/**
 * The joint relevance of the passages that a mode found to a question, 0 to 1, with the best of each kind of evidence across them; null
 * without passages.
 */
export function judgeTogether(passages: readonly JudgedPassage[], mode: Mode): JudgedPassage | null {
  const [first] = passages;
  if (first === undefined) return null;
  const best = passages.reduce((most, each) => (each.evidence.held > most.evidence.held ? each : most), first).evidence;
  const near = passages.flatMap(({ evidence: { nearness } }) => (nearness === null ? [] : [nearness]));
  const read = passages.flatMap(({ evidence: { reranked } }) => reranked ?? []);
  const evidence: RelevanceEvidence = {
    ...best,
    heldByTwo: Math.max(...passages.map((each) => each.evidence.heldByTwo)),
    nearness: near.length === 0 ? null : Math.max(...near),
    reranked: read.length === 0 ? undefined : Math.max(...read),
  };
  return { relevance: estimateTogether(evidence, mode), evidence };
}

/** The evidence of a relevance estimate, in its wire form. */
interface WireEvidence {
  readonly held: number;
  readonly held_by_two: number;
  readonly in_order: number;
  readonly words: number;
  readonly nearness: number | null;
  readonly reranked?: number;
}

/** Converts evidence to its wire form, rounded to significant digits. */
export function wireEvidence(evidence: RelevanceEvidence): WireEvidence {
  const { held, heldByTwo, inOrder, words, nearness, reranked } = evidence;
  return {
    held: sixDigits(held),
    held_by_two: sixDigits(heldByTwo),
    in_order: sixDigits(inOrder),
    words,
    nearness: nearness === null ? null : sixDigits(nearness),
    ...(reranked === undefined ? {} : { reranked: sixDigits(reranked) }),
  };
}
