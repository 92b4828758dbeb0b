/** A logistic regression. */
export interface LogisticModel {
  readonly bias: number;
  /** One for each feature. */
  readonly weights: readonly number[];
  /** The estimated probability that a sample is true, 0 to 1. */
  readonly estimate: (features: readonly number[]) => number;
}

/** A sample: its features, and whether it is true. */
export interface LogisticSample {
  readonly features: readonly number[];
  readonly isTrue: boolean;
}

const STEPS = 4000;
const RATE = 0.5;
const MOMENTUM = 0.9;
/** Regularises the weights of standardised features slightly, so that two similar features share their weight. */
const RIDGE = 1e-3;

/**
 * Fits by gradient descent with momentum over standardised features. Every set has the same total weight, and within each so do true and
 * false samples.
 */
export function fitLogistic(sets: readonly (readonly LogisticSample[])[]): LogisticModel {
  const samples = sets.flatMap((set) =>
    set.map((sample) => ({
      ...sample,
      weight: 1 / (2 * sets.length * set.filter(({ isTrue }) => isTrue === sample.isTrue).length),
    })),
  );
  const count = samples[0]?.features.length ?? 0;
  const at = (of: (typeof samples)[number], i: number): number => of.features[i] ?? 0;
  const indexes = Array.from({ length: count }, (_, i) => i);
  const means = indexes.map((i) => samples.reduce((sum, each) => sum + each.weight * at(each, i), 0));
  const spreads = indexes.map(
    (i) => Math.sqrt(samples.reduce((sum, each) => sum + each.weight * (at(each, i) - (means[i] ?? 0)) ** 2, 0)) || 1,
  );
  const scaled = samples.map((each) => indexes.map((i) => (at(each, i) - (means[i] ?? 0)) / (spreads[i] ?? 1)));
  let bias = 0;
  let biasSpeed = 0;
  const weights = indexes.map(() => 0);
  const speeds = indexes.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const gradients = indexes.map((i) => RIDGE * (weights[i] ?? 0));
    let biasGradient = 0;
    for (const [k, { isTrue, weight }] of samples.entries()) {
      const row = scaled[k] ?? [];
      const error = (sigmoid(bias + dot(weights, row)) - (isTrue ? 1 : 0)) * weight;
      biasGradient += error;
      for (const i of indexes) gradients[i] = (gradients[i] ?? 0) + error * (row[i] ?? 0);
    }
    biasSpeed = MOMENTUM * biasSpeed + biasGradient;
    bias -= RATE * biasSpeed;
    for (const i of indexes) {
      speeds[i] = MOMENTUM * (speeds[i] ?? 0) + (gradients[i] ?? 0);
      weights[i] = (weights[i] ?? 0) - RATE * (speeds[i] ?? 0);
    }
  }
  const raw = indexes.map((i) => (weights[i] ?? 0) / (spreads[i] ?? 1));
  const rawBias = bias - dot(raw, means);
  return { bias: rawBias, weights: raw, estimate: (features) => sigmoid(rawBias + dot(raw, features)) };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
