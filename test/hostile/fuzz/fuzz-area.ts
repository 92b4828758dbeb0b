import * as fc from 'fast-check';
import type { Area, Outcome } from '../harness/area.ts';
import { FUZZED } from './properties.ts';

/** Inputs of the cheapest promise; a dearer one gets fewer. */
const RUNS = 20_000;

/** The promises of `properties.ts` with many inputs; each counts as one. */
export const FUZZING: Area = {
  name: 'fuzzing',
  async *replay({ pick }): AsyncGenerator<Outcome> {
    for (const { name, weight, property } of pick(FUZZED)) {
      const { failed, counterexample, seed, errorInstance } = await fc.check(property, { numRuns: RUNS / weight });
      const reason = errorInstance instanceof Error ? errorInstance.message : '';
      const problem = failed ? `seed ${seed}: ${fc.stringify(counterexample)} ${reason}` : null;
      yield { name, problem };
    }
  },
};
