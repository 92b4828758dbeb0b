import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { Mode } from '../domain/query.ts';
import { sixDigits } from '../domain/six-digits.ts';
import {
  type CosineScale,
  estimateRelevance,
  estimateTogether,
  nearnessOf,
  type RelevanceEvidence,
} from './estimate-relevance.ts';
import { indexTextOf } from './query-weights.ts';
import { measurePassages, weighWords } from './measure-passages.ts';
import { questionWords } from './question-words.ts';

/** A passage that was found, and what models gave it. */
export interface FoundPassage {
  readonly found: ChunkWithDocument;
  /** Null where the vector side did not find it. */
  readonly cosine: number | null;
  /** The score of a reranker; absent where none has read it. */
  readonly reranked?: number | undefined;
}

/** How relevant a passage is to a question, 0 to 1, and what that rests on. */
export interface JudgedPassage {
  readonly relevance: number;
  readonly evidence: RelevanceEvidence;
}

/** What passages are judged with. */
export interface RelevanceSources {
  readonly index: Pick<LexicalIndex, 'termStats'>;
  /** Null where no vectors took part: words alone count. */
  readonly scale: CosineScale | null;
}

/** Judges each passage by itself, in their order. A passage that the vector side did not find is no nearer than the background. */
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
 * How relevant the passages that a mode has found are to a question together, 0 to 1, with the best of each kind of evidence,
 * wherever it was found; null without passages.
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

/** What an estimate of relevance rests on, in its wire form. */
interface WireEvidence {
  readonly held: number;
  readonly held_by_two: number;
  readonly in_order: number;
  readonly words: number;
  readonly nearness: number | null;
  readonly reranked?: number;
}

/** The wire form of evidence, with the digits that mean something. */
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
