import { analyseQuery } from '@kebab/core';
import { searchable } from '@kebab/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grammarExpressions } from '../../src/lexical/match-expressions.ts';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

const ALL = {} as const;

describe('words of grammar', () => {
  let database: LexicalDatabase;
  beforeEach(async () => {
    database = await openLexicalDatabase();
  });
  afterEach(() => database.close());

  /** Source code that talks, source code that is meant, and much that is neither. */
  async function commit(extension: string): Promise<void> {
    const rest = Array.from({ length: 60 }, (_, i) =>
      searchable(`rest/${i}.${extension}`, `alpha${i} beta${i} gamma${i}`),
    );
    await database.commit([
      searchable(`template.${extension}`, 'which whether when where other'),
      searchable(`meant.${extension}`, 'snapshot taken of revision'),
      searchable(`also.${extension}`, 'snapshot revision of taken'),
      searchable(`near.${extension}`, 'snapshot of revision taken'),
      ...rest,
    ]);
  }

  async function pathsFor(query: string): Promise<readonly string[]> {
    const hits = await database.index.search(analyseQuery(query), ALL, 10);
    const passages = await database.store.getPassages(hits.map(({ chunkId }) => chunkId));
    const pathOf = new Map(passages.map(({ chunkId, workspacePath }) => [chunkId, workspacePath]));
    return hits.map(({ chunkId }) => pathOf.get(chunkId) ?? '');
  }

  it('find a template of prose in source code after the code that holds the words of content', async () => {
    await commit('ts');
    expect((await pathsFor('which or whether or when or where a snapshot')).indexOf('template.ts')).toBe(3);
  });

  it('count among sentences as their rarity says', async () => {
    await commit('md');
    expect((await pathsFor('which or whether or when or where a snapshot'))[0]).toBe('template.md');
  });

  it('find source code when a query has no other words', async () => {
    await commit('ts');
    expect(await pathsFor('which whether')).toEqual(['template.ts']);
  });
});

describe('grammarExpressions', () => {
  it('are the words that say nothing about what is looked for', () => {
    expect([...grammarExpressions(analyseQuery('whether the lock is held'))]).toEqual(['"whether"', '"the"', '"is"']);
  });

  it('are none where a query has no other words', () => {
    expect(grammarExpressions(analyseQuery('which is it')).size).toBe(0);
  });
});
