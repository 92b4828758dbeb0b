import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PostingSource, Postings } from '../../src/lexical/posting-lists.ts';
import { fts5Idf } from '@kebab/core/store';
import { rankRows } from '../../src/lexical/rank-rows.ts';
import { RowSet, type ScoredRow } from '../../src/lexical/scoreboard.ts';

const ROWS = 6000;

/** An index of random postings that counts the fetched ones. */
class RandomIndex implements PostingSource {
  readonly rowCount = ROWS;
  readonly maxRow = ROWS;
  fetched = 0;
  readonly #lists: ReadonlyMap<string, Postings>;
  readonly #cached: ReadonlySet<string>;

  constructor(frequencies: readonly number[], seed: number, cached: readonly string[] = []) {
    this.#lists = new Map(frequencies.map((frequency, i) => [`u${i}`, randomPostings(frequency, seed + i)]));
    this.#cached = new Set(cached);
  }

  get units(): readonly string[] {
    return [...this.#lists.keys()];
  }

  frequency(unit: string): number {
    return this.#list(unit).rows.length;
  }

  postings(unit: string): Postings {
    this.fetched += this.frequency(unit);
    return this.#list(unit);
  }

  postingsAmong(unit: string, rows: readonly number[]): Postings {
    const wanted = new Set(rows);
    this.fetched += rows.length;
    return filtered(this.#list(unit), (row) => wanted.has(row));
  }

  isCached(unit: string): boolean {
    return this.#cached.has(unit);
  }

  #list(unit: string): Postings {
    return this.#lists.get(unit) ?? { rows: new Int32Array(), scores: new Float64Array() };
  }
}

describe('rankRows', () => {
  it('ranks like a sum over all postings, whatever it leaves out and whatever is cached', () => {
    fc.assert(
      fc.property(task, ({ frequencies, seed, limit, cached }) => {
        const cold = new RandomIndex(frequencies, seed);
        const partlyCached = new RandomIndex(frequencies, seed, cached);
        const expected = bruteForce(cold, limit);
        for (const index of [cold, partlyCached]) expect(rank(index, limit)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('ranks the admitted rows as if there were no others', () => {
    fc.assert(
      fc.property(task, fc.integer({ min: 1, max: 7 }), ({ frequencies, seed, limit }, step) => {
        const index = new RandomIndex(frequencies, seed);
        const isAdmitted = (row: number): boolean => row % step === 0;
        const admitted = new RowSet(ROWS, Array.from({ length: ROWS }, (_, row) => row).filter(isAdmitted));
        expect(rank(index, limit, admitted)).toEqual(bruteForce(index, limit, isAdmitted));
      }),
      { numRuns: 15 },
    );
  });

  it('fetches few postings of common words', () => {
    const index = new RandomIndex([40, 60, 2500, 2600, 2700], 7);
    rank(index, 10);
    expect(index.fetched).toBeLessThan(1500);
  });

  it('returns a prefix of the longer list for a smaller limit, even with words that most rows contain', () => {
    const index = new RandomIndex([5, 900, 3500, 5000], 11);
    const all = rank(index, ROWS);
    expect(all.length).toBeGreaterThan(5000);
    for (const limit of [1, 5, 50, 900, 1000, 3000, 5500]) expect(rank(index, limit)).toEqual(all.slice(0, limit));
  });

  it('ranks by words that most rows contain if there are no others, with scores that are not negligible', () => {
    const [best] = rank(new RandomIndex([5000], 3), 1);
    expect(best?.score).toBeGreaterThan(0.01);
  });

  it('orders rows of equal score by row', () => {
    const same = { rows: Int32Array.of(3, 5, 9), scores: Float64Array.of(1, 1, 1) };
    const index: PostingSource = {
      rowCount: 9,
      maxRow: 9,
      frequency: () => 3,
      isCached: () => false,
      postings: () => same,
      postingsAmong: () => same,
    };
    expect(rank(index, 2, undefined, ['a']).map(({ row }) => row)).toEqual([3, 5]);
  });
});

const task = fc.record({
  frequencies: fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 400, max: 1500 }),
      fc.integer({ min: 1500, max: 5500 }),
    ),
    { minLength: 1, maxLength: 7 },
  ),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  limit: fc.constantFrom(1, 3, 10, 100),
  cached: fc.subarray(['u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6']),
});

/** Gives some units less weight than others. */
function weightOf(unit: string): number {
  return unit.endsWith('2') ? 0.7 : 1;
}

function rank(
  index: PostingSource & { readonly units?: readonly string[] },
  limit: number,
  admitted?: RowSet,
  units = index.units ?? [],
): readonly ScoredRow[] {
  const weighed = units.map((expression) => ({ expression, weight: weightOf(expression) }));
  const rows = rankRows(index, { units: weighed, limit, admitted });
  return rows.slice(0, limit);
}

/** Sums all postings: first of the units that match less than half of the rows, then, for rows without a sum, of the others. */
function bruteForce(
  index: RandomIndex,
  limit: number,
  isAdmitted = (_row: number): boolean => true,
): readonly ScoredRow[] {
  const units = index.units.filter((unit) => index.frequency(unit) > 0);
  const telling = units.filter((unit) => index.frequency(unit) < ROWS / 2);
  if (telling.length === 0) return sums(index, units, isAdmitted, gentle(index)).slice(0, limit);
  const first = sums(index, telling, isAdmitted, weightOf);
  const ranked = new Set(first.map(({ row }) => row));
  const common = units.filter((unit) => !telling.includes(unit));
  const rest = sums(
    index,
    common,
    (row) => isAdmitted(row) && !ranked.has(row),
    () => 1e-6,
  );
  return [...first, ...rest].slice(0, limit);
}

function gentle(index: RandomIndex): (unit: string) => number {
  return (unit) => {
    const df = index.frequency(unit);
    return weightOf(unit) * (Math.log(1 + (ROWS - df + 0.5) / (df + 0.5)) / fts5Idf(df, ROWS));
  };
}

function sums(
  index: RandomIndex,
  units: readonly string[],
  isAdmitted: (row: number) => boolean,
  factorOf: (unit: string) => number,
): readonly ScoredRow[] {
  const scores = new Map<number, number>();
  for (const unit of units.toSorted((a, b) => index.frequency(a) - index.frequency(b))) {
    const list = index.postings(unit);
    for (const [i, row] of list.rows.entries())
      if (isAdmitted(row)) scores.set(row, (scores.get(row) ?? 0) + (list.scores[i] ?? 0) * factorOf(unit));
  }
  return [...scores].map(([row, score]) => ({ row, score })).toSorted((a, b) => b.score - a.score || a.row - b.row);
}

/** Postings whose scores are less than 2.2 times the unit's weight, many of them equal. */
function randomPostings(frequency: number, seed: number): Postings {
  let state = seed;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const rows = new Set<number>();
  while (rows.size < frequency) rows.add(1 + Math.floor(random() * (ROWS - 1)));
  const weight = fts5Idf(frequency, ROWS);
  const ordered = [...rows].toSorted((a, b) => a - b);
  return {
    rows: Int32Array.from(ordered),
    scores: Float64Array.from(ordered, () => weight * (0.4 + 0.2 * Math.floor(random() * 9))),
  };
}

function filtered({ rows, scores }: Postings, keeps: (row: number, score: number) => boolean): Postings {
  const kept = [...rows.keys()].filter((i) => keeps(rows[i] ?? 0, scores[i] ?? 0));
  return { rows: Int32Array.from(kept, (i) => rows[i] ?? 0), scores: Float64Array.from(kept, (i) => scores[i] ?? 0) };
}
