import { describe, expect, it } from 'vitest';
import { IndexReads } from '../../src/lexical/index-reads.ts';
import { RowSet } from '../../src/lexical/scoreboard.ts';

const list = (length: number) => ({ rows: new Int32Array(length), scores: new Float64Array(length) });

describe('IndexReads', () => {
  it('tells apart what was read of one key', () => {
    const reads = new IndexReads();
    const [postings, filtered] = [list(3), new RowSet(9)];
    reads.set('frequency', '"a"', 3);
    reads.set('postings', '"a"', postings);
    reads.set('filtered', '"a"', filtered);
    expect(reads.get('frequency', '"a"')).toBe(3);
    expect(reads.get('postings', '"a"')).toBe(postings);
    expect(reads.get('filtered', '"a"')).toBe(filtered);
    reads.clear();
    expect(reads.has('postings', '"a"')).toBe(false);
  });

  it('drops what was not used for the longest time, whatever its kind, when it holds 48 MB', () => {
    const reads = new IndexReads();
    reads.set('filtered', 'all', new RowSet(20_000_000));
    reads.set('frequency', 'a', 1);
    reads.set('postings', 'a', list(1_000_000));
    reads.get('filtered', 'all');
    reads.set('postings', 'b', list(1_500_000));
    expect(reads.has('filtered', 'all')).toBe(true);
    expect([reads.has('frequency', 'a'), reads.has('postings', 'a')]).toEqual([false, false]);
    reads.set('postings', 'c', list(5_000_000)); // the last one stays, however large it is
    expect([reads.has('filtered', 'all'), reads.has('postings', 'b'), reads.has('postings', 'c')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
