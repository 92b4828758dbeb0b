import { describe, expect, it } from 'vitest';
import type { DocumentStore, DocumentWrite } from '../../src/contracts/document-store.ts';
import type { LexicalIndex } from '../../src/contracts/lexical-index.ts';
import { fingerprintOf } from '../../src/domain/policy-hash.ts';
import { mintEmbeddingId } from '../../src/domain/minted-ids.ts';
import { collectionName } from '../../src/embedding/open-embedding.ts';
import { VectorRetriever } from '../../src/search/vector-side.ts';
import { declareSuite, MemoryVectorStore, retrieverSuite, sampleWrite } from '@kebab/testing';
import { WordEmbedder } from '../ingest/embedding/word-embedder.ts';
import { openStore } from '../kb/open-store.ts';

/** A knowledge base in which all documents have vectors. */
async function openEmbedded(documents: readonly DocumentWrite[]): Promise<{
  retriever: VectorRetriever;
  lexical: LexicalIndex;
  store: DocumentStore;
  embedder: WordEmbedder;
  vectors: MemoryVectorStore;
}> {
  const embedder = new WordEmbedder('1', ['lighthouse', 'keeper', 'old', 'storm', 'salt']);
  const collection = collectionName(embedder);
  const vectors = new MemoryVectorStore();
  const { store, index: lexical } = await openStore();
  await vectors.ensureCollection(collection, embedder.dimensions);
  const writer = await store.openWriter({ waitMs: 0 });
  await writer.transaction((tx) => {
    for (const document of documents) tx.putDocument(document);
  });
  const { modelId, modelVersion, dimensions } = embedder;
  for (const { document, chunks } of documents)
    for (const { chunkId, text } of chunks) {
      const [vector] = await embedder.embed([{ text, kind: 'document' }]);
      const embeddingId = mintEmbeddingId({ chunkId, modelId, modelVersion, dimensions });
      const model = { modelId, modelVersion, dimensions, fingerprint: fingerprintOf(embedder) };
      await writer.vectors.begin([{ embeddingId, chunkId, ...model, store: vectors.id, collection }], new Date(0));
      await vectors.upsert(collection, [{ embeddingId, chunkId, docId: document.docId, vector: vector! }]);
      await writer.vectors.commit({
        embeddingIds: [embeddingId],
        documents: [document.docId],
        fingerprint: fingerprintOf(embedder),
        at: new Date(0),
      });
    }
  await writer.close();
  embedder.asked.length = 0;
  const retriever = new VectorRetriever({ embedder, vectors, collection, store, lexical });
  return { retriever, lexical, store, embedder, vectors };
}

const suite = retrieverSuite({
  open: async (documents) => {
    const { retriever, lexical } = await openEmbedded(documents);
    return { retriever, analyse: (text) => lexical.analyseQuery(text) };
  },
});

declareSuite(suite, { describe, it });

describe('VectorRetriever', () => {
  const retrieve = async (kb: Awaited<ReturnType<typeof openEmbedded>>, text: string): Promise<readonly string[]> => {
    const found = await kb.retriever.retrieve({ query: kb.lexical.analyseQuery(text), filters: {}, limit: 10 });
    return found.map(({ chunkId }) => chunkId);
  };

  it('does not return pending vectors or tombstones, though the vector store contains them', async () => {
    const salt = sampleWrite('a.md', 'salt\n');
    const storm = sampleWrite('b.md', 'storm\n');
    const kb = await openEmbedded([salt, storm]);
    expect(await retrieve(kb, 'salt')).toHaveLength(2);
    const writer = await kb.store.openWriter({ waitMs: 0 });
    await writer.transaction((tx) => tx.deleteDocument(salt.document.docId));
    expect(await retrieve(kb, 'salt')).toEqual(storm.chunks.map(({ chunkId }) => chunkId));
    await writer.transaction((tx) => tx.putDocument(storm));
    expect(await retrieve(kb, 'salt')).toEqual([]);
    await writer.close();
  });

  it('drops results that were not requested: other chunks, other models, pending ones, duplicates', async () => {
    const salt = sampleWrite('a.md', 'salt\n', { metadata: { tags: ['asked'] } });
    const storm = sampleWrite('b.md', 'storm\n');
    const kb = await openEmbedded([salt, storm]);
    const stored = await kb.vectors.search(collectionName(kb.embedder), {
      vector: new Float32Array(kb.embedder.dimensions).fill(1),
      limit: 2,
      allow: { kind: 'all' },
    });
    const asked = stored.find(({ chunkId }) => chunkId === salt.chunks[0]?.chunkId)!;
    const unasked = stored.find(({ chunkId }) => chunkId !== asked.chunkId)!;
    const answers = [
      { ...unasked, score: 1 },
      { ...asked, embeddingId: unasked.embeddingId, score: 0.9 },
      asked,
      asked,
    ];
    kb.vectors.search = async () => answers;
    const query = kb.lexical.analyseQuery('salt');
    const found = await kb.retriever.retrieve({ query, filters: { tag: ['asked'] }, limit: 10 });
    expect(found).toEqual([{ chunkId: asked.chunkId, score: asked.score, rank: 1 }]);
    const required = kb.lexical.analyseQuery('salt -storm');
    expect(await kb.retriever.retrieve({ query: required, filters: {}, limit: 10 })).toEqual(found);
  });

  it('embeds a query once for its ranking and its scale, without its exclusions and quote marks', async () => {
    const kb = await openEmbedded([sampleWrite('a.md', 'old salt\n')]);
    const query = kb.lexical.analyseQuery('"old salt" -storm');
    await kb.retriever.retrieve({ query, filters: {}, limit: 10 });
    await kb.retriever.scaleOf(query);
    expect(kb.embedder.asked).toEqual(['old salt']);
  });

  it('finds nothing for a query without a vector', async () => {
    const kb = await openEmbedded([sampleWrite('a.md', 'salt\n')]);
    kb.embedder.distort = () => null;
    expect(await retrieve(kb, 'anything')).toEqual([]);
  });
});
