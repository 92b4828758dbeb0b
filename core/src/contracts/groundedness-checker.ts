import type { AbortOptions, Contribution } from './contribution.ts';

/** Three probabilities that sum to 1. */
export interface Entailment {
  readonly entailment: number;
  readonly neutral: number;
  readonly contradiction: number;
}

/** Judges whether passages support claims: one triple per claim and passage; long input is windowed, never an error. */
export interface GroundednessChecker extends Contribution {
  check(
    claims: readonly string[],
    passages: readonly string[],
    options?: AbortOptions,
  ): Promise<readonly (readonly Entailment[])[]>;
}
