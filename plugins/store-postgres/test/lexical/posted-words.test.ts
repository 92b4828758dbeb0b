import type { DocumentWriter } from '@kebab/core/store';
import { searchable, searchableWrite, type SearchableDocument } from '@kebab/testing';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PostgresDocumentStore } from '../../src/documents/postgres-document-store.ts';
import { postgresLexicalIndex } from '../../src/lexical/postgres-word-engine.ts';
import { NO_WORDS, POSTED_WORDS } from '../../src/lexical/posted-words.ts';
import { POSTGRES_MISSING, testDatabase, type TestDatabase } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('the tables of words (skipped without a server)', () => {
  let made: TestDatabase;
  let store: PostgresDocumentStore;
  let writer: DocumentWriter;
  beforeEach(async () => {
    made = await testDatabase();
    store = new PostgresDocumentStore(made.database, POSTED_WORDS);
    writer = await store.openWriter({ waitMs: 0 });
  });
  afterEach(async () => {
    await writer.close();
    await made.close();
  });

  const index = () => postgresLexicalIndex(made.database);

  async function commit(...documents: readonly SearchableDocument[]): Promise<void> {
    const writes = documents.map((one) => searchableWrite(one, (material) => index().analyseChunk(material)));
    await writer.transaction((tx) => writes.forEach((write) => tx.putDocument(write)));
  }

  async function find(query: string, words = index()): Promise<readonly string[]> {
    const hits = await words.search(words.analyseQuery(query), {}, 10);
    const passages = await store.getPassages(hits.map(({ chunkId }) => chunkId));
    return passages.map(({ workspacePath }) => workspacePath);
  }

  /** Everything that the index holds, without the numbers of chunks. */
  async function contents(): Promise<readonly unknown[]> {
    const { rows } = await made.database.statement((db) =>
      sql`SELECT p.word, c.chunk_id, encode(substr(p.chunks, i + 3, 4), 'hex') AS posting
        FROM postings p CROSS JOIN generate_series(0, octet_length(p.chunks) - 1, 6) i
          LEFT JOIN chunks c ON c.seq = (p.block << 10) + get_byte(p.chunks, i) + (get_byte(p.chunks, i + 1) << 8)
        ORDER BY 1, 2`.execute(db),
    );
    return rows;
  }

  it('are read again when the knowledge base was removed and made again, though with the same revision', async () => {
    const words = index();
    await commit(searchable('a.md', 'sluice'), searchable('b.md', 'weir'));
    expect(await find('sluice', words)).toEqual(['a.md']);
    await writer.removeAll?.();
    await made.again();
    await commit(searchable('a.md', 'weir'), searchable('b.md', 'sluice'));
    expect(await find('sluice', words)).toEqual(['b.md']);
  });

  it('are emptied where words are indexed elsewhere, which a search says, and filled again by the next writer', async () => {
    await commit(searchable('a.md', 'sluice gate'));
    await writer.close();
    const elsewhere = new PostgresDocumentStore(await made.again(), NO_WORDS);
    writer = await elsewhere.openWriter({ waitMs: 0 });
    await commit(searchable('b.md', 'weir'));
    expect(await contents()).toEqual([]);
    expect(await index().isCurrent()).toBe(false);
    await writer.close();
    writer = await store.openWriter({ waitMs: 0 });
    expect(await index().isCurrent()).toBe(true);
    expect([await find('weir'), await find('sluice')]).toEqual([['b.md'], ['a.md']]);
  });

  it('are searched while others write all the time', async () => {
    await commit(searchable('a.md', 'sluice gate'));
    const { database } = made;
    const statement = database.statement.bind(database);
    vi.spyOn(database, 'statement').mockImplementation(async (query) => {
      await database.change((tx) =>
        sql`UPDATE kv SET value = value::bigint + 1 WHERE key = 'corpus_revision'`.execute(tx),
      );
      return statement(query);
    });
    expect(await find('gate')).toEqual(['a.md']);
  });

  it('hold the same after changes as after writing the last versions once', async () => {
    const last = [
      searchable('a.md', ['sluice gate', 'lock keeper'], { title: 'Canal' }),
      searchable('b.rs', [{ text: 'fn openGate() {}', symbol: 'openGate' }], { metadata: { codeLang: 'rust' } }),
      searchable('c.md', '수문을 열다. 水門を開ける'),
    ];
    await commit(searchable('a.md', 'weir'), searchable('gone.md', 'barge'), ...last.slice(1));
    await commit(...last);
    const [gone] = await store.findByPath('gone.md');
    await writer.transaction((tx) => {
      if (gone !== undefined) tx.deleteDocument(gone.docId);
    });
    const changed = await contents();
    expect(await index().vocabulary({ beginning: 'barg' })).toEqual([]);
    await made.database.change((tx) => sql`DELETE FROM kv WHERE key = 'word_totals'`.execute(tx));
    await writer.close();
    writer = await store.openWriter({ waitMs: 0 });
    expect(await contents()).toEqual(changed);
    expect((await index().termStats(['gate'])).chunks).toBe(4);
  });

  it('are written again by the next writer after a new version of the analysis', async () => {
    await commit(searchable('a.md', 'sluice gate'));
    await made.database.change(async (tx) => {
      await sql`UPDATE kv SET value = '{"version":"v0","chunks":9,"code":0,"tokens":9}' WHERE key = 'word_totals'`.execute(
        tx,
      );
      await sql`DELETE FROM postings`.execute(tx);
    });
    expect(await find('sluice')).toEqual([]);
    await writer.close();
    writer = await store.openWriter({ waitMs: 0 });
    expect(await find('sluice')).toEqual(['a.md']);
    expect((await index().termStats(['sluic'])).chunks).toBe(1);
  });

  it('find words that are longer than an entry of an index of the server', async () => {
    const long = Array.from({ length: 5000 }, (_, at) => ((at * 7919) % 36_000).toString(36)).join('');
    await commit(searchable('a.md', `before ${long} behind`), searchable('b.md', 'before all'));
    expect(await find(long)).toEqual(['a.md']);
    expect(await find('behind')).toEqual(['a.md']);
  });

  it('rank what ties in the order of paths, however many documents that are', async () => {
    const paths = Array.from({ length: 300 }, (_, at) => `${String(at).padStart(3, '0')}.md`);
    await commit(...paths.toReversed().map((path) => searchable(path, 'sluice gate')));
    expect(await find('sluice')).toEqual(paths.slice(0, 10));
  });

  it('list tokens without the terms that only rank', async () => {
    await commit(searchable('a.md', 'storage of stored stones'), searchable('b.md', 'store'));
    const tokens = [...(await index().vocabulary({ beginning: 'sto' }))];
    expect(tokens).toEqual([
      { token: 'stone', chunks: 1 },
      { token: 'storag', chunks: 1 },
      { token: 'store', chunks: 2 },
    ]);
  });
});
