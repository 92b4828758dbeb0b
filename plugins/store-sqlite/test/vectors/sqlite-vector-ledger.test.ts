import { describe, expect, it } from 'vitest';
import type { Database } from 'better-sqlite3';
import type { DocumentId } from '@kebab/core';
import { SqlVectorLedger } from '@kebab/store-kit';
import { sqliteEngine } from '../../src/database/engine.ts';
import { memoryDatabase } from '../open-test-store.ts';

/** Adds committed vectors, and the statistics that an ingest leaves. */
function addCommitted(db: Database, count: number): void {
  const add = db.prepare(
    `INSERT INTO embedding_records VALUES (@id, @id, 'm', '1', 8, 'f', 's', 'c', @status, '', NULL)`,
  );
  for (let i = 0; i < count; i++) add.run({ id: `chunk-${i}`, status: 'committed' });
  db.exec('ANALYZE');
}

/** The plans of the statements that a ledger runs. */
async function plansOf(db: Database, run: (ledger: SqlVectorLedger) => Promise<unknown>): Promise<readonly string[]> {
  const statements: string[] = [];
  const watched = new Proxy(db, {
    get: (target, name) => {
      if (name !== 'prepare') return Reflect.get(target, name) as unknown;
      return (sql: string) => {
        statements.push(sql);
        return target.prepare(sql);
      };
    },
  });
  await run(ledgerOf(watched));
  return statements.flatMap((sql) => {
    const explain = db.prepare(`EXPLAIN QUERY PLAN ${sql}`);
    const unbound = Array.from(sql.matchAll(/\?/g), () => 'any');
    return explain.all(...unbound, { collection: 'c', doc_id: 'd' }).map((row) => (row as { detail: string }).detail);
  });
}

function ledgerOf(db: Database): SqlVectorLedger {
  return new SqlVectorLedger(sqliteEngine(db, ':memory:'));
}

describe('the committed chunks of a document', () => {
  it('are looked up chunk by chunk, with and without statistics, never by scanning all vectors of a collection', async () => {
    const db = await memoryDatabase();
    const plan = (): Promise<readonly string[]> =>
      plansOf(db, (ledger) => ledger.committedChunks('c', 'd' as DocumentId));
    const expected = [
      expect.stringMatching(/^SEARCH d .*\(doc_id=\?\)/),
      expect.stringMatching(/^SEARCH c .*\(rowid>\? AND rowid<\?\)/),
      expect.stringMatching(/^SEARCH e .*\(chunk_id=\?\)/),
    ];
    expect(await plan()).toEqual(expected);
    db.exec('ANALYZE');
    expect(await plan()).toEqual(expected);
    db.close();
  });
});

describe('the unsettled vectors of a collection', () => {
  it('are found by their state even if nearly all vectors have the same state according to statistics', async () => {
    const db = await memoryDatabase();
    addCommitted(db, 500);
    expect(await plansOf(db, (ledger) => ledger.unsettledChunks('c'))).toEqual([
      expect.stringMatching(/^SEARCH embedding_records .*\(status=\? AND collection=\?\)/),
    ]);
    db.exec("UPDATE embedding_records SET status = 'pending' WHERE chunk_id = 'chunk-7'");
    expect([...(await ledgerOf(db).unsettledChunks('c'))]).toEqual(['chunk-7']);
    db.close();
  });
});
