import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isKebabError, type CanonicalDocument } from '@kebab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteDocumentStore } from '../../src/documents/sqlite-document-store.ts';
import { SqliteLexicalIndex } from '../../src/lexical/sqlite-lexical-index.ts';
import { fileDatabase } from '../open-test-store.ts';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts';

/** A database of version 4 after an ingest of three files, and the results of that version. */
const packed = readFileSync(new URL('../fixtures/version-4.sqlite.gz', import.meta.url));
const answers = JSON.parse(
  readFileSync(new URL('../fixtures/version-4.json', import.meta.url), 'utf8'),
  (key, value: unknown) => (/^(?:at|createdAt|updatedAt)$/.test(key) ? new Date(String(value)) : value),
) as {
  readonly documents: readonly { readonly document: CanonicalDocument; readonly chunks: readonly object[] }[];
  readonly hits: Readonly<Record<string, readonly { readonly chunkId: string; readonly score: number }[]>>;
};

let folder: TemporaryFolder;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('kebab.sqlite');
  writeFileSync(file, gunzipSync(packed));
});
afterEach(() => folder.remove());

describe('a database of version 4', () => {
  it('gives the same results after migration to the newest version', async () => {
    const db = await fileDatabase(file);
    const store = new SqliteDocumentStore(db, { location: file, lockFile: null, embeddingCache: null });
    const index = new SqliteLexicalIndex(db);
    expect(await store.checkIntegrity()).toEqual([]);
    for (const { document, chunks } of answers.documents) {
      expect(await store.getCanonicalDocument(document.docId)).toEqual(document);
      expect(await store.listChunks(document.docId)).toEqual(chunks);
    }
    for (const [query, hits] of Object.entries(answers.hits))
      expect(await index.search(index.analyseQuery(query), {}, 10)).toEqual(hits);
    store.close();
  });

  it('is not migrated by a reader, which names the command that does it', async () => {
    copyFileSync(file, folder.file('before'));
    const failure = await fileDatabase(file, true).catch((error: unknown) => error);
    expect(isKebabError(failure, 'not_indexed') && [failure.details, failure.hint]).toEqual([
      { expected: 'schema 13', found: 'schema 4' },
      'bring it up to date with `kebab ingest`: what is indexed stays',
    ]);
    expect(readFileSync(file)).toEqual(readFileSync(folder.file('before')));
  });
});
