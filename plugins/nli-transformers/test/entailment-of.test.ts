import { describe, expect, it } from 'vitest';
import { entailmentOf } from '../src/entailment-of.ts';

const places = { entailment: 1, neutral: 2, contradiction: 0 };

describe('entailmentOf', () => {
  it('gives the shares of three logits, each under its name', () => {
    const shares = entailmentOf([Math.log(1), Math.log(6), Math.log(3)], places);
    expect(shares.entailment).toBeCloseTo(0.6, 12);
    expect(shares.neutral).toBeCloseTo(0.3, 12);
    expect(shares.contradiction).toBeCloseTo(0.1, 12);
  });

  it.each([[[0, 0, 0]], [[1000, -1000, 999]], [[-88, 3e38, -3e38]], [[-1e4, -1e4, -1e4]]])(
    'sums to 1 for %j',
    (logits) => {
      const { entailment, neutral, contradiction } = entailmentOf(logits, places);
      expect(entailment + neutral + contradiction).toBeCloseTo(1, 12);
    },
  );
});
