import { describe, expect, it } from 'vitest';
import type { DocumentId } from '../../src/domain/ids.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';
import { sampleWrite } from '../../src/testing/sample-write.ts';

describe('MemoryStore', () => {
  it('commits all of a transaction or nothing', async () => {
    const store = new MemoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    const failing = (): void =>
      writer.transaction((tx) => {
        tx.putDocument(sampleWrite('a.md', 'one\n'));
        expect(store.documentCount()).toBe(0);
        throw new Error('half way');
      });
    expect(failing).toThrow('half way');
    expect([store.documentCount(), store.corpusRevision()]).toEqual([0, 0]);
  });

  it('replaces the version before, and leaves its asset to the sweep', async () => {
    const store = new MemoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    for (const text of ['one\n', 'two\n']) writer.transaction((tx) => tx.putDocument(sampleWrite('a.md', text)));
    expect(store.all().map(({ write }) => write.document.text)).toEqual(['two\n']);
    expect(store.stats()).toMatchObject({ documents: 1, assets: 2 });
    expect(writer.sweepAssets()).toEqual([]);
    expect(store.stats().assets).toBe(1);
  });

  it('grows the revision with what changes a result, and with nothing else', async () => {
    const store = new MemoryStore();
    const writer = await store.openWriter({ waitMs: 0 });
    const { document } = sampleWrite('a.md', 'one\n');
    writer.transaction((tx) => tx.putDocument(sampleWrite('a.md', 'one\n')));
    writer.transaction((tx) => tx.touchDocument(document.docId, new Date(5), null));
    writer.transaction((tx) => tx.deleteDocument('0' as DocumentId));
    expect(store.corpusRevision()).toBe(1);
    expect(store.getDocument(document.docId)?.indexedAt).toEqual(new Date(5));
    writer.transaction((tx) => tx.deleteDocument(document.docId));
    expect(store.corpusRevision()).toBe(2);
  });

  it('has one writer at a time, and none when it is read-only', async () => {
    const store = new MemoryStore();
    const first = await store.openWriter({ waitMs: 0 });
    await expect(store.openWriter({ waitMs: 0 })).rejects.toMatchObject({ code: 'locked' });
    const second = store.openWriter({ waitMs: 5000 });
    first.close();
    await expect(second).resolves.toBeDefined();
    await expect(new MemoryStore({ readonly: true }).openWriter({ waitMs: 0 })).rejects.toMatchObject({
      code: 'readonly_mode',
    });
  });
});
