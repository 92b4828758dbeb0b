import { sampleWrite } from '@kebab/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { ThreadedGroups } from '../../src/documents/document-groups.ts';
import { fileDatabase, fileStore, memoryStore } from '../open-test-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folders: { remove(): void }[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function newFile(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder.file('kebab.sqlite');
}

const TABLES = [
  'assets',
  'documents',
  'document_texts',
  'document_blocks',
  'document_tags',
  'chunks',
  'full_text',
  'kv',
];

/** The contents of the database, except for the id of the knowledge base, which is unique. */
async function rowsIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  const db = await fileDatabase(file);
  db.exec("CREATE VIRTUAL TABLE temp.full_text USING fts5vocab('main', 'chunks_fts', 'instance')");
  const rows = TABLES.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()] as const);
  db.close();
  const ofBase = (row: unknown): boolean => (row as { readonly key?: string }).key === 'knowledge_base';
  return Object.fromEntries(rows.map(([table, all]) => [table, all.filter((row) => !ofBase(row))]));
}

const TEXTS = [
  '# Alpha\n\nparseHTTPUrl and 한국은\n\n- one\n- two',
  '# Beta\n\n> a quote\n\n```rust\nfn main() {}\n```',
  '',
  'Γάμμα',
];
const WRITES = TEXTS.map((text, n) => sampleWrite(`notes/${n}.md`, text));
/** A newer version of the second document, which replaces it. */
const AGAIN = sampleWrite('notes/1.md', '# Beta\n\nshorter');

describe('ThreadedGroups', () => {
  it('commits the same rows as the writer', async () => {
    const [here, beside] = [newFile(), newFile()];
    for (const [file, isBeside] of [
      [here, false],
      [beside, true],
    ] as const) {
      const store = await fileStore(file);
      const writer = await store.openWriter({ waitMs: 0 });
      const groups = new ThreadedGroups(file);
      for (const group of [WRITES, [AGAIN]]) {
        const documents = group.map((write) => writer.prepare(write));
        if (isBeside) expect(await groups.put(documents)).toBe(true);
        else writer.transaction((tx) => documents.forEach((document) => tx.putDocument(document)));
      }
      await groups.close();
      expect(await store.checkIntegrity()).toEqual([]);
      writer.close();
      store.close();
    }
    expect(await rowsIn(beside)).toEqual(await rowsIn(here));
  });

  it('rolls back a group that cannot be written completely, and writes the next', async () => {
    const file = newFile();
    const store = await fileStore(file);
    const writer = await store.openWriter({ waitMs: 0 });
    const groups = new ThreadedGroups(file);
    const [first, second] = WRITES.map((write) => writer.prepare(write));
    if (first === undefined || second === undefined) throw new Error('there are two');
    const unwritable = { ...first, prepared: { ...(first.prepared as object), document: {} } };
    expect(await groups.put([second, unwritable])).toBe(false);
    expect(await store.documentCount()).toBe(0);
    expect(await groups.put([second])).toBe(true);
    expect(await store.documentCount()).toBe(1);
    await groups.close();
    writer.close();
    store.close();
  });

  it('reports groups as not committed if its thread cannot open the database', async () => {
    const store = await fileStore(newFile());
    const writer = await store.openWriter({ waitMs: 0 });
    const folder = temporaryFolder();
    folders.push(folder);
    const groups = new ThreadedGroups(folder.file('.')); // a folder is not a database
    const documents = WRITES.map((write) => writer.prepare(write));
    expect(await groups.put(documents)).toBe(false);
    expect(await groups.put(documents)).toBe(false);
    await groups.close();
    writer.close();
    store.close();
  });

  it('is not used for a database in memory, which no other thread can open', async () => {
    const { store } = await memoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    expect(writer.openGroups?.()).toBeNull();
    writer.close();
    store.close();
  });
});
