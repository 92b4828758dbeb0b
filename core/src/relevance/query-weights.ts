import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { TermStats } from '../contracts/lexical-index.ts';
import { tokensOf } from './searched-words.ts';

/** One word, pair of characters or phrase of a query, and what finding it is worth. */
export interface WeightedUnit {
  /** Sequences of index tokens; all must stand in a chunk. */
  readonly sequences: readonly (readonly string[])[];
  readonly weight: number;
}

/** A unit before its weight is known. */
interface Unit {
  readonly sequences: readonly (readonly string[])[];
  /** What the index is asked the frequency of, one for each sequence. */
  readonly asked: readonly string[];
}

/**
 * What each distinct word and phrase of a query weighs: `ln(1 + (N − df + 0.5) / (df + 0.5))`, with N and df counted in
 * chunks. A run of Han, Hangul or kana weighs as much as its pairs of characters together, so that it counts by the part of
 * them that is found: a noun is found although another particle follows it.
 */
export async function queryWeights(
  query: AnalysedQuery,
  termStats: (tokens: readonly string[]) => Promise<TermStats>,
): Promise<readonly WeightedUnit[]> {
  const units = unitsOf(query);
  const asked = [...new Set(units.flatMap((unit) => unit.asked))];
  const { chunks, df } = await termStats(asked);
  const frequencies = new Map(asked.map((token, at) => [token, df[at] ?? 0]));
  return units.map(({ sequences, asked: tokens }) => {
    // A unit of several sequences is no more frequent than the rarest of them.
    const frequency = Math.min(...tokens.map((token) => frequencies.get(token) ?? 0));
    return { sequences, weight: rarity(chunks, frequency) };
  });
}

/** How rare a token is that stands in so many of all chunks, in nats. */
export function rarity(chunks: number, frequency: number): number {
  return Math.log(1 + Math.max(0, chunks - frequency + 0.5) / (frequency + 0.5));
}

/** The units of a query; two words of one stem are one. */
function unitsOf({ terms, phrases }: AnalysedQuery): readonly Unit[] {
  const units = new Map<string, Unit>();
  const put = (unit: Unit): void => {
    const key = JSON.stringify(unit.sequences);
    if (unit.asked.length > 0 && !units.has(key)) units.set(key, unit);
  };
  for (const term of terms) {
    if (term.kind === 'word') put({ sequences: [tokensOf(term.token)], asked: [term.token] });
    if (term.kind === 'cjk') put({ sequences: [[term.token]], asked: [term.token] });
  }
  for (const { parts } of phrases)
    put({
      sequences: parts.map(({ column, tokens }) => (column === 'cjk' ? tokens : tokens.flatMap(tokensOf))),
      asked: parts.map(({ tokens }) => tokens.join(' ')),
    });
  return [...units.values()];
}
