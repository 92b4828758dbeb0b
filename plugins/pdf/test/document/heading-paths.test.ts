import { describe, expect, it } from 'vitest';
import { headingPaths } from '../../src/document/heading-paths.ts';

const extent = { bottom: 0, top: 800 };
const entry = (title: string, page: number, top: number | null = null, above: readonly string[] = []) => ({
  title,
  page,
  top,
  above,
});

describe('headingPaths', () => {
  it('is empty without an outline', () => {
    expect(headingPaths([], [extent, extent])).toEqual([[], []]);
  });

  it('is empty before the first entry', () => {
    expect(headingPaths([entry('One', 2)], [extent, extent, extent])).toEqual([[], ['One'], ['One']]);
  });

  it('applies an entry that opens a page to that page, one further down to the next', () => {
    const entries = [entry('One', 1, 790), entry('Two', 2, 700), entry('Three', 3, 300)];
    expect(headingPaths(entries, [extent, extent, extent, extent])).toEqual([['One'], ['Two'], ['Two'], ['Three']]);
  });

  it('applies the first entry to its page wherever it points, as there is none before it', () => {
    expect(headingPaths([entry('One', 1, 100)], [extent])).toEqual([['One']]);
  });

  it('uses the deepest of the entries that open a page, and continues with the last one', () => {
    const entries = [
      entry('1', 1),
      entry('1.1', 1, null, ['1']),
      entry('1.1.1', 1, null, ['1', '1.1']),
      entry('1.2', 1, null, ['1']),
    ];
    expect(headingPaths(entries, [extent, extent])).toEqual([
      ['1', '1.1', '1.1.1'],
      ['1', '1.2'],
    ]);
  });
});
