import { describe, it } from 'vitest';
import type { LexicalHit, LexicalIndex } from '../../../core/src/contracts/lexical-index.ts';
import { lexicalIndexSuite } from '../../src/lexical-index-suite.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';
import { commit, openStore } from '../../../core/test/kb/open-store.ts';

type Mutate = (sound: LexicalIndex) => LexicalIndex;

const finding =
  (change: (hits: readonly LexicalHit[]) => readonly LexicalHit[]): Mutate =>
  (sound) =>
    changed(sound, {
      search: async (query, filters, limit, options) => change(await sound.search(query, filters, limit, options)),
    });

const asking =
  (change: (...args: Parameters<LexicalIndex['search']>) => Parameters<LexicalIndex['search']>): Mutate =>
  (sound) =>
    changed(sound, { search: (...args) => sound.search(...change(...args)) });

describe('lexicalIndexSuite', () => {
  it('detects every mutation', { timeout: 120_000 }, async () => {
    await expectAllCaught<Mutate>(
      (mutate) =>
        lexicalIndexSuite({
          open: async (makeDocuments) => {
            const { store, index: sound } = await openStore();
            await commit(store, ...makeDocuments((material) => sound.analyseChunk(material)));
            return { index: mutate?.(sound) ?? sound, close: () => store.close() };
          },
        }),
      {
        'reverses the list': finding((hits) => hits.toReversed()),
        'loses the best': finding((hits) => hits.slice(1)),
        'returns a chunk twice': finding((hits) => [...hits.slice(0, 1), ...hits]),
        'returns negative scores': finding((hits) => hits.map((hit) => ({ ...hit, score: -hit.score }))),
        'ignores filters': asking((query, _filters, limit, options) => [query, {}, limit, options]),
        'returns one too many': asking((query, filters, limit, options) => [query, filters, limit + 1, options]),
        'ignores phrases': asking((query, filters, limit, options) => [
          { ...query, phrases: [] },
          filters,
          limit,
          options,
        ]),
        'ignores exclusions': asking((query, filters, limit, options) => [
          { ...query, excluded: [] },
          filters,
          limit,
          options,
        ]),
        'finds no Korean': (sound) =>
          changed(sound, {
            analyseQuery: (text) => {
              const query = sound.analyseQuery(text);
              return { ...query, terms: query.terms.filter(({ kind }) => kind === 'word') };
            },
          }),
        'ignores the signal': asking((query, filters, limit) => [query, filters, limit]),
        'counts nonexistent documents': (sound) =>
          changed(sound, {
            termStats: async (tokens) => {
              const { chunks, df } = await sound.termStats(tokens);
              return { chunks, df: df.map((count) => count + 1) };
            },
          }),
      },
      (sound) => changed(sound, {}),
    );
  });
});
