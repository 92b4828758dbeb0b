import type { Entailment } from '@kebab/core';

/** Which answer of a model means what: the places of the three among its answers. */
export type EntailmentPlaces = Readonly<Record<keyof Entailment, number>>;

/**
 * The places by the names that `config.json` gives the answers, in whatever order and case. Null for names that are not
 * exactly these three: what an answer means is never guessed.
 */
export function entailmentPlaces(labels: readonly string[] | null): EntailmentPlaces | null {
  const names = labels?.map((label) => label.toLowerCase()) ?? [];
  const placeOf = (name: keyof Entailment): number => names.indexOf(name);
  const places = {
    entailment: placeOf('entailment'),
    neutral: placeOf('neutral'),
    contradiction: placeOf('contradiction'),
  };
  return names.length === 3 && Object.values(places).every((place) => place !== -1) ? places : null;
}
