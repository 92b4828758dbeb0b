import * as fc from 'fast-check';
import { describe, it } from 'vitest';
import { FUZZED } from './hostile/fuzz/properties.ts';

/** Runs of the cheapest property; `npm run test:hostile fuzzing` tries a hundred times as many. */
const RUNS = 200;

describe('for any input', () => {
  it.each(FUZZED)('$name', async ({ property, weight }) => {
    await fc.assert(property, { numRuns: Math.ceil(RUNS / weight) }); // a failure names its seed
  });
});
