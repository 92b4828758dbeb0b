import { searchableWrite } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import {
  agreementOf,
  documentsOf,
  judgedSets,
  queriesOf,
} from '../../../store-sqlite/test/lexical/judged-agreement.ts';
import { openLexicalDatabase } from '../../../store-sqlite/test/lexical/open-lexical-database.ts';
import { PostgresDocumentStore } from '../../src/documents/postgres-document-store.ts';
import { postgresLexicalIndex } from '../../src/lexical/postgres-word-engine.ts';
import { POSTED_WORDS } from '../../src/lexical/posted-words.ts';
import { POSTGRES_MISSING, withPostgres } from '../with-postgres.ts';

const isSkipped = POSTGRES_MISSING || judgedSets.length === 0;

describe.skipIf(isSkipped)('hits of words on PostgreSQL (skipped without a server or the judged sets)', () => {
  it.each(judgedSets)(
    'are those of the SQLite index for the queries of %s',
    async (set) => {
      await withPostgres(async ({ database }) => {
        const sqlite = await openLexicalDatabase();
        const documents = documentsOf(set);
        await sqlite.commit(documents);
        const store = new PostgresDocumentStore(database, POSTED_WORDS);
        const index = postgresLexicalIndex(database);
        const writer = await store.openWriter({ waitMs: 0 });
        for (let from = 0; from < documents.length; from += 200)
          await writer.transaction((tx) => {
            for (const one of documents.slice(from, from + 200))
              tx.putDocument(searchableWrite(one, (material) => index.analyseChunk(material)));
          });
        await writer.close();
        const { first, topTen, order } = await agreementOf(index, sqlite.index, queriesOf(set));
        process.stdout.write(`${set}: first hit ${first}, top ten ${topTen}, in order ${order}\n`);
        sqlite.close();
        expect(first).toBeGreaterThanOrEqual(0.97);
        expect(topTen).toBeGreaterThanOrEqual(0.95);
      });
    },
    600_000,
  );
});
