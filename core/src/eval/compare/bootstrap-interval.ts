/** How often the pairs are drawn anew. */
export const RESAMPLES = 10_000;
/** Where the draws begin; two comparisons of the same runs give the same interval. */
export const SEED = 20_240_601;

const TAIL = 0.025;
const FEWEST_PAIRS = 2;

/**
 * The 95 % interval of the mean of paired differences, by the percentile bootstrap: {@link RESAMPLES} times as many pairs are
 * drawn with replacement as there are. Null for fewer than two pairs, which tell nothing about how they vary.
 */
export function bootstrapInterval(deltas: readonly number[]): readonly [low: number, high: number] | null {
  if (deltas.length < FEWEST_PAIRS) return null;
  const draw = random(SEED);
  const means = new Float64Array(RESAMPLES);
  for (let at = 0; at < RESAMPLES; at++) {
    let sum = 0;
    for (let drawn = 0; drawn < deltas.length; drawn++) sum += deltas[Math.floor(draw() * deltas.length)] ?? 0;
    means[at] = sum / deltas.length;
  }
  means.sort();
  const low = means[Math.floor(TAIL * RESAMPLES)] ?? 0;
  const high = means[Math.ceil((1 - TAIL) * RESAMPLES) - 1] ?? 0;
  return [low, high];
}

/** Numbers from 0 up to 1, always the same for one seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
