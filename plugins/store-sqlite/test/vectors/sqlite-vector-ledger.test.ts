import { describe, expect, it } from 'vitest';
import { COMMITTED_CHUNKS } from '../../src/vectors/sqlite-vector-ledger.ts';
import { memoryDatabase } from '../open-test-store.ts';

describe('the committed chunks of a document', () => {
  it('are looked up chunk by chunk, with statistics and without: never through all vectors of a collection', async () => {
    const db = await memoryDatabase();
    const plan = (): readonly string[] =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${COMMITTED_CHUNKS}`)
        .all({ collection: 'c', doc_id: 'd' })
        .map((row) => (row as { readonly detail: string }).detail);
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
