import { analyseChunk } from '@kebab/core';
import { type DocumentTransaction, type DocumentWrite } from '@kebab/core/store';
import { sampleWrite } from '@kebab/testing';
import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SqliteDocumentStore } from '../../src/documents/sqlite-document-store.ts';
import { memoryStore } from '../open-test-store.ts';

const WORDS = ['apple', 'pear', 'plum', 'cherry', '한국', 'parseHTTPUrl', 'snake_case', 'the'];

type Edit =
  | { readonly kind: 'put'; readonly path: number; readonly words: readonly (readonly string[])[] }
  | { readonly kind: 'delete'; readonly path: number };

const path = fc.nat({ max: 5 });
const paragraph = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('put' as const), path, words: fc.array(paragraph, { maxLength: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), path }) },
);
const transactions = fc.array(fc.record({ edits: fc.array(edit, { maxLength: 5 }), isUndone: fc.boolean() }), {
  maxLength: 6,
});

function writeOf({ path: number, words }: Extract<Edit, { kind: 'put' }>): DocumentWrite {
  return sampleWrite(`${number}.md`, words.map((line) => line.join(' ')).join('\n\n'));
}

function perform(tx: DocumentTransaction, edits: readonly Edit[], state: Map<number, DocumentWrite>): void {
  for (const one of edits) {
    if (one.kind === 'put') {
      tx.putDocument(writeOf(one));
      state.set(one.path, writeOf(one));
      continue;
    }
    const known = state.get(one.path);
    if (known !== undefined) tx.deleteDocument(known.document.docId);
    state.delete(one.path);
  }
}

/** A second index over the same rows, built only from what is stored. */
async function rebuild(db: Database, store: SqliteDocumentStore): Promise<void> {
  const sql = String(db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'").pluck().get());
  db.exec(`DROP TABLE IF EXISTS rebuilt; ${sql.replace('chunks_fts', 'rebuilt')}`);
  const insert = db.prepare('INSERT INTO rebuilt(rowid, text, heading, symbol, cjk) VALUES (?, ?, ?, ?, ?)');
  const rows = db
    .prepare('SELECT c.seq, d.doc_id, c.ordinal FROM chunks c JOIN documents d ON d.seq = c.doc_seq')
    .all();
  for (const { seq, doc_id, ordinal } of rows as readonly {
    seq: number;
    doc_id: DocumentWrite['document']['docId'];
    ordinal: number;
  }[]) {
    const [document] = await store.getDocuments([doc_id]);
    for (const chunk of await store.listChunks(doc_id, ordinal, ordinal + 1)) {
      const { text, heading, symbol, cjk } = analyseChunk({
        text: chunk.text,
        title: document?.title ?? '',
        headingPath: chunk.headingPath,
        workspacePath: document?.workspacePath ?? '',
        symbol: null,
        extra: [],
        prefix: null,
      });
      insert.run(seq, text, heading, symbol, cjk);
    }
  }
}

function ranking(db: Database, table: string, word: string): unknown {
  return db.prepare(`SELECT rowid, bm25(${table}) AS score FROM ${table}(?) ORDER BY score, rowid`).all(`"${word}"`);
}

describe('full text after random edits', () => {
  it('has one row per chunk, and ranks like a new index', async () => {
    await fc.assert(
      fc.asyncProperty(transactions, async (given) => {
        const { store, db } = await memoryStore();
        let state = new Map<number, DocumentWrite>();
        const writer = await store.openWriter({ waitMs: 0 });
        for (const { edits, isUndone } of given) {
          const next = new Map(state);
          const commit = (): Promise<void> =>
            writer.transaction((tx) => {
              perform(tx, edits, next);
              if (isUndone) throw new Error('undone');
            });
          if (isUndone) await expect(commit()).rejects.toThrow('undone');
          else {
            await commit();
            state = next;
          }
        }
        await writer.close();
        expect(await store.checkIntegrity()).toEqual([]);
        expect(await store.documentCount()).toBe(state.size);
        await rebuild(db, store);
        for (const word of ['appl', 'pear', 'plum', 'pars', 'snak', '한국'])
          expect(ranking(db, 'chunks_fts', word)).toEqual(ranking(db, 'rebuilt', word));
        store.close();
      }),
      { numRuns: 60 },
    );
  });
});
