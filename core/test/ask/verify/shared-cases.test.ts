import { describe, expect, it } from 'vitest';
import { answersOf, COUNTED, judgedReply, outcomeOf, ratesOf, HELD, KINDS, REAL, SHARED } from './scripted-answers.ts';

const arePresent = answersOf(REAL).length > 0 && answersOf(SHARED).length > 0;
const real = answersOf(REAL).filter(({ must }) => must !== 'any');

describe.skipIf(!arePresent)('what a real small model wrote (skipped without ../shared/cases/asking)', () => {
  it.each(real.map((each) => [each.id, each.must, each] as const))('%s is %s', async (_, must, each) => {
    expect(outcomeOf(await judgedReply(REAL, each)) === 'grounded').toBe(must === 'grounded');
  });

  it('shows a marker for every sentence that is grounded', async () => {
    for (const each of real.filter(({ must }) => must === 'grounded')) {
      const result = await judgedReply(REAL, each);
      expect(result).toMatchObject({ kind: 'answer', reason: null });
      if (result.kind !== 'answer') continue;
      expect(result.checks?.cited).toBe(result.checks?.sentences);
      expect(result.citations.every(({ attributed }) => attributed === true)).toBe(true);
    }
  });
});

/** The smallest share of the answers of a kind that ends as it must. */
const FLOORS: Readonly<Record<string, number>> = { true: 0.96, false: 0.97, refusal: 0.98, empty: 1 };
/** The same of other topics: 21 of 24 true answers, 26 of 26 false ones, 10 of 10 refusals. */
const COUNTED_FLOORS: Readonly<Record<string, number>> = { true: 0.87, false: 1, refusal: 1 };
/** The same of other topics and more languages, in words that were not all seen before. */
const KINDS_FLOORS: Readonly<Record<string, number>> = { true: 0.92, false: 0.97, refusal: 1 };

describe.each([
  ['the scripted answers (skipped without ../shared/cases/asking)', SHARED, FLOORS],
  ['answers of the kinds of the shared cases', KINDS, KINDS_FLOORS],
  ['answers in seventeen languages', HELD, FLOORS],
  ['answers of other topics', COUNTED, COUNTED_FLOORS],
])('%s', (_, set, floors) => {
  it.skipIf(answersOf(set).length === 0)(
    'end as they must',
    async () => {
      for (const { kind, right, of, missed } of await ratesOf(set))
        expect(right / of, `${kind}: ${missed.map(({ id }) => id).join(' ')}`).toBeGreaterThanOrEqual(
          floors[kind] ?? 1,
        );
    },
    300_000,
  );
});
