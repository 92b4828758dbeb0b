import type { Entailment } from '@kebab/core';
import type { EntailmentPlaces } from './entailment-places.ts';

/** The probabilities that three logits stand for; they sum to 1. */
export function entailmentOf(logits: ArrayLike<number>, places: EntailmentPlaces): Entailment {
  const at = (place: number): number => logits[place] ?? Number.NaN;
  const greatest = Math.max(at(0), at(1), at(2)); // taken off, no power overflows
  const powers = [0, 1, 2].map((place) => Math.exp(at(place) - greatest));
  const sum = powers.reduce((total, power) => total + power, 0);
  const share = (place: number): number => (powers[place] ?? Number.NaN) / sum;
  return {
    entailment: share(places.entailment),
    neutral: share(places.neutral),
    contradiction: share(places.contradiction),
  };
}
