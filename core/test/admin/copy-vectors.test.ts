import { componentPorts, type Ports } from '../../src/ports.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyVectors, dropCollections } from '../../src/admin/copy-vectors.ts';
import type { VectorPayload, VectorRecord } from '../../src/contracts/vector-store.ts';
import { mintEmbeddingId } from '../../src/domain/minted-ids.ts';
import { FakeComponents } from '../fake-components.ts';
import { MemoryVectorStore, sampleWrite } from '@kebab/testing';
import { VectorsCopiedSchema } from '../../src/wire/admin.ts';
import { openStore } from '../kb/open-store.ts';

const NAME = 'chunk_embeddings_sample_2_0123456789ab';
const MODEL = { modelId: 'sample', modelVersion: 'v1', dimensions: 2 };

/** A store with `count` chunks in one document, and their vectors in the vector store `local`. */
async function filled(count: number): Promise<{ ports: ReturnType<typeof componentPorts>; qdrant: MemoryVectorStore }> {
  const { store } = await openStore();
  onTestFinished(() => store.close());
  const text = Array.from({ length: count }, (_, i) => `word ${i}\n`).join('\n');
  const write = sampleWrite('notes/a.md', text, { lang: 'en' });
  const local = new MemoryVectorStore();
  const qdrant = new MemoryVectorStore();
  await local.ensureCollection(NAME, 2);
  const writer = await store.openWriter({ waitMs: 0 });
  await writer.transaction((tx) => tx.putDocument(write));
  const records = write.chunks.map(({ chunkId }, i): VectorRecord => {
    const vector = Float32Array.from([Math.cos(i), Math.sin(i)]);
    return { embeddingId: mintEmbeddingId({ chunkId, ...MODEL }), chunkId, docId: write.document.docId, vector };
  });
  const place = { fingerprint: 'sample@1', store: 'local', collection: NAME };
  await writer.vectors.begin(
    records.map(({ embeddingId, chunkId }) => ({ embeddingId, chunkId, ...MODEL, ...place })),
    new Date(0),
  );
  await local.upsert(NAME, records);
  await writer.close();
  const components = new FakeComponents({ document_store: { sqlite: store }, vector_store: { local, qdrant } });
  return { ports: componentPorts(components), qdrant };
}

describe('copyVectors', () => {
  it('copies every vector exactly, with the document fields for filters', async () => {
    const { ports, qdrant } = await filled(300);
    const copied = await copyVectors(ports, { from: 'local', to: 'qdrant' });
    expect(VectorsCopiedSchema.parse(copied)).toMatchObject({ collections: [{ collection: NAME, vectors: 300 }] });
    const records: VectorRecord[] = [];
    for await (const record of qdrant.records(NAME)) records.push(record);
    expect(records).toHaveLength(300);
    const payload: Partial<VectorPayload> = { lang: 'en', workspacePath: 'notes/a.md', media: 'markdown' };
    for (const record of records) expect(record.payload).toMatchObject(payload);
  });

  it('changes nothing when repeated', async () => {
    const { ports, qdrant } = await filled(3);
    await copyVectors(ports, { from: 'local', to: 'qdrant' });
    await copyVectors(ports, { from: 'local', to: 'qdrant' });
    expect(await qdrant.count(NAME)).toBe(3);
  });

  it('rejects copying a store to itself, and an unknown one', async () => {
    const { ports } = await filled(1);
    await expect(copyVectors(ports, { from: 'local', to: 'local' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(copyVectors(ports, { from: 'local', to: 'lokal' })).rejects.toMatchObject({
      code: 'config_invalid',
    });
  });

  it('stops when it is cancelled', async () => {
    const { ports, qdrant } = await filled(600);
    const stop = new AbortController();
    const upsert = qdrant.upsert.bind(qdrant);
    qdrant.upsert = (...args) => upsert(...args).finally(() => stop.abort());
    const run = copyVectors(ports, { from: 'local', to: 'qdrant' }, { signal: stop.signal });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(await qdrant.count(NAME)).toBe(256);
  });
});

describe('dropCollections', () => {
  const local = { id: 'local', plugin: 'p', policy: {} };
  const vectorStores = {
    names: () => [local],
    get: () => Promise.reject(new Error('database or disk is full')),
  } as unknown as Pick<Ports, 'vectorStores'>['vectorStores'];
  const config = { storage: { vectorStore: 'local' } } as Pick<Ports, 'config'>['config'];

  it('writes nothing into a database that is removed, so that a reset works on a full disk', async () => {
    await expect(dropCollections({ vectorStores, config }, { keepsDatabase: true })).rejects.toThrow(/full/);
    await expect(dropCollections({ vectorStores, config }, { keepsDatabase: false })).resolves.toBeUndefined();
  });
});
