import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Doclist, StoredRows } from '../../src/lexical/stored-rows.ts';

/** Row 3 with the term at positions 0 and 200 of the first column, row 5 at positions 1 of the first and 0 of the third. */
const LIST = [3, 6, 2, 129, 74, 2, 8, 3, 1, 2, 2];
/** The next term, directly after the second position in row 3, and after the last in row 5. */
const NEXT = [3, 4, 129, 75, 2, 6, 1, 2, 3];

function listOf(bytes: readonly number[], more: Partial<Doclist> = {}): Doclist {
  return { parts: [Uint8Array.from(bytes)], restarts: [], removed: new Set(), ...more };
}

function read(...terms: readonly (readonly Doclist[])[]): readonly (readonly number[])[] {
  const { rows, frequencies } = new StoredRows(terms).read();
  return [...rows].map((row, i) => [row, frequencies[i] ?? 0]);
}

describe('StoredRows', () => {
  it('reads rows with their occurrences, weighted by column', () => {
    expect(read([listOf(LIST)])).toEqual([
      [3, 2],
      [5, 3],
    ]);
    expect(new StoredRows([[listOf(LIST)]]).count).toBe(2);
  });

  it('reads rows of overlapping lists in ascending order, without removed ones', () => {
    const lists = [listOf(LIST, { removed: new Set([3]) }), listOf([3, 2, 2, 1, 2, 2])];
    expect(read(lists)).toEqual([
      [3, 1],
      [4, 1],
      [5, 3],
    ]);
    expect(new StoredRows([lists]).count).toBe(3);
    expect([...new StoredRows([lists]).read([1, 4, 5, 9]).rows]).toEqual([4, 5]);
  });

  it('counts rows from zero again at the beginning of a page', () => {
    expect(read([listOf([...LIST, 9, 2, 2], { restarts: [LIST.length] })]).map(([row]) => row)).toEqual([3, 5, 9]);
  });

  it('finds a phrase where its terms are adjacent in one column', () => {
    expect(read([listOf(LIST)], [listOf(NEXT)])).toEqual([
      [3, 1],
      [5, 2],
    ]);
    expect(read([listOf(NEXT)], [listOf(LIST)])).toEqual([]);
    const phrase = new StoredRows([[listOf(LIST)], [listOf(NEXT)]]);
    expect(phrase.count).toBe(2);
    expect([...phrase.read([5]).frequencies]).toEqual([2]);
  });

  it.each([
    ['that ends within a row', listOf(LIST.slice(0, -1))],
    ['that ends within a number', listOf([3, 129])],
    ['of a row that was removed within its segment', listOf([3, 5, 2, 2])],
    ['of rows that do not ascend', listOf([3, 2, 2, 0, 2, 2])],
    ['with a page that begins where no row does', listOf(LIST, { restarts: [2] })],
    ['with positions that end within a number', listOf([3, 2, 129])],
  ])('rejects a list %s', (_what, list) => {
    expect(() => read([list])).toThrow(RangeError);
    expect(() => read([list], [listOf(LIST)])).toThrow(RangeError);
    expect(read([listOf(LIST)])).toHaveLength(2);
  });

  it('either reads arbitrary bytes or throws a RangeError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), (a, b) => {
        for (const terms of [[[listOf([...a])]], [[listOf([...a])], [listOf([...b])]]])
          try {
            new StoredRows(terms).read();
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
          }
      }),
    );
  });
});
