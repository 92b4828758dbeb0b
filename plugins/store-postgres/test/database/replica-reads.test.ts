import { searchable, searchableWrite } from '@kebab/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresDocumentStore } from '../../src/documents/postgres-document-store.ts';
import { postgresLexicalIndex } from '../../src/lexical/postgres-word-engine.ts';
import { POSTED_WORDS } from '../../src/lexical/posted-words.ts';
import { POSTGRES_MISSING, testDatabase, type TestDatabase } from '../with-postgres.ts';

/** Adds a document, which makes the next revision. */
async function commit({ database }: TestDatabase, file: string): Promise<void> {
  const store = new PostgresDocumentStore(database, POSTED_WORDS);
  const index = postgresLexicalIndex(database);
  const writer = await store.openWriter({ waitMs: 0 });
  const write = searchableWrite(searchable(file, 'sluice'), (material) => index.analyseChunk(material));
  await writer.transaction((tx) => tx.putDocument(write));
  await writer.close();
}

async function admin(url: string, statement: string): Promise<void> {
  const { default: driver } = await import('pg');
  const client = new driver.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe.skipIf(POSTGRES_MISSING)('reads with storage.postgres.read_url (skipped without a server)', () => {
  let primary: TestDatabase;
  let copy: TestDatabase;
  let copyUrl: string;
  const copyName = `copy_${process.pid}_${Date.now()}`;

  beforeAll(async () => {
    primary = await testDatabase();
    const { url, schema } = primary.config;
    await admin(url, `CREATE DATABASE ${copyName}`);
    copyUrl = url.replace(/[^/]*$/, copyName);
    copy = await testDatabase({ url: copyUrl, schema });
  });
  afterAll(async () => {
    await copy.close();
    await admin(primary.config.url, `DROP DATABASE ${copyName} WITH (FORCE)`);
    await primary.close();
  });

  async function open(readUrl: string) {
    const database = await primary.again({ readonly: true, readUrl });
    const store = new PostgresDocumentStore(database, POSTED_WORDS);
    const index = postgresLexicalIndex(database);
    // This replica has other documents at the same revision, which shows where a read came from.
    return {
      store,
      found: async (): Promise<readonly string[]> => {
        const hits = await index.search(index.analyseQuery('sluice'), {}, 10);
        const passages = await store.getPassages(hits.map(({ chunkId }) => chunkId));
        return passages.map(({ workspacePath }) => workspacePath).toSorted();
      },
    };
  }

  it('come from the replica, but never from one older than the revision that a request has seen', async () => {
    await commit(copy, 'copy.md');
    await commit(primary, 'primary.md');
    await commit(primary, 'later.md');
    const { store, found } = await open(copyUrl);
    expect(await found()).toEqual(['copy.md']);
    expect(await store.documentCount()).toBe(1);
    await store.corpusRevision();
    expect(await found()).toEqual(['later.md', 'primary.md']);
    expect((await store.findByPath('later.md')).length).toBe(1);
    await commit(copy, 'caught-up.md');
    expect(await found()).toEqual(['caught-up.md', 'copy.md']);
    await commit(primary, 'newest.md');
    expect(await found()).toEqual(['caught-up.md', 'copy.md']);
    await store.corpusRevision();
    expect(await found()).toContain('newest.md');
  });

  it('come from the primary while the replica cannot be reached, or has no such tables', async () => {
    for (const readUrl of ['postgres://kebab@127.0.0.1:9/kebab', primary.config.url.replace(/[^/]*$/, 'postgres')])
      expect(await (await open(readUrl)).found()).toContain('primary.md');
  });

  it('come from the primary in a process that writes', async () => {
    const database = await primary.again({ readUrl: copyUrl });
    const store = new PostgresDocumentStore(database, POSTED_WORDS);
    expect(await store.findByPath('copy.md')).toEqual([]);
  });

  it('are refused when the address cannot be read', async () => {
    await expect(primary.again({ readonly: true, readUrl: 'postgres://[' })).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: 'storage.postgres.read_url' },
    });
  });
});
