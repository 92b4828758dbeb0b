import { expect, it } from 'vitest';
import { outcomeOf } from '../../../src/eval/compare/outcome-of.ts';

it.each([
  [1, 1, 'draw'],
  [null, null, 'draw'],
  [3, 1, 'win'],
  [null, 9, 'win'],
  [1, 2, 'loss'],
  [1, null, 'regression'],
  [10, null, 'regression'],
] as const)('from rank %s to rank %s is a %s', (a, b, outcome) => {
  expect(outcomeOf(a, b)).toBe(outcome);
});
