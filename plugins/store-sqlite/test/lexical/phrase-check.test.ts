import { analyseQuery } from '@kebab/core';
import { searchable } from '@kebab/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

let database: LexicalDatabase;
beforeEach(async () => {
  database = await openLexicalDatabase();
});
afterEach(() => database.close());

async function count(query: string, limit = 1000): Promise<number> {
  return (await database.index.search(analyseQuery(query), {}, limit)).length;
}

describe('phrases in rows that contain their stems', () => {
  it('match only where they occur literally, for every limit, also when the query is repeated', async () => {
    const textOf = (i: number): string => (i % 3 === 0 ? 'thin boundary layers' : 'a boundary layer, thin');
    await database.commit(Array.from({ length: 120 }, (_, i) => searchable(`${i}.md`, `${textOf(i)} ${i}`)));
    for (const limit of [1, 7, 79, 80, 81, 1000, 1])
      expect(await count('"boundary layer"', limit)).toBe(Math.min(limit, 80));
    expect(await count('"boundary layers"')).toBe(40);
    expect(await count('thin -"boundary layer"')).toBe(40);
    expect(await count('thin -"boundary layers"')).toBe(80);
    expect(await count('"boundary layer" -"layer, thin"')).toBe(0);
    const admitted = await database.index.admitted(analyseQuery('"boundary layer"'), {});
    expect(admitted?.size).toBe(80);
  });

  it('are checked again after the corpus has changed', async () => {
    await database.commit([searchable('one.md', 'a boundary layer'), searchable('two.md', 'boundary layers')]);
    expect(await count('"boundary layer"')).toBe(1);
    await database.commit([searchable('one.md', 'the boundary layers'), searchable('two.md', 'no boundary layer')]);
    expect(await count('"boundary layer"')).toBe(1);
    await database.commit([searchable('two.md', 'two boundary layers')]);
    expect(await count('"boundary layer"')).toBe(0);
  });

  it('may occur in a title or path instead of the text of the chunk', async () => {
    await database.commit([
      searchable('deep/boundary layer.md', 'nothing of it, although a layer has a boundary'),
      searchable('other.md', 'a layer has a boundary', { title: 'Boundary layer' }),
    ]);
    expect(await count('"boundary layer"')).toBe(2);
    expect(await count('"layer boundary"')).toBe(0);
  });
});
