import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DocumentStore } from '../../src/contracts/document-store.ts';
import { allDocuments, openStore, sweepCopies } from '../../src/documents/open-store.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { sampleWrite } from '@kebab/testing';
import { storeOf } from '../kb/open-store.ts';

describe('a store opened for reading', () => {
  const failing = (found: string) => ({
    read: () => Promise.reject(new KebabError('not_indexed', 'not this', { details: { expected: 'schema 4', found } })),
  });

  it('is null where there is no database', async () => {
    expect(await openStore(failing('no file'))).toBeNull();
    expect(await openStore(failing('no schema'))).toBeNull();
  });

  it('throws for a database of another schema version', async () => {
    await expect(openStore(failing('schema 99'))).rejects.toMatchObject({ code: 'not_indexed' });
  });
});

describe('allDocuments', () => {
  /** More than two pages. */
  const writes = Array.from({ length: 1003 }, (_, i) => sampleWrite(`${String(i).padStart(4, '0')}.md`, 'x\n'));
  const paths = writes.map(({ document }) => document.workspacePath);

  const pathsOf = async (
    store: Pick<DocumentStore, 'listDocuments' | 'documentsAfter'>,
  ): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { workspacePath } of allDocuments(store)) found.push(workspacePath);
    return found;
  };

  it('yields documents in order, even from a store that only supports offsets', async () => {
    const store = await storeOf(...writes);
    expect(await pathsOf(store)).toEqual(paths);
    expect(await pathsOf({ listDocuments: (filters, page) => store.listDocuments(filters, page) })).toEqual(paths);
  });

  it('skips none when others are deleted during the iteration', async () => {
    const store = await storeOf(...writes);
    const found: string[] = [];
    for await (const { workspacePath } of allDocuments(store)) {
      found.push(workspacePath);
      if (found.length !== 10) continue;
      const writer = await store.openWriter({ waitMs: 0 });
      await writer.transaction((tx) => {
        for (const { document } of writes.slice(0, 5)) tx.deleteDocument(document.docId);
      });
      await writer.close();
    }
    expect(found).toEqual(paths);
  });
});

it('sweepCopies removes unreferenced copies, and no file that is elsewhere', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'kebab-copies-'));
  try {
    const assetDir = path.join(root, 'assets');
    mkdirSync(path.join(assetDir, 'ab'), { recursive: true });
    const [copy, other] = [path.join(assetDir, 'ab/copy'), path.join(root, 'notes.md')];
    for (const file of [copy, other]) writeFileSync(file, 'x');
    const paths = [copy, other, `${assetDir}/../notes.md`, path.join(assetDir, 'gone')];
    await sweepCopies({ sweepAssets: async () => paths }, assetDir);
    expect([existsSync(copy), existsSync(other)]).toEqual([false, true]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
