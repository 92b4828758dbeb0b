import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchableWrite, type SearchableDocument } from '@kebab/testing';
import type { Database } from 'better-sqlite3';
import { openDatabase } from '../../src/database/open-database.ts';
import { SqliteDocumentStore } from '../../src/documents/sqlite-document-store.ts';
import { SqliteLexicalIndex } from '../../src/lexical/sqlite-lexical-index.ts';

/** A knowledge base in a temporary folder, with a second connection to search it. */
export interface LexicalDatabase {
  readonly store: SqliteDocumentStore;
  readonly reader: Database;
  readonly index: SqliteLexicalIndex;
  commit(documents: readonly SearchableDocument[]): Promise<void>;
  close(): void;
}

/** Creates an empty knowledge base. */
export async function openLexicalDatabase(): Promise<LexicalDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'kebab-lexical-'));
  const file = join(folder, 'kebab.sqlite');
  const now = (): Date => new Date(0);
  const store = new SqliteDocumentStore(await openDatabase({ file, readonly: false, now }), {
    location: file,
    lockFile: join(folder, 'kebab.lock'),
    embeddingCache: null,
  });
  const reader = await openDatabase({ file, readonly: true, now });
  const index = new SqliteLexicalIndex(reader);
  return {
    store,
    reader,
    index,
    commit: async (documents) => {
      const writer = await store.openWriter({ waitMs: 0 });
      await writer.transaction((tx) => {
        for (const document of documents)
          tx.putDocument(searchableWrite(document, (material) => index.analyseChunk(material)));
      });
      await writer.close();
    },
    close: () => {
      reader.close();
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
