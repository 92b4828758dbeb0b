import { analyseChunk, type IndexText } from '../analysis/index-text.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { sixDigits } from '../domain/json.ts';
import { type WordEvidence, measurePassages, weighWords } from './measure-passages.ts';
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

/** Beyond these limits a cosine carries no more information. */
const NEARNESS = { min: -1, max: 2 };

/** Maps a cosine to the scale of its model, corpus and query: 0 like a random passage, 1 like a matching one. */
export function nearnessOf(cosine: number, { background, matching }: Omit<CosineScale, 'spread'>): number {
  const above = (cosine - background) / Math.max(1e-6, 1 - background) / Math.max(1e-6, matching);
  return Math.min(NEARNESS.max, Math.max(NEARNESS.min, above));
}

/** The bounds of one kind of evidence, from 0 to 1, for passages that do not answer. */
interface Chance {
  /** Up to here it is worth nothing: a common word, a text in the same language. */
  readonly noise: number;
  /** What a corpus of a few chunks reaches on another subject. */
  readonly inSmall: number;
  /** The same for a corpus of hundreds of chunks or more: one of many resembles the question by chance. */
  readonly inLarge: number;
}

// The bounds are rounded; at 0.3 about 3 in 100 answerable questions are lost (docs/evaluation.md has the figures).
const OF_MEANING: Chance = { noise: 0.35, inSmall: 0.45, inLarge: 0.76 };
const OF_WORDS: Omit<Chance, 'inLarge'> = { noise: 0.08, inSmall: 0.18 };
/** Of a question of few words a passage on another subject usually holds none, or one that the corpus has often. */
const FEW_WORDS = 3;
const FEW_IN_LARGE = 0.38;

/** Of more words a large corpus holds some by chance: of each further word a smaller share, as no passage holds much of a long question. */
const MANY_IN_LARGE = { ofNone: 0.5, lessForEach: 0.012, least: 0.15 };

function wordsInLarge(words: number): number {
  if (words <= FEW_WORDS) return FEW_IN_LARGE;
  const { ofNone, lessForEach, least } = MANY_IN_LARGE;
  return Math.max(least, ofNone - lessForEach * words);
}

/** A corpus of this many chunks lies halfway between a small and a large one. */
const HALFWAY_CHUNKS = 50;
/** The relevance of evidence that reaches what chance gives: the default of `rag.score_gate`. */
const BY_CHANCE = 0.3;
/** The shares of the three word measures; they add up to 1. */
const MEASURES = { held: 0.56, heldByTwo: 0.22, inOrder: 0.22 };

/**
 * Estimates, from 0 to 1, that passages answer a question: the better of what their words and their nearness say. Each is 0.3 at what chance
 * brings about in a corpus of that size, and 1 when the passages hold every word of the question in order, or lie as near as a match. If a
 * reranker scored the passages, the mean of this and its score. Increases with each kind of evidence.
 */
export function estimateRelevance({ nearness, reranked, ...words }: RelevanceEvidence): number {
  if (words.words === 0 && nearness === null) return reranked ?? 0;
  const share = MEASURES.held * words.held + MEASURES.heldByTwo * words.heldByTwo + MEASURES.inOrder * words.inOrder;
  const byWords = aboveChance(share, { ...OF_WORDS, inLarge: wordsInLarge(words.words) }, words.chunks);
  const byMeaning = nearness === null ? 0 : aboveChance(nearness, OF_MEANING, words.chunks);
  const estimate = Math.max(byWords, byMeaning);
  return reranked === undefined ? estimate : (estimate + reranked) / 2;
}

/** Rises evenly from 0 at the noise to 0.3 at what chance gives, and from there to 1 at 1. */
function aboveChance(evidence: number, { noise, inSmall, inLarge }: Chance, chunks: number): number {
  const chance = inSmall + ((inLarge - inSmall) * chunks) / (chunks + HALFWAY_CHUNKS);
  if (evidence <= chance) return (BY_CHANCE * Math.max(0, evidence - noise)) / (chance - noise);
  return Math.min(1, BY_CHANCE + ((1 - BY_CHANCE) * (evidence - chance)) / (1 - chance));
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
  const weighed = await weighWords(questionWords(question), (tokens) => index.termStats(tokens));
  const measured = measurePassages(
    weighed,
    passages.map(({ found }) => indexTextOf(found)),
  );
  return measured.map((byWords, at) => {
    const { cosine = null, reranked } = passages[at] ?? {};
    const nearness = scale === null ? null : cosine === null ? 0 : nearnessOf(cosine, scale);
    const evidence = { ...byWords, nearness, reranked };
    return { relevance: estimateRelevance(evidence), evidence };
  });
}

/** The text by which a stored chunk is found, as far as the store keeps it: aliases and prefixes are not included. */
function indexTextOf({ chunk, document }: ChunkWithDocument): IndexText {
  return analyseChunk({
    text: chunk.text,
    title: document.title,
    headingPath: chunk.headingPath,
    workspacePath: document.workspacePath,
    symbol: document.media === 'code' ? chunk.sectionLabel : null,
    extra: chunk.ordinal === 0 ? document.tags : [],
    prefix: null,
  });
}

/**
 * The joint relevance of passages to a question, 0 to 1: that of the best of each kind of evidence across them; null without passages.
 */
export function judgeTogether(passages: readonly JudgedPassage[]): JudgedPassage | null {
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
  return { relevance: estimateRelevance(evidence), evidence };
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
