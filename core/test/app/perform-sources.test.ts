import { describe, expect, it, onTestFinished } from 'vitest';
import { performAdd, performRemove } from '../../src/app/perform-sources.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import type { MediaType } from '../../src/domain/media.ts';
import { collectionName } from '../../src/embedding/open-embedding.ts';
import { MemoryVectorStore } from '@kebab/testing';
import { SourceAddedSchema, SourceRemovedSchema } from '../../src/wire/config.ts';
import { WordEmbedder } from '../ingest/embedding/word-embedder.ts';
import { IngestWorld } from '../ingest/ingest-world.ts';
import { plainExtractor } from '../ingest/plain-extractor.ts';
import { TemporaryTree } from '../ingest/temporary-tree.ts';

describe('an added source', () => {
  it('is counted by what extractors read, whatever the medium', async () => {
    const plain = plainExtractor();
    const table = {
      ...plain,
      id: 'table',
      supports: (media: MediaType) => media.kind === 'other' && media.ext === 'csv',
    };
    const world = await IngestWorld.open({ contributions: { extractor: { plain, table } } });
    onTestFinished(() => world.close());
    const added = new TemporaryTree({ 'a.md': '', 'b.csv': '', 'c.csv': '', 'd.zip': '', 'e.mp3': '' });
    onTestFinished(() => added.remove());
    const place = { cwd: world.tree.root, env: {}, homeDir: world.tree.root };
    const resolution = await resolveConfig(place);
    const ports = { ...world.ports, ...place, resolution, resolveAgain: async () => resolution };
    const { holds } = SourceAddedSchema.parse(await performAdd(ports, { path: added.root }));
    expect(holds).toEqual({
      files: { markdown: 1, other: 2 },
      unread: 2,
      unread_by_extension: { zip: 1 },
      is_complete: true,
    });
  });
});

describe('the removal of a source', () => {
  it('deletes the vectors of that source and of no other', async () => {
    const other = new TemporaryTree({ 'x.md': 'fire\nstone\n' });
    onTestFinished(() => other.remove());
    const embedder = new WordEmbedder();
    const vectors = new MemoryVectorStore();
    const world = await IngestWorld.open({
      files: { 'a.md': 'salt\n' },
      env: {
        KEBAB_MODELS_EMBEDDING_PROVIDER: 'words',
        KEBAB_STORAGE_VECTOR_STORE: 'memory',
        KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'other', root: other.root }]),
      },
      contributions: { embedder: { words: embedder }, vector_store: { memory: vectors } },
    });
    onTestFinished(() => world.close());
    await world.ingest();
    const collection = collectionName(embedder);
    expect(await vectors.count(collection)).toBe(3);

    // The configuration no longer contains the source.
    const place = { cwd: world.tree.root, env: { KEBAB_WORKSPACE_ROOT: world.root }, homeDir: world.tree.root };
    const resolution = await resolveConfig(place);
    const ports = { ...world.ports, ...place, resolution, resolveAgain: async () => resolution };
    const removed = SourceRemovedSchema.parse(await performRemove(ports, 'other'));
    expect(removed).toMatchObject({ id: 'other', documents: 1, vectors_left: 0 });
    const kept: string[] = [];
    for await (const { docId } of vectors.records(collection)) kept.push(docId);
    expect(kept).toEqual([(await world.store.findDocument('default', 'a.md'))?.docId]);
    expect(await world.store.vectors.collections()).toMatchObject([{ collection, committed: 1, tombstones: 0 }]);
  });
});
