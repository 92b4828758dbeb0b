import { describe, expect, it } from 'vitest';
import type { DocumentStore, DocumentWriter } from '../../../src/contracts/document-store.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import { CommitBatch } from '../../../src/ingest/run/process-files.ts';
import { sampleWrite } from '@kebab/testing';
import { openStore } from '../../kb/open-store.ts';
import { changed } from '../../changed.ts';

/** A writer that counts its transactions. */
async function counting(): Promise<{ writer: DocumentWriter; store: DocumentStore; transactions: () => number }> {
  const { store } = await openStore();
  const writer = await store.openWriter({ waitMs: 0 });
  let count = 0;
  const transaction: DocumentWriter['transaction'] = (change) => {
    count++;
    return writer.transaction(change);
  };
  return { writer: changed(writer, { transaction }), store, transactions: () => count };
}

describe('CommitBatch', () => {
  it('writes several documents in one transaction, and reports each when it is committed', async () => {
    const { writer, store, transactions } = await counting();
    const batch = new CommitBatch({ store, writer });
    const done: string[] = [];
    for (const path of ['a.md', 'b.md', 'c.md']) await batch.add(sampleWrite(path, `# ${path}`), () => done.push(path));
    expect([transactions(), done]).toEqual([0, []]);
    await batch.flush();
    expect([transactions(), done, await store.documentCount()]).toEqual([1, ['a.md', 'b.md', 'c.md'], 3]);
    await batch.flush();
    expect(transactions()).toBe(1);
  });

  it('commits a group that reaches its size limit without waiting for a flush', async () => {
    const { writer, store, transactions } = await counting();
    const batch = new CommitBatch({ store, writer });
    const large = `${'word '.repeat(30_000)}\n`;
    for (let i = 0; i < 60; i++) await batch.add(sampleWrite(`${i}.md`, large), () => {});
    expect(transactions()).toBeGreaterThan(1);
  });

  it('collects the next group while a server commits one, and throws what ended that at the next call', async () => {
    const { writer, store } = await counting();
    let answer: (error: KebabError | null) => void = () => {};
    const transaction: DocumentWriter['transaction'] = async (change) => {
      const error = await new Promise<KebabError | null>((resolve) => (answer = resolve));
      if (error !== null) throw error;
      return writer.transaction(change);
    };
    const batch = new CommitBatch({ store, writer: changed(writer, { transaction }) });
    const large = `${'word '.repeat(400_000)}\n`;
    const done: string[] = [];
    for (const path of ['a.md', 'b.md', 'c.md', 'd.md'])
      await batch.add(sampleWrite(path, path < 'c' ? large : '# c'), () => done.push(path));
    expect(done).toEqual([]);
    answer(null);
    await expect.poll(() => done).toEqual(['a.md', 'b.md']);
    expect(await store.documentCount()).toBe(2);
    const flushed = batch.flush();
    await new Promise(setImmediate);
    answer(new KebabError('io_error', 'the server is gone', { details: { kind: 'EPIPE', path: null, cause: '' } }));
    await expect(flushed).rejects.toMatchObject({ code: 'io_error' });
    expect(done).toHaveLength(2);
  });

  it('fails only the document that cannot be encoded', async () => {
    const { writer, store } = await counting();
    const outcomes: (KebabError | null)[] = [];
    const batch = new CommitBatch({ store, writer });
    const broken = { ...sampleWrite('b.md', '# b'), index: [] };
    for (const write of [sampleWrite('a.md', '# a'), broken])
      await batch.add(write, (failure) => outcomes.push(failure));
    await batch.flush();
    expect(outcomes.map((failure) => failure?.code ?? 'written')).toEqual(['generic', 'written']);
    expect(await store.documentCount()).toBe(1);
  });
});
