import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exactSearch, sampleIds } from '@kebab/testing';
import type { ChunkFilter, VectorRecord } from '@kebab/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TransformersEmbedder } from '../plugins/embed-transformers/src/transformers-embedder.ts';
import { VectorFile } from '../plugins/vectors-local/test/open-local-store.ts';

const shared = fileURLToPath(new URL('../../shared', import.meta.url));
const MODEL = path.join(shared, 'models', 'potion-base-4M-int8');
const SETS = ['squad2', 'cranfield', 'cacm'];
const PIECE_CHARS = 240;
const QUERIES_A_SET = 10;

const linesOf = (set: string, file: string): readonly { readonly text: string }[] =>
  readFileSync(path.join(shared, 'data', set, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly text: string });

const piecesOf = (text: string): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / PIECE_CHARS) }, (_, at) =>
    text.slice(at * PIECE_CHARS, (at + 1) * PIECE_CHARS),
  ).filter((piece) => piece.length > PIECE_CHARS / 2);

const isThere = [MODEL, ...SETS.map((set) => path.join(shared, 'data', set))].every((place) => existsSync(place));

describe.skipIf(!isThere)('vectors of real texts (skipped without ../shared)', () => {
  let vectors: VectorFile;
  beforeEach(() => {
    vectors = new VectorFile();
  });
  afterEach(() => vectors.remove());

  it('are found by their codes with a recall of at least 0.999, with and without filters', async () => {
    const config = {
      model: MODEL,
      version: 'v1',
      dimensions: null,
      batchSize: 32,
      modelDir: vectors.folder,
      threads: 1,
    };
    const embedder = await TransformersEmbedder.open(config);
    const embed = async (texts: readonly string[], kind: 'document' | 'query'): Promise<readonly Float32Array[]> => {
      const found = await embedder.embed(texts.map((text) => ({ text, kind })));
      return found.filter((vector) => vector !== null);
    };
    const texts = SETS.flatMap((set) => linesOf(set, 'corpus.jsonl').flatMap(({ text }) => piecesOf(text)));
    const asked = SETS.flatMap((set) => linesOf(set, 'queries.jsonl').slice(0, QUERIES_A_SET));
    const queries = await embed(
      asked.map(({ text }) => text),
      'query',
    );
    const records: readonly VectorRecord[] = (await embed(texts, 'document')).map((vector, n) => ({
      ...sampleIds(n),
      vector,
    }));
    await embedder.close();
    expect(records.length).toBeGreaterThan(4000);
    const store = await vectors.open();
    await store.ensureCollection('real', embedder.dimensions);
    await store.upsert('real', records);
    const third = new Set(records.filter((_, n) => n % 3 === 0).map(({ chunkId }) => chunkId));
    for (const [limit, allow] of [
      [10, { kind: 'all' }],
      [100, { kind: 'all' }],
      [10, { kind: 'only', chunkIds: third }],
    ] as readonly (readonly [number, ChunkFilter])[]) {
      let found = 0;
      for (const vector of queries) {
        const exact = new Set(exactSearch(records, { vector, limit, allow }).map(({ chunkId }) => chunkId));
        const hits = await store.search('real', { vector, limit, allow });
        found += hits.filter(({ chunkId }) => exact.has(chunkId)).length;
      }
      expect(found / (limit * queries.length)).toBeGreaterThanOrEqual(0.999);
    }
  });
});
