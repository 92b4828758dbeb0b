import { describe, expect, it } from 'vitest';
import type { Database } from 'better-sqlite3';
import { Statements } from '../../src/database/statements.ts';
import { COMMITTED_CHUNKS, SqliteVectorLedger, UNSETTLED_CHUNKS } from '../../src/vectors/sqlite-vector-ledger.ts';
import { memoryDatabase } from '../open-test-store.ts';

/** Adds committed vectors, and the statistics that an ingest leaves. */
function addCommitted(db: Database, count: number): void {
  const add = db.prepare(
    `INSERT INTO embedding_records VALUES (@id, @id, 'm', '1', 8, 'f', 's', 'c', @status, '', NULL)`,
  );
  for (let i = 0; i < count; i++) add.run({ id: `chunk-${i}`, status: 'committed' });
  db.exec('ANALYZE');
}

function planOf(db: Database, sql: string, given: object): readonly string[] {
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(given);
  return rows.map((row) => (row as { readonly detail: string }).detail);
}

describe('the committed chunks of a document', () => {
  it('are looked up chunk by chunk, with and without statistics, never by scanning all vectors of a collection', async () => {
    const db = await memoryDatabase();
    const plan = (): readonly string[] => planOf(db, COMMITTED_CHUNKS, { collection: 'c', doc_id: 'd' });
    const expected = [
      expect.stringMatching(/^SEARCH d .*\(doc_id=\?\)/),
      expect.stringMatching(/^SEARCH c .*\(rowid>\? AND rowid<\?\)/),
      expect.stringMatching(/^SEARCH e .*\(chunk_id=\?\)/),
    ];
    expect(plan()).toEqual(expected);
    db.exec('ANALYZE');
    expect(plan()).toEqual(expected);
    db.close();
  });
});

describe('the unsettled vectors of a collection', () => {
  it('are found by their state even if nearly all vectors have the same state according to statistics', async () => {
    const db = await memoryDatabase();
    addCommitted(db, 500);
    expect(planOf(db, UNSETTLED_CHUNKS, { collection: 'c' })).toEqual([
      expect.stringMatching(/^SEARCH embedding_records .*\(status=\? AND collection=\?\)/),
    ]);
    db.exec("UPDATE embedding_records SET status = 'pending' WHERE chunk_id = 'chunk-7'");
    const ledger = new SqliteVectorLedger(new Statements(db), (query) => Promise.resolve(query()));
    expect([...(await ledger.unsettledChunks('c'))]).toEqual(['chunk-7']);
    db.close();
  });
});
