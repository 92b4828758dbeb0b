import { searchable } from '@kebab/testing';
import { expect, it } from 'vitest';
import { openLexicalDatabase } from './open-lexical-database.ts';

it('vocabulary lists every token of the index once, with its chunks, even if the index is queried meanwhile', async () => {
  const database = await openLexicalDatabase();
  try {
    const words = Array.from({ length: 5000 }, (_, at) => `w${10_000 + at}`);
    await database.commit([searchable('all.md', words.join(' ')), searchable('one.md', 'w10000 말 zebra')]);
    const listed = new Map<string, number>();
    let count = 0;
    for (const { token, chunks } of await database.index.vocabulary()) {
      if (count++ === 2500) expect((await database.index.termStats(['zebra'])).df).toEqual([1]);
      listed.set(token, chunks);
    }
    expect(listed.size).toBe(count);
    expect(words.filter((word) => !listed.has(word))).toEqual([]);
    expect([listed.get('w10000'), listed.get('w10001'), listed.get('zebra')]).toEqual([2, 1, 1]);
  } finally {
    database.close();
  }
});

it('vocabulary lists the tokens with a beginning alone', async () => {
  const database = await openLexicalDatabase();
  try {
    await database.commit([searchable('all.md', 'kiln kilogram kit kimono lamp ki')]);
    const tokens = [...(await database.index.vocabulary({ beginning: 'ki' }))].map(({ token }) => token);
    expect(tokens).toEqual(['kiln', 'kilogram', 'kimono', 'kit']);
  } finally {
    database.close();
  }
});
