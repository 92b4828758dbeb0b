import { describe, it } from 'vitest';
import type { RankedChunk, Retriever } from '../../../core/src/contracts/retriever.ts';
import type { ChunkId } from '../../../core/src/domain/ids.ts';
import type { LexicalIndex } from '../../../core/src/contracts/lexical-index.ts';
import { rankByWords } from '../../../core/src/search/rank-chunks.ts';
import { retrieverSuite } from '../../src/passage-suites.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';
import { commit, openStore } from '../../../core/test/kb/open-store.ts';

type Mutate = (sound: Retriever) => Retriever;

const ofWords = (index: LexicalIndex): Retriever => ({
  id: 'words',
  version: '1',
  scoreKind: 'bm25',
  fingerprint: () => 'words@1',
  indexVersion: () => index.indexVersion(),
  retrieve: ({ limit, ...retrieval }, { signal } = {}) => rankByWords(index, { retrieval, limit, signal }),
});

/** A retriever with modified rankings; `request` is the original request. */
const ranking =
  (change: (found: readonly RankedChunk[], limit: number) => readonly RankedChunk[]): Mutate =>
  (sound) =>
    changed(sound, {
      retrieve: async (request, options) => change(await sound.retrieve(request, options), request.limit),
    });

/** A retriever that receives a modified request. */
const asking =
  (change: (request: Parameters<Retriever['retrieve']>[0]) => Parameters<Retriever['retrieve']>[0]): Mutate =>
  (sound) =>
    changed(sound, { retrieve: (request, options) => sound.retrieve(change(request), options) });

const renumbered = (found: readonly RankedChunk[]): readonly RankedChunk[] =>
  found.map((chunk, at) => ({ ...chunk, rank: at + 1 }));

let calls = 0;

describe('retrieverSuite', () => {
  it('detects every mutation', { timeout: 120_000 }, async () => {
    await expectAllCaught<Mutate>(
      (mutate) =>
        retrieverSuite({
          open: async (documents) => {
            const { store, index } = await openStore();
            await commit(store, ...documents);
            const sound = ofWords(index);
            return {
              retriever: mutate?.(sound) ?? sound,
              analyse: (text) => index.analyseQuery(text),
              commit: (more) => commit(store, ...more),
              close: () => store.close(),
            };
          },
        }),
      {
        'ranks from 0': ranking((found) => found.map((chunk) => ({ ...chunk, rank: chunk.rank - 1 }))),
        'reverses the list': ranking((found) => renumbered(found.toReversed())),
        'returns one too many': asking((request) => ({ ...request, limit: request.limit + 1 })),
        'loses the best': ranking((found) => renumbered(found.slice(1))),
        'returns a chunk twice': ranking((found) => renumbered([...found.slice(0, 1), ...found])),
        'returns an uncommitted chunk': ranking((found) =>
          renumbered([...found, { chunkId: '0'.repeat(32) as ChunkId, score: 0, rank: 0 }]),
        ),
        'filters after the limit': (sound) =>
          changed(sound, {
            retrieve: async (request, options) => {
              const all = await sound.retrieve({ ...request, filters: {} }, options);
              const allowed = await sound.retrieve({ ...request, limit: 1000 }, options);
              return renumbered(all.filter(({ chunkId }) => allowed.some((other) => other.chunkId === chunkId)));
            },
          }),
        'ignores filters': asking((request) => ({ ...request, filters: {} })),
        'orders ties by id': ranking((found) =>
          renumbered(found.toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))),
        ),
        'differs from call to call': ranking((found) =>
          found.map((chunk) => ({ ...chunk, score: chunk.score + calls++ })),
        ),
        'ignores the signal': (sound) => changed(sound, { retrieve: (request) => sound.retrieve(request) }),
        'finds nothing in the last documents': ranking((found) =>
          found.length > 1000 ? found.slice(0, Math.floor(found.length / 200) * 200) : found,
        ),
        'reads a document of each page twice and skips the next': ranking((found) =>
          renumbered(found.filter((_, at) => at === 0 || at % 500 !== 0)),
        ),
        'remembers what it found': (sound) => {
          const known = new Map<string, Promise<readonly RankedChunk[]>>();
          return changed(sound, {
            retrieve: (request, options) => {
              options?.signal?.throwIfAborted();
              const key = JSON.stringify(request);
              const found = known.get(key) ?? sound.retrieve(request, options);
              known.set(key, found);
              return found;
            },
          });
        },
        'throws at a quote mark': asking((request) => {
          if (request.query.text.includes('"unbalanced')) throw new SyntaxError('fts5: syntax error');
          return request;
        }),
      },
      (sound) => changed(sound, {}),
    );
  });
});
