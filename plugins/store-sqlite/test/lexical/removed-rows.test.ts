import { searchable } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { openLexicalDatabase } from './open-lexical-database.ts';

/** Ninety chunks of equal length, some of which contain words of the query. */
const documents = Array.from({ length: 90 }, (_, i) =>
  searchable(`${i}.md`, `${i % 9 === 0 ? 'rare' : 'other'} ${i % 2 === 0 ? 'common' : 'others'} word${i} and more`),
);

async function scoresAfter(...commits: readonly (typeof documents)[]): Promise<readonly number[]> {
  const database = await openLexicalDatabase();
  for (const commit of commits) await database.commit(commit);
  const hits = await database.index.search(database.index.analyseQuery('rare common'), {}, 100);
  database.close();
  return hits.map(({ score }) => score);
}

describe('scores after removals', () => {
  it('equal those of a new index, whether or not SQLite corrects the totals itself', async () => {
    const fresh = await scoresAfter(documents);
    const written = await scoresAfter(documents, documents.slice(0, 60), documents, documents.slice(30));
    expect(written).toHaveLength(fresh.length);
    for (const [i, score] of written.entries()) expect(score).toBeCloseTo(fresh[i] ?? 0, 12);
  });
});
