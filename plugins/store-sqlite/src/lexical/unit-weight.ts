/** FTS5 gives this weight where its own formula would be negative. */
const LEAST_FTS5_WEIGHT = 1e-6;

/** The weight that FTS5's `bm25()` gives a unit by how many of the rows match it, and has built into its scores. */
export function fts5Weight(frequency: number, rowCount: number): number {
  return Math.max(Math.log(oddsAgainst(frequency, rowCount)), 0) || LEAST_FTS5_WEIGHT;
}

/** A weight that tells units apart even where most rows match them: `ln(1 + (N − df + 0.5) / (df + 0.5))`. */
export function gentleWeight(frequency: number, rowCount: number): number {
  return Math.log(1 + oddsAgainst(frequency, rowCount));
}

function oddsAgainst(frequency: number, rowCount: number): number {
  return (rowCount - frequency + 0.5) / (frequency + 0.5);
}
