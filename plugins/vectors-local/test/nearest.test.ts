import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BestSlots } from '../src/nearest.ts';

describe('BestSlots', () => {
  it('keeps the same slots as sorting everything, equal scores by slot', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.array(fc.integer({ min: -5, max: 5 })), (capacity, scores) => {
        const best = new BestSlots(capacity);
        for (const [slot, score] of scores.entries()) best.offer(slot, score);
        const sorted = scores
          .map((score, slot) => ({ slot, score }))
          .toSorted((a, b) => b.score - a.score || a.slot - b.slot);
        expect(best.sorted()).toEqual(sorted.slice(0, capacity));
      }),
    );
  });
});
