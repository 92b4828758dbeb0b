import { analyseQuery } from '@kebab/core';
import { searchable, searchableWrite } from '@kebab/core/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Statements } from '../../src/database/statements.ts';
import { PostingLists } from '../../src/lexical/posting-lists.ts';
import { StoredIndex } from '../../src/lexical/stored-index.ts';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

const EVERY_THIRD = Array.from({ length: 300 }, (_, i) => 3 * i);

let database: LexicalDatabase;
beforeEach(async () => {
  database = await openLexicalDatabase();
});
afterEach(() => database.close());

/** A text with words that nearly every document has, and words that only one has. */
function textOf(i: number): string {
  const words = Array.from({ length: 30 + (i % 50) }, (_, at) => `word${(i * 31 + at * at) % (5 + at * 2)}`);
  return `Everywhere ${words.join(' ')} only${i} ${'running '.repeat(i % 4)}`;
}

/** Phrases of two to four words that occur in texts, and some that do not. */
const PHRASES = [
  ...Array.from({ length: 60 }, (_, i) =>
    textOf(i)
      .split(' ')
      .slice(i % 9, (i % 9) + 2 + (i % 3)),
  ).map((words) => `"${words.join(' ')}"`),
  '"running running"',
  '"running running running"',
  '"else everywhere else"',
  '"운영 영체 체제"',
  '"word1 nowhere"',
];

async function remove(paths: readonly string[]): Promise<void> {
  const { store, index } = database;
  const documents = paths.map((path) => searchableWrite(searchable(path, ''), (given) => index.analyseChunk(given)));
  const writer = await store.openWriter({ waitMs: 0 });
  for (const { document } of documents) writer.transaction((tx) => tx.deleteDocument(document.docId));
  writer.close();
}

/** The terms whose rows or scores differ from those of FTS5, or that are not read from its tables; and the number of all terms. */
function compareAll(): { readonly terms: number; readonly different: readonly string[] } {
  const { reader } = database;
  reader.exec('CREATE VIRTUAL TABLE IF NOT EXISTS temp.every_term USING fts5vocab(main, chunks_fts, row)');
  const lists = new PostingLists(new Statements(reader));
  const fts5 = new PostingLists(new Statements(reader));
  lists.refresh();
  fts5.refresh(true);
  const units = (reader.prepare('SELECT term FROM temp.every_term').pluck().all() as readonly string[]).map(
    (term) => `"${term}"`,
  );
  units.push(...new Set(PHRASES));
  const of = (source: PostingLists, unit: string): string => {
    const some = source.postingsAmong(unit, EVERY_THIRD);
    const { rows, scores } = source.postings(unit);
    const all = [source.rowCount, source.frequency(unit), source.rows(unit).join(), rows.join(), scores.join()];
    return [...all, some.rows.join(), some.scores.join()].join(' ');
  };
  const isRead = (unit: string): boolean => lists.isCheap(unit) && !fts5.isCheap(unit);
  return {
    terms: units.length,
    different: units.filter((unit) => !isRead(unit) || of(lists, unit) !== of(fts5, unit)),
  };
}

describe('posting lists read from the tables of FTS5', () => {
  it('equal those that FTS5 returns, to the last digit, with many segments and lists of many pages', async () => {
    for (let batch = 0; batch < 4; batch++)
      await database.commit(
        Array.from({ length: 90 }, (_, i) => searchable(`${batch}-${i}.md`, textOf(batch * 90 + i))),
      );
    await database.commit([searchable('dense.md', `far ${'dense '.repeat(500)}`, { title: 'Dense' })]);
    await database.commit([searchable('long.md', `${'everywhere else '.repeat(9000)} ${'운영 체제 '.repeat(50)}`)]);
    const { terms, different } = compareAll();
    const lists = new PostingLists(new Statements(database.reader));
    lists.refresh();
    expect(PHRASES.filter((phrase) => lists.frequency(phrase) > 0).length).toBeGreaterThan(50);
    expect(terms).toBeGreaterThan(300);
    expect(different).toEqual([]);
  });

  it('are found for numbers as well as for words, in any script and with leading zeros', async () => {
    await database.commit([searchable('one.md', '7 007 2119 3.14 ٣ seven'), searchable('two.md', '7 2119 twice')]);
    const lists = new PostingLists(new Statements(database.reader));
    lists.refresh();
    lists.prepare(['"2119"', '"twice"']);
    const counts = ['7', '007', '2119', '3', '14', '٣', '8', 'twice'].map((word) => lists.frequency(`"${word}"`));
    expect(counts).toEqual([2, 1, 2, 1, 1, 1, 0, 1]);
    expect(compareAll().different).toEqual([]);
  });

  it('omit removed rows, and contain the rows that replaced them', async () => {
    const paths = Array.from({ length: 60 }, (_, i) => `${i}.md`);
    await database.commit(paths.map((path, i) => searchable(path, textOf(i))));
    await database.commit([searchable('3.md', 'everywhere again'), searchable('40.md', 'quite other words')]);
    await remove(['7.md', '8.md', '59.md', '40.md']);
    expect(compareAll().different).toEqual([]);
    await database.commit([searchable('new.md', `everywhere ${'word1 '.repeat(40)}`)]);
    expect(compareAll().different).toEqual([]);
  });

  it('stay the same while segments are merged step by step, also for a reader that has cached some of them', async () => {
    for (let batch = 0; batch < 8; batch++)
      await database.commit(
        Array.from({ length: 12 }, (_, i) => searchable(`${batch}-${i}.md`, textOf(batch * 12 + i))),
      );
    await remove(['1-1.md', '5-4.md']);

    const writer = new Sqlite(database.reader.name);
    const merge = writer.prepare("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('merge', ?)");
    const lists = new PostingLists(new Statements(database.reader));
    lists.refresh();
    const before = [...lists.postings('"everywher"').rows];
    for (const pages of [-1n, 1n, 1n, 500n]) {
      merge.run(pages);
      expect(compareAll().different).toEqual([]);
    }
    writer.exec("INSERT INTO chunks_fts(chunks_fts) VALUES ('optimize')");
    expect(lists.refresh()).toBe(false);
    expect([...lists.postings('"only7"').rows]).toHaveLength(1);
    expect([...lists.postings('"everywher"').rows]).toEqual(before);
    expect(compareAll().different).toEqual([]);
    writer.close();
  });

  it('are queried from FTS5 instead if its tables have another layout', async () => {
    await database.commit(Array.from({ length: 40 }, (_, i) => searchable(`${i}.md`, textOf(i))));
    const { reader, index } = database;
    const query = analyseQuery('everywhere word3');
    const expected = await index.search(query, {}, 10);
    expect(expected).toHaveLength(10);
    const other = await openLexicalDatabase();
    await other.commit(Array.from({ length: 40 }, (_, i) => searchable(`${i}.md`, textOf(i))));

    const writer = new Sqlite(other.reader.name);
    writer.unsafeMode(true);
    writer.prepare("UPDATE chunks_fts_config SET v = 5 WHERE k = 'version'").run();
    writer.close();
    expect(StoredIndex.open(new Statements(reader))).toBeDefined();
    expect(StoredIndex.open(new Statements(other.reader))).toBeUndefined();
    expect(await other.index.search(query, {}, 10)).toEqual(expected);
    other.close();
  });

  it('are scored with the lengths of FTS5 if none are recorded, until the next write records them', async () => {
    await database.commit(Array.from({ length: 40 }, (_, i) => searchable(`${i}.md`, textOf(i))));

    const writer = new Sqlite(database.reader.name);
    const recorded = writer.prepare('SELECT * FROM chunk_lengths').all();
    expect(recorded).toHaveLength(1);
    writer.exec('DELETE FROM chunk_lengths');
    expect(compareAll().different).toEqual([]);
    await remove(['none.md']);
    expect(writer.prepare('SELECT * FROM chunk_lengths').all()).toEqual(recorded);
    writer.close();
  });
});
