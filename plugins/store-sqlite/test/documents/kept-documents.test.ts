import { analyseQuery, type ChunkId } from '@kebab/core';
import type { ChunkWithDocument } from '@kebab/core/store';
import { searchable, searchableWrite } from '@kebab/core/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLexicalDatabase, type LexicalDatabase } from '../lexical/open-lexical-database.ts';

let database: LexicalDatabase;
beforeEach(async () => {
  database = await openLexicalDatabase();
  await database.commit([searchable('one.md', 'first words', { title: 'Before' })]);
});
afterEach(() => database.close());

/** The title and the indexing year of the documents that a search finds. */
async function shown(query: string): Promise<readonly unknown[]> {
  const hits = await database.index.search(analyseQuery(query), {}, 10);
  const found = await database.store.getChunks(hits.map(({ chunkId }) => chunkId));
  return found.map(({ document: { title, indexedAt } }) => [title, indexedAt.getUTCFullYear()]);
}

describe('cached documents', () => {
  it('are read again after a write of another connection, even if the corpus revision is the same', async () => {
    const [[title, year]] = (await shown('first')) as [[string, number]];
    expect(title).toBe('Before');
    const other = new Sqlite(database.reader.name);
    other.prepare('UPDATE documents SET indexed_at = ?').run('2099-01-01');
    expect(year).toBeLessThan(2099);
    expect(await shown('first')).toEqual([['Before', 2099]]);
    other.prepare('UPDATE documents SET title = ?').run('After');
    expect(await shown('first')).toEqual([['After', 2099]]);
    other.close();
  });

  it('do not contain what was read within a transaction that was rolled back', async () => {
    const { store, index } = database;
    const [before] = await shown('first');
    const [hit] = await index.search(analyseQuery('first'), {}, 1);
    const changed = searchable('one.md', 'first words', { title: 'Undone' });
    const writer = await store.openWriter({ waitMs: 0 });
    let within: Promise<readonly { readonly document: { readonly title: string } }[]> = Promise.resolve([]);
    const undone = new Error('undone');
    expect(() =>
      writer.transaction((tx) => {
        tx.putDocument(searchableWrite(changed, (material) => index.analyseChunk(material)));
        within = store.getChunks(hit === undefined ? [] : [hit.chunkId]);
        throw undone;
      }),
    ).toThrow(undone);
    writer.close();
    expect((await within).map(({ document }) => document.title)).toEqual(['Undone']);
    expect(await shown('first')).toEqual([before]);
  });
});

describe('cached chunks', () => {
  async function found(): Promise<readonly ChunkWithDocument[]> {
    const hits = await database.index.search(analyseQuery('first'), {}, 10);
    return database.store.getChunks(hits.map(({ chunkId }) => chunkId));
  }

  it('are read once while the database is unchanged, and again after a change', async () => {
    const [one] = await found();
    expect((await found())[0]).toBe(one);
    const other = new Sqlite(database.reader.name);
    other.prepare("UPDATE document_texts SET text = 'other words'").run();
    other.close();
    expect(one?.chunk.text).toBe('first words');
    expect((await found())[0]?.chunk.text).toBe('other words');
  });

  it('are returned together with uncached ones in the requested order, without those that are gone', async () => {
    await database.commit([searchable('two.md', 'second words'), searchable('three.md', 'third words')]);
    const { store } = database;
    const ids = (await store.findIds('chunk', '', 10)) as readonly ChunkId[];
    const [a, b, c] = ids as [ChunkId, ChunkId, ChunkId];
    await store.getChunks([b]);
    const gone = 'f'.repeat(32) as ChunkId;
    expect((await store.getChunks([c, b, gone, a, b])).map(({ chunk }) => chunk.chunkId)).toEqual([c, b, a, b]);
  });
});
