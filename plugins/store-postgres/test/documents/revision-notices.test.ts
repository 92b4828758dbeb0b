import { searchable, searchableWrite } from '@kebab/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { postgresLexicalIndex } from '../../src/lexical/postgres-word-engine.ts';
import { testStore } from '../open-test-store.ts';
import { POSTGRES_MISSING } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('the revision on PostgreSQL (skipped without a server)', () => {
  it('is said to other processes when it has changed, and to none of another knowledge base', async () => {
    const [made, other] = [await testStore(), await testStore()];
    const stop = new AbortController();
    const events: string[] = [];
    try {
      const reader = await made.reader();
      await reader.onRevision((event) => events.push(event), { signal: stop.signal });
      await other.store.onRevision(() => events.push('other'), { signal: stop.signal });
      const index = postgresLexicalIndex(made.database);
      const writer = await made.store.openWriter({ waitMs: 0 });
      const write = searchableWrite(searchable('a.md', 'sluice'), (material) => index.analyseChunk(material));
      await writer.transaction((tx) => tx.putDocument(write));
      await expect.poll(() => events).toEqual(['changed']);
      await writer.transaction((tx) => tx.touchDocuments([write.document.docId], new Date()));
      await writer.close();
      await made.database.statement((db) =>
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN "kebab_revision"'`.execute(db),
      );
      await expect.poll(() => events.toSorted()).toEqual(['changed', 'lost', 'other']);
    } finally {
      stop.abort();
      await made.close();
      await other.close();
    }
  });
});
