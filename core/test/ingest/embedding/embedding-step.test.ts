import { describe, expect, it } from 'vitest';
import { collectionName } from '../../../src/embedding/open-embedding.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import { MemoryVectorStore } from '@kebab/testing';
import type { Embedder } from '../../../src/contracts/embedder.ts';
import type { VectorRecord, VectorStore } from '../../../src/contracts/vector-store.ts';
import { ingestFolder } from '../../../src/ingest/ingest-folder.ts';
import { changed as replaced } from '../../changed.ts';
import { worldsForTests } from '../ingest-world.ts';
import { WordEmbedder } from './word-embedder.ts';

const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'words', KEBAB_STORAGE_VECTOR_STORE: 'memory' };
const open = worldsForTests();

/** A workspace whose documents are embedded. */
async function openWorld(files: Readonly<Record<string, string>>, embedder = new WordEmbedder()) {
  const vectors: VectorStore = new MemoryVectorStore();
  const contributions = { embedder: { words: embedder }, vector_store: { memory: vectors } };
  return { world: await open({ files, env, contributions }), embedder, vectors };
}

async function idsIn(vectors: VectorStore, collection: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const id of vectors.listIds(collection)) ids.push(id);
  return ids.toSorted();
}

describe('the embedding step', () => {
  it('gives every chunk a committed vector, and reports how many', async () => {
    const { world, embedder, vectors } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'water\nfire\n' });
    const report = await world.ingest();
    expect(report).toMatchObject({ new: 2, embeddings_pending: 0, degraded: [] });
    const collection = collectionName(embedder);
    const [count] = await world.store.vectors.collections();
    expect(count).toMatchObject({ collection, pending: 0, tombstones: 0 });
    expect(await vectors.count(collection)).toBe(count?.committed);
    expect((await world.store.stats()).chunks).toBe(count?.committed);
    const last = world.events.at(-1);
    expect(last).toMatchObject({ kind: 'completed', counts: { embeddings_indexed: count?.committed } });
    const batches = world.events.filter(({ kind }) => kind.startsWith('embed_batch'));
    expect(batches.map(({ kind }) => kind)).toEqual(['embed_batch_started', 'embed_batch_finished']);
  });

  it('embeds nothing again when nothing has changed, and keeps the corpus revision', async () => {
    const { world, embedder } = await openWorld({ 'a.md': 'salt\n' });
    await world.ingest();
    const { length } = embedder.asked;
    const revision = await world.store.corpusRevision();
    expect(await world.ingest()).toMatchObject({ unchanged: 1, embeddings_pending: 0 });
    expect(embedder.asked).toHaveLength(length);
    expect(await world.store.corpusRevision()).toBe(revision);
  });

  it('takes the vectors of a renamed folder from the cache', async () => {
    const { world, embedder, vectors } = await openWorld({
      'old/a.md': 'salt\n',
      'old/b.md': 'water\n',
      'c.md': 'c\n',
    });
    await world.ingest();
    embedder.asked.length = 0;
    world.drop('old/a.md');
    world.drop('old/b.md');
    world.put({ 'new/a.md': 'salt\n', 'new/b.md': 'water\n' });
    expect(await world.ingest({ allowMassDelete: true })).toMatchObject({ new: 2, purged: 2, embeddings_pending: 0 });
    expect(embedder.asked).toEqual([]);
    expect(await world.store.vectors.collections()).toMatchObject([{ tombstones: 0, pending: 0 }]);
    expect(await vectors.count(collectionName(embedder))).toBe((await world.store.stats()).chunks);
  });

  it('commits documents although the embedder fails, reports it, and completes them in the next run', async () => {
    const { world, embedder } = await openWorld({ 'a.md': 'salt\n' });
    embedder.onCall = () => {
      throw new KebabError('model_unreachable', 'the server is down', {
        details: { endpoint: 'http://127.0.0.1:1', model: 'words', cause: 'ECONNREFUSED' },
        hint: 'start it',
      });
    };
    expect(await world.ingest()).toMatchObject({
      new: 1,
      errors: 0,
      embeddings_pending: 1,
      degraded: [
        {
          stage: 'vector',
          reason: 'model_unreachable',
          hint: 'start it',
        },
      ],
    });
    embedder.onCall = () => {};
    expect(await world.ingest()).toMatchObject({ updated: 1, embeddings_pending: 0, degraded: [] });
  });

  it.each<[string, (vector: Float32Array) => unknown]>([
    ['zeros', (vector) => vector.map(() => 0)],
    ['infinities', (vector) => vector.map(() => Infinity)],
    ['NaN', (vector) => vector.map(() => Number.NaN)],
    ['too few numbers', (vector) => vector.slice(1)],
    ['texts', (vector) => [...vector].map(String)],
    ['nothing, for a text with words', () => null],
  ])('keeps documents pending and caches nothing while an embedder returns %s', async (_, bad) => {
    const { world, embedder } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'fire\n' });
    embedder.distort = bad as WordEmbedder['distort'];
    const failing = await world.ingest();
    expect(failing).toMatchObject({ new: 2, embeddings_pending: 2 });
    expect(failing.degraded).toMatchObject([{ stage: 'vector', reason: 'plugin_failed' }]);
    expect(await world.store.vectors.collections()).toEqual([]);
    embedder.distort = (vector) => vector;
    expect(await world.ingest()).toMatchObject({ updated: 2, embeddings_pending: 0, degraded: [] });
    expect(await world.store.vectors.collections()).toMatchObject([{ committed: 2, pending: 0 }]);
  });

  it.each<[string, (records: readonly VectorRecord[]) => readonly VectorRecord[]]>([
    ['nothing', () => []],
    ['all but one', (records) => records.slice(1)],
  ])(
    'keeps pending what a vector store confirms although it wrote %s, reports it, and completes it later',
    async (_, kept) => {
      const { world, embedder, vectors } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'fire\n', 'c.md': 'water\n' });
      const write = vectors.upsert.bind(vectors);
      vectors.upsert = (name, records, options) => write(name, kept(records), options);
      const report = await world.ingest();
      const lost = report.embeddings_pending;
      expect(lost).toBe(3 - ((await vectors.count(collectionName(embedder))) ?? 0));
      expect(report.degraded).toMatchObject([{ stage: 'vector', reason: 'vector_store_unreachable' }]);
      expect(report.degraded[0]?.hint).toContain('does not hold');
      expect(await world.store.vectors.collections()).toMatchObject([{ committed: 3 - lost, pending: lost }]);
      vectors.upsert = write;
      expect(await world.ingest()).toMatchObject({ updated: lost, embeddings_pending: 0, degraded: [] });
      expect(await vectors.count(collectionName(embedder))).toBe(3);
    },
  );

  it('counts the written vectors once, and not at all when nothing was written', async () => {
    const { world, vectors } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'fire\n' });
    const counted: string[] = [];
    const count = vectors.count.bind(vectors);
    vectors.count = (name, options) => {
      counted.push(name);
      return count(name, options);
    };
    await world.ingest();
    expect(counted).toHaveLength(2); // before and after
    await world.ingest();
    expect(counted).toHaveLength(3);
  });

  it.each<[string, (vector: Float32Array) => Float32Array, RegExp]>([
    [
      'returns no usable vector for',
      (vector) => vector.map(() => Number.NaN),
      /^1 text has no usable vector: b.md: .*not finite/,
    ],
    [
      'rejects',
      () => {
        const details = { field: 'models.embedding.model', value: 'm', allowed: null, suggestion: null };
        throw new KebabError('invalid_input', 'the server refused it', { details });
      },
      /^1 text has no usable vector: b.md: .*the server refused it/,
    ],
  ])('keeps one document pending for one text that the model %s, and completes all others', async (_, bad, hint) => {
    const { world, embedder } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'fire\n', 'c.md': 'water\n' });
    embedder.distort = (vector) => (embedder.asked.at(-1)?.includes('fire') === true ? bad(vector) : vector);
    const failing = await world.ingest();
    expect(failing).toMatchObject({
      new: 3,
      errors: 0,
      embeddings_pending: 1,
      degraded: [{ reason: 'vectors_incomplete', hint: expect.stringMatching(hint) as string }],
    });
    embedder.distort = (vector) => vector;
    embedder.asked.length = 0;
    expect(await world.ingest()).toMatchObject({ updated: 1, embeddings_pending: 0, degraded: [] });
    expect(embedder.asked).toHaveLength(1);
  });

  it('reports what is wrong with the configuration of a model, even if all documents have vectors', async () => {
    const { world } = await openWorld({ 'a.md': 'salt\n' });
    await world.ingest();
    const key = 'models.embedding.dimensions';
    const wrong = new KebabError('config_invalid', `${key}: the model has 8`, {
      details: { path: null, key, cause: 'the model has 8', suggestion: '8' },
      hint: 'set it to 8',
    });
    const { ports } = world;
    const embedders = replaced(ports.embedders, { get: () => Promise.reject(wrong) });
    const report = await ingestFolder({ ...ports, embedders }, {});
    expect(report).toMatchObject({
      unchanged: 1,
      degraded: [{ stage: 'vector', reason: 'provider_none', hint: `${key}: the model has 8: set it to 8` }],
    });
  });

  it('counts a chunk without a vector in the model as embedded', async () => {
    const { world, embedder } = await openWorld({ 'a.md': '🧂\n' });
    embedder.distort = () => null;
    expect(await world.ingest()).toMatchObject({ new: 1, embeddings_pending: 0, degraded: [] });
  });

  it('builds the vectors of a new version separately, and drops the old ones when it is done', async () => {
    const first = new WordEmbedder('1');
    const { world, vectors } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'fire\n' }, first);
    await world.ingest();
    const second = new WordEmbedder('2');
    const contributions = { embedder: { words: second }, vector_store: { memory: vectors } };
    const changed = await world.changed({ env, contributions });
    expect(await changed.ingest()).toMatchObject({ updated: 2, embeddings_pending: 0 });
    expect(await vectors.listCollections()).toEqual([collectionName(second)]);
    expect((await changed.store.vectors.collections()).map(({ collection }) => collection)).toEqual([
      collectionName(second),
    ]);
  });

  it('keeps the vectors of the old model until those of the new one are complete', async () => {
    const first = new WordEmbedder('1');
    const { world, vectors } = await openWorld({ 'a.md': 'salt\n' }, first);
    await world.ingest();
    const second = new WordEmbedder('2');
    second.onCall = () => {
      throw new Error('out of memory');
    };
    const contributions = { embedder: { words: second }, vector_store: { memory: vectors } };
    const changed = await world.changed({ env, contributions });
    expect(await changed.ingest()).toMatchObject({ embeddings_pending: 1 });
    expect(await vectors.listCollections()).toContain(collectionName(first));
  });

  it('recreates a deleted collection from the cache', async () => {
    const { world, embedder, vectors } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'fire\n' });
    await world.ingest();
    const collection = collectionName(embedder);
    const before = await idsIn(vectors, collection);
    await vectors.dropCollection(collection);
    embedder.asked.length = 0;
    expect(await world.ingest()).toMatchObject({ embeddings_pending: 0, degraded: [] });
    expect(await idsIn(vectors, collection)).toEqual(before);
    expect(embedder.asked).toEqual([]);
  });

  it('restores single lost vectors, and removes unrecorded ones', async () => {
    const { world, embedder, vectors } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'fire\n' });
    await world.ingest();
    const collection = collectionName(embedder);
    const before = await idsIn(vectors, collection);
    const foreign = { embeddingId: 'f'.repeat(32), chunkId: 'e'.repeat(32), docId: 'd'.repeat(32) };
    await vectors.upsert(collection, [{ ...foreign, vector: new Float32Array([1, 0, 0, 0, 0]) }] as never);
    await vectors.delete(collection, [before[0]] as never);
    await vectors.upsert(collection, [
      { ...foreign, embeddingId: 'c'.repeat(32), vector: new Float32Array([1, 0, 0, 0, 0]) },
    ] as never);
    await world.ingest();
    expect(await idsIn(vectors, collection)).toEqual(before);
  });

  it('stops at a cancellation between batches and continues where it stopped', async () => {
    const files = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`f${i}.md`, `salt ${i}\n`]));
    const { world, embedder } = await openWorld(files);
    const stop = new AbortController();
    embedder.onCall = () => {
      if (embedder.asked.length >= 32) stop.abort();
    };
    const report = await world.ingest({ signal: stop.signal });
    expect(report).toMatchObject({ aborted: true, new: 80 });
    expect(report.embeddings_pending).toBe(80);
    expect(world.events.at(-1)).toMatchObject({ kind: 'aborted' });
    const { length } = embedder.asked;
    embedder.onCall = () => {};
    expect(await world.ingest()).toMatchObject({ embeddings_pending: 0, aborted: false });
    expect(embedder.asked.length - length).toBeLessThan(80);
  });

  it('lets the embedder work on the next batch while vectors are written, one batch at a time', async () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`f${i}.md`, `salt ${i}\n`]));
    const { world, embedder, vectors } = await openWorld(files);
    let calls = 0;
    let mostCalls = 0;
    const embed = embedder.embed.bind(embedder);
    embedder.embed = async (inputs, options) => {
      mostCalls = Math.max(mostCalls, ++calls);
      await new Promise(setImmediate);
      calls--;
      return embed(inputs, options);
    };
    const askedBefore: number[] = [];
    const upsert = vectors.upsert.bind(vectors);
    vectors.upsert = async (...given) => {
      askedBefore.push(embedder.asked.length);
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      askedBefore.push(embedder.asked.length);
      return upsert(...given);
    };
    expect(await world.ingest()).toMatchObject({ new: 600, embeddings_pending: 0 });
    const [first = 0, afterFirst = 0] = askedBefore;
    expect([first < 300, afterFirst > 500, afterFirst < 600]).toEqual([true, true, true]);
    expect(mostCalls).toBe(world.config.indexing.maxParallelEmbeddings);
    expect(embedder.asked.length).toBe(600);
  });

  it('leaves documents pending when the vector store cannot be opened', async () => {
    const world = await open({
      files: { 'a.md': 'salt\n' },
      env: { ...env, KEBAB_STORAGE_VECTOR_STORE: 'elsewhere' },
      contributions: { embedder: { words: new WordEmbedder() } },
    });
    const report = await world.ingest();
    expect(report).toMatchObject({ new: 1, embeddings_pending: 1 });
    expect(report.degraded).toHaveLength(1);
  });

  it('counts every document as pending when the configured model is unavailable and all vectors are of another', async () => {
    const { world } = await openWorld({ 'a.md': 'salt\n', 'b.md': 'water\n' });
    expect(await world.ingest()).toMatchObject({ new: 2, embeddings_pending: 0 });
    const missing = {
      get words(): Embedder {
        const details = { model: 'another', provider: 'words' };
        throw new KebabError('model_not_pulled', 'the model is not there', { details });
      },
    };
    const other = await world.changed({
      env: { ...env, KEBAB_MODELS_EMBEDDING_MODEL: 'another' },
      contributions: { embedder: missing, vector_store: { memory: new MemoryVectorStore() } },
    });
    const report = await other.ingest();
    expect(report).toMatchObject({ unchanged: 2, embeddings_pending: 2 });
    expect(report.degraded).toMatchObject([{ stage: 'vector', reason: 'model_not_pulled' }]);
  });
});
