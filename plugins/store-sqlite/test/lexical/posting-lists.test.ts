import { searchable } from '@kebab/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IndexReads, PostingLists, type Postings } from '../../src/lexical/posting-lists.ts';
import { RowSet } from '../../src/lexical/scoreboard.ts';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

const UNITS = ['"everywhere"', '"word3"', '"everywhere word3"', '"wor" *', '"none"'];

/** Forty passages with a word of their own in each, a word that three of them share, and one that all have. */
const documents = Array.from({ length: 40 }, (_, i) =>
  searchable(`${i}.md`, `everywhere word${i % 13} ${'filler '.repeat(i % 7)}own${i}`),
);

let database: LexicalDatabase;
beforeEach(async () => {
  database = await openLexicalDatabase();
  await database.commit(documents);
});
afterEach(() => database.close());

function openLists(): PostingLists {
  const lists = new PostingLists(database.reader, new IndexReads());
  lists.refresh();
  return lists;
}

function pairs({ rows, scores }: Postings): readonly (readonly [row: number, score: number])[] {
  return [...rows].map((row, i) => [row, scores[i] ?? 0] as const);
}

describe('PostingLists', () => {
  it.each(UNITS)('gives the same scores of %s for all rows and for some', (unit) => {
    const all = pairs(openLists().postings(unit));
    const some = [2, 3, 16, 40];
    expect(openLists().frequency(unit)).toBe(all.length);
    expect([...openLists().rows(unit)]).toEqual(all.map(([row]) => row));
    expect(pairs(openLists().postingsAmong(unit, some))).toEqual(all.filter(([row]) => some.includes(row)));
  });

  it('notices a commit, and omits the rows that it removed', async () => {
    const lists = openLists();
    const before = [...lists.postings('"word3"').rows];
    await database.commit([searchable('3.md', 'other words'), searchable('new.md', 'word3')]);
    expect([...lists.postings('"word3"').rows]).toEqual(before);
    lists.refresh();
    const after = [...lists.postings('"word3"').rows];
    expect([after.length, after[0], after[1]]).toEqual([3, before[1], before[2]]);
    expect(lists.rowCount).toBe(41);
    expect(lists.frequency('"own3"')).toBe(0);
  });
});

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
