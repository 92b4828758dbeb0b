import { searchable } from '@kebab/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

const words = Array.from({ length: 1000 }, (_, at) => `w${10_000 + at}`);

/** Counts the turns of the event loop until a promise settles. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const next = (): void => {
    turns++;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  await work.catch(() => {}).finally(() => (isOver = true));
  return turns;
}

describe('a query of a thousand conditions', () => {
  let database: LexicalDatabase;
  beforeAll(async () => {
    database = await openLexicalDatabase();
    await database.commit([searchable('all.md', words.join(' ')), searchable('one.md', 'w10000 and nothing else')]);
  });
  afterAll(() => database.close());

  it.each([
    ['words', `w10000 nothing ${words.join(' ')}`, 2],
    ['required words', words.map((word) => `+${word}`).join(' '), 1],
    [
      'excluded words',
      `nothing ${words
        .slice(1)
        .map((word) => `-${word}`)
        .join(' ')}`,
      1,
    ],
    [
      'phrases',
      words
        .slice(1)
        .map((word, at) => `"${words[at]} ${word}"`)
        .join(' '),
      1,
    ],
  ])('of %s leaves room for other work, and finds what a short one does', async (_kind, text, hits) => {
    const { index } = database;
    const found = index.search(index.analyseQuery(text), {}, 10);
    expect(await turnsDuring(found)).toBeGreaterThan(20);
    expect(await found).toHaveLength(hits);
  });

  it('ends soon when it is cancelled', async () => {
    const { index } = database;
    await database.commit([searchable('more.md', 'an index with a new revision, of which nothing is cached')]);
    const cancel = new AbortController();
    const found = index.search(index.analyseQuery(words.join(' ')), {}, 10, { signal: cancel.signal });
    setImmediate(() => cancel.abort());
    expect(await turnsDuring(found)).toBeLessThan(5);
    await expect(found).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('finds what has been committed in the meantime', async () => {
    const { index } = database;
    const found = index.search(index.analyseQuery(`lighthouse ${words.join(' ')}`), {}, 10);
    await database.commit([searchable('late.md', 'a lighthouse')]);
    expect(await found).toHaveLength(2);
  });
});
