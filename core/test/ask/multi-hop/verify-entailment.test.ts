import { describe, expect, it } from 'vitest';
import { verifyEntailment } from '../../../src/ask/multi-hop/verify-entailment.ts';
import type { GroundednessChecker } from '../../../src/contracts/groundedness-checker.ts';

function checker(entailments: readonly (readonly number[])[]): GroundednessChecker {
  return {
    id: 'nli',
    version: '1',
    fingerprint: () => 'nli',
    check: async () =>
      entailments.map((row) => row.map((entailment) => ({ entailment, neutral: 1 - entailment, contradiction: 0 }))),
  };
}

const verify = (
  entailments: readonly (readonly number[])[],
  claims = ['a', 'b'],
  passages = ['p', 'q'],
): Promise<number> => verifyEntailment(checker(entailments), { claims, passages });

describe('verifyEntailment', () => {
  it('is the least, over the claims, of the greatest entailment over the passages', async () => {
    expect(
      await verify([
        [0.2, 0.9],
        [0.6, 0.1],
      ]),
    ).toBe(0.6);
  });

  it('is 0 where there is nothing to compare', async () => {
    expect([await verify([], []), await verify([], ['a'], [])]).toEqual([0, 0]);
  });

  it.each([
    [[[0.5, 0.5]]],
    [[[0.5], [0.5]]],
    [
      [
        [Number.NaN, 1],
        [1, Number.NaN],
      ],
    ],
  ])('refuses the judgement %j', async (judged) => {
    await expect(verify(judged)).rejects.toThrow(/checker/);
  });
});
