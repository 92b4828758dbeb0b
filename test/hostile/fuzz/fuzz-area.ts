import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Area, Outcome } from '../harness/area.ts';
import { FUZZED } from './properties.ts';

/** Runs of the cheapest property; a more expensive one gets fewer. */
const RUNS = 20_000;
/** Runs of the cheapest property per batch. */
const RUNS_AT_ONCE = 1000;

/** The properties of `properties.ts` with many inputs; each counts as one. */
export const FUZZING: Area = {
  name: 'fuzzing',
  async *replay({ pick }): AsyncGenerator<Outcome> {
    for (const { name, weight, property } of pick(FUZZED)) {
      let problem: string | null = null;
      for (let left = RUNS / weight; left > 0 && problem === null; left -= RUNS_AT_ONCE / weight) {
        const numRuns = Math.min(left, RUNS_AT_ONCE / weight);
        const { failed, counterexample, seed, errorInstance } = await fc.check(property, { numRuns });
        const reason = errorInstance instanceof Error ? errorInstance.message : '';
        if (failed) problem = `seed ${seed}: ${fc.stringify(counterexample)} ${reason}`;
        await setImmediate(); // lets other areas run: they wait for processes with deadlines
      }
      yield { name, problem };
    }
  },
};
