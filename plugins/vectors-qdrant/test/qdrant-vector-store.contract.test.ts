import type { VectorStore } from '@kebab/core';
import { declareSuite, vectorStoreSuite, type OpenVectorStore } from '@kebab/testing';
import { describe, it } from 'vitest';
import type { QdrantConfig } from '../src/qdrant-config.ts';
import { QdrantConnection } from '../src/qdrant-connection.ts';
import { QdrantVectorStore } from '../src/qdrant-vector-store.ts';
import { startFakeQdrant } from './fake-qdrant.ts';

const config = (url: string, collectionPrefix: string): QdrantConfig => ({
  url,
  apiKey: process.env['KEBAB_TEST_QDRANT_API_KEY'] ?? '',
  collectionPrefix,
  onDisk: false,
  quantization: 'none',
  timeoutMs: 30_000,
});

const connect = async (url: string, prefix: string): Promise<VectorStore> => {
  const own = config(url, prefix);
  return new QdrantVectorStore(await QdrantConnection.open(own), own, async () => '0'.repeat(32));
};

async function openOnDouble(): Promise<OpenVectorStore> {
  let server = await startFakeQdrant();
  const { port } = server;
  const another = (): Promise<VectorStore> => connect(server.url, 'suite');
  return {
    store: await another(),
    another,
    destroy: () => server.close(),
    reopen: another,
    rebuild: async () => {
      server = await startFakeQdrant({ port });
      return another();
    },
    close: () => server.close(),
  };
}

const realUrl = process.env['KEBAB_TEST_QDRANT_URL'];
let opened = 0;

/** A real server cannot be switched off; to simulate failure, its address is replaced. */
async function openOnServer(url: string): Promise<OpenVectorStore> {
  const prefix = `kebab_test_${process.pid}_${++opened}`;
  const store = await connect(url, prefix);
  const clean = async (): Promise<void> => {
    for (const name of await store.listCollections()) await store.dropCollection(name);
  };
  return {
    store,
    another: () => connect(url, prefix),
    destroy: clean,
    reopen: () => connect(url, prefix),
    rebuild: () => connect(url, prefix),
    close: clean,
  };
}

describe('on the double', () => {
  declareSuite(vectorStoreSuite({ open: openOnDouble }), { describe, it });
});

describe.skipIf(realUrl === undefined)('on the server of KEBAB_TEST_QDRANT_URL (skipped when it is not set)', () => {
  declareSuite(vectorStoreSuite({ open: () => openOnServer(realUrl ?? '') }), { describe, it });
});
