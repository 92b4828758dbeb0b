import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HighestBounds } from '../src/nearest-by-signs.ts';

describe('HighestBounds', () => {
  it('returns, by slot, the slots that sorting all bounds would put first, and none below a floor', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { maxLength: 100 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -500, max: 500 })), { maxLength: 5 }),
        (capacity, bounds, takes) => {
          const highest = new HighestBounds(capacity);
          for (const [slot, bound] of bounds.entries()) highest.offer(slot, bound);
          let left = bounds.toSorted((a, b) => b - a).slice(0, capacity);
          for (const [count, floor] of takes) {
            left = left.filter((bound) => bound >= floor);
            const slots = left.slice(0, count).map((bound) => bounds.indexOf(bound));
            expect([...highest.take(count, floor)]).toEqual(slots.toSorted((a, b) => a - b));
            left = left.slice(count);
          }
        },
      ),
    );
  });

  it('reports below which bound it keeps nothing', () => {
    const highest = new HighestBounds(2);
    for (const [slot, bound] of [3, 1, 2].entries()) highest.offer(slot, bound);
    expect(highest.floor).toBe(-Infinity);
    highest.offer(3, 5);
    expect(highest.floor).toBe(3);
  });
});
