import { analyseQuery } from '@kebab/core';
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

/** The title that chunks are shown with, and when their document was indexed. */
async function shown(query: string): Promise<readonly unknown[]> {
  const hits = await database.index.search(analyseQuery(query), {}, 10);
  const found = await database.store.getChunks(hits.map(({ chunkId }) => chunkId));
  return found.map(({ document: { title, indexedAt } }) => [title, indexedAt.getUTCFullYear()]);
}

describe('documents that were shown before', () => {
  it('are shown as another connection has left them, also where the corpus is what it was', async () => {
    const [[title, year]] = (await shown('first')) as [[string, number]];
    expect(title).toBe('Before');
    const other = new Sqlite(database.reader.name);
    other
      .prepare('INSERT INTO equal_sources(source_id, equal_at) SELECT source_id, ? FROM documents')
      .run('2099-01-01');
    expect(year).toBeLessThan(2099);
    expect(await shown('first')).toEqual([['Before', 2099]]);
    other.prepare('UPDATE documents SET title = ?').run('After');
    expect(await shown('first')).toEqual([['After', 2099]]);
    other.close();
  });

  it('are shown as they were when a write that has read them is undone', async () => {
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
