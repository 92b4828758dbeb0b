import { PostedLexicalIndex } from '@kebab/core/store';
import type { PostgresDatabase } from '../database/open-database.ts';
import { chunksWithDocuments } from '../documents/document-queries.ts';
import { PostgresWordEngine } from './postgres-word-engine.ts';

/** The lexical index in the tables of a knowledge base. */
export function postgresLexicalIndex(database: PostgresDatabase): PostedLexicalIndex {
  return new PostedLexicalIndex({
    id: 'postgres',
    version: '1.0.0',
    engine: new PostgresWordEngine(database),
    documents: async () => ({ getChunks: (ids) => database.reads.read((tx) => chunksWithDocuments(tx, ids)) }),
  });
}
