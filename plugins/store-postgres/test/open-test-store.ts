import { PostgresDocumentStore } from '../src/documents/postgres-document-store.ts';
import { NO_WORDS } from '../src/lexical/posted-words.ts';
import { testDatabase, type TestDatabase } from './with-postgres.ts';

/** A store on a knowledge base of its own, which `close` removes. */
export interface TestStore extends TestDatabase {
  readonly store: PostgresDocumentStore;
  /** Opens the same knowledge base for reading. */
  readonly reader: () => Promise<PostgresDocumentStore>;
}

/** Makes a store without documents. */
export async function testStore(): Promise<TestStore> {
  const made = await testDatabase();
  return {
    ...made,
    store: new PostgresDocumentStore(made.database, NO_WORDS),
    reader: async () => new PostgresDocumentStore(await made.again({ readonly: true }), NO_WORDS),
  };
}
