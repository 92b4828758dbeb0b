import { describe, it } from 'vitest';
import type { VectorHit, VectorStore } from '../../../core/src/contracts/vector-store.ts';
import { MemoryVectorStore, VectorMemory } from '../../src/memory-vector-store.ts';
import { vectorStoreSuite } from '../../src/vector-store-suite.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';

type Mutate = (sound: VectorStore) => VectorStore;

const broken =
  (change: (sound: VectorStore) => Partial<VectorStore>): Mutate =>
  (sound) =>
    changed(sound, change(sound));

const finding = (change: (hits: readonly VectorHit[]) => readonly VectorHit[]): Mutate =>
  broken((sound) => ({ search: async (name, query, options) => change(await sound.search(name, query, options)) }));

describe('vectorStoreSuite', () => {
  it('detects every mutation', { timeout: 120_000 }, async () => {
    await expectAllCaught<Mutate>(
      (mutate) =>
        vectorStoreSuite({
          open: async () => {
            const memory = new VectorMemory();
            const open = async (): Promise<VectorStore> => {
              const sound = new MemoryVectorStore(memory);
              return mutate?.(sound) ?? sound;
            };
            const fail = (why: string | null) => () => {
              memory.failure = why;
              if (why !== null) memory.collections.clear();
            };
            return {
              store: await open(),
              another: open,
              destroy: fail('it is damaged'),
              reopen: open,
              rebuild: () => {
                fail(null)();
                return open();
              },
            };
          },
        }),
      {
        'reverses the list': finding((hits) => hits.toReversed()),
        'misses the best of many': broken((sound) => ({
          search: async (name, query, options) => {
            const hits = await sound.search(name, { ...query, limit: query.limit + 1 }, options);
            return hits.length > query.limit ? hits.slice(1) : hits;
          },
        })),
        'loses the best': finding((hits) => hits.slice(1)),
        'halves its scores': finding((hits) => hits.map((hit) => ({ ...hit, score: hit.score / 2 }))),
        'ignores filters': broken((sound) => ({
          search: (name, query, options) => sound.search(name, { ...query, allow: { kind: 'all' } }, options),
        })),
        'filters after the limit': broken((sound) => ({
          search: async (name, query, options) => {
            const { allow } = query;
            const hits = await sound.search(name, { ...query, allow: { kind: 'all' } }, options);
            return allow.kind === 'only' ? hits.filter(({ chunkId }) => allow.chunkIds.has(chunkId)) : hits;
          },
        })),
        'returns what is excepted': broken((sound) => ({
          search: (name, { vector, limit, allow }, options) => sound.search(name, { vector, limit, allow }, options),
        })),
        'forgets to delete': broken(() => ({ delete: async () => {} })),
        'adds to a vector instead of replacing it': broken((sound) => ({
          upsert: async (name, records, options) => {
            const known = new Set<string>();
            for await (const id of sound.listIds(name, options)) known.add(id);
            await sound.upsert(
              name,
              records.filter(({ embeddingId }) => !known.has(embeddingId)),
              options,
            );
          },
        })),
        'writes half of a rejected call': broken((sound) => ({
          upsert: async (name, records, options) => {
            for (const record of records) await sound.upsert(name, [record], options);
          },
        })),
        'counts one more': broken((sound) => ({
          count: async (name, options) => ((await sound.count(name, options)) ?? -1) + 1,
        })),
        'accepts collections of any dimensions': broken((sound) => ({
          ensureCollection: async (name, dimensions, options) =>
            sound.ensureCollection(name, dimensions, options).catch(() => sound.ensureCollection('other', dimensions)),
        })),
        'lists no id': broken(() => ({ async *listIds() {} })),
        'drops nothing': broken(() => ({ dropCollection: async () => {} })),
        'is reachable when it should be gone': (sound) =>
          changed(sound, {
            search: async (name, query, options) => sound.search(name, query, options).catch(() => []),
          }),
        'ignores the signal': broken((sound) => ({ search: (name, query) => sound.search(name, query) })),
      },
      (sound) => changed(sound, {}),
    );
  });
});
