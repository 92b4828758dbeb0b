import { FAKE_MODELS, wordVector, type FakeModels } from '@kebab/ollama-kit/testing';
import { describe, expect, it } from 'vitest';
import { splitText, weightedMean } from '../src/ollama-embedder.ts';
import { withEmbedder } from './embedder-on-fake.ts';

const norm = (vector: Float32Array | null | undefined): number => Math.hypot(...(vector ?? []));
const cosine = (a: Float32Array | null | undefined, b: Float32Array | null | undefined): number =>
  [...(a ?? [])].reduce((sum, number, at) => sum + number * (b?.[at] ?? 0), 0);

const SILENT: FakeModels = { ...FAKE_MODELS, 'old:latest': { contextTokens: 512, dimensions: 32 } };

describe('OllamaEmbedder', () => {
  it('describes the model as reported by the server', async () => {
    await withEmbedder({}, async ({ embedder }) => {
      expect(embedder).toMatchObject({ modelId: 'vectors', modelVersion: 'v1', dimensions: 64, maxInputTokens: 512 });
      expect(embedder).toMatchObject({ languages: null, relevance: { floor: 0.35, ceil: 0.68 } });
    });
  });

  it('ignores a reported window of one token, which would make every word a request', async () => {
    const models: FakeModels = { 'vectors:latest': { contextTokens: 1, capabilities: ['embedding'], dimensions: 64 } };
    await withEmbedder({ models }, async ({ embedder }) => expect(embedder.maxInputTokens).toBe(512));
  });

  it('sends batches in order, and never lets the server truncate a text', async () => {
    await withEmbedder({ config: { batchSize: 2 } }, async ({ embed, asked, fake }) => {
      const vectors = await embed('one', 'two', 'three', 'four', 'five');
      expect(asked()).toEqual([['one', 'two'], ['three', 'four'], ['five']]);
      expect(fake.requests.at(-1)?.body).toMatchObject({ truncate: false, options: { num_ctx: 512 } });
      const [third] = await embed('three');
      expect(cosine(vectors[2], third)).toBeCloseTo(1, 5);
    });
  });

  it('returns null for a blank text without a request', async () => {
    await withEmbedder({}, async ({ embed, asked }) => {
      expect(await embed('')).toEqual([null]);
      expect(await embed('', ' \n\t', '')).toEqual([null, null, null]);
      expect(asked()).toEqual([]);
      const [empty, full] = await embed(' ', 'full');
      expect([empty, norm(full)]).toEqual([null, expect.closeTo(1, 5)]);
    });
  });

  it('normalises every vector to unit length', async () => {
    const embed = (text: string, dimensions: number): readonly number[] =>
      wordVector(text, dimensions).map((number) => (number ?? 0) * 17);
    await withEmbedder({ embed }, async (opened) => {
      for (const vector of await opened.embed('one', 'two words')) expect(norm(vector)).toBeCloseTo(1, 5);
    });
  });

  it.each<[string, (dimensions: number) => readonly unknown[]]>([
    ['zeros', (dimensions) => Array.from({ length: dimensions }, () => 0)],
    ['null among its numbers', (dimensions) => Array.from({ length: dimensions }, (_, at) => (at === 3 ? null : 1))],
    ['texts', (dimensions) => Array.from({ length: dimensions }, () => '1')],
    ['numbers without end', (dimensions) => Array.from({ length: dimensions }, () => 1e308)],
    ['no numbers', () => []],
  ])('refuses a vector of %s: the server cannot be used as it is', async (_, vector) => {
    const embed = (text: string, dimensions: number): readonly (number | null)[] =>
      text === 'bad' ? (vector(dimensions) as readonly number[]) : wordVector(text, dimensions);
    await withEmbedder({ embed }, async (opened) => {
      await expect(opened.embed('good', 'bad')).rejects.toMatchObject({ code: 'model_unreachable' });
      expect(norm((await opened.embed('good'))[0])).toBeCloseTo(1, 5);
    });
  });

  it('embeds a text that is too long in windows, and the others of its batch whole', async () => {
    const models: FakeModels = { 'vectors:latest': { contextTokens: 16, capabilities: ['embedding'], dimensions: 64 } };
    await withEmbedder({ models }, async ({ embed, asked }) => {
      const long = 'red house '.repeat(40).trim();
      const [short, vector] = await embed('green bottle', long);
      expect(norm(vector)).toBeCloseTo(1, 5);
      const windows = asked()
        .flat()
        .filter((text) => text !== long && text !== 'green bottle' && text.length <= 64);
      expect(windows.join(' ')).toBe(long);
      const [part, alone] = [(await embed('red house'))[0], (await embed('green bottle'))[0]];
      expect(cosine(vector, part)).toBeGreaterThan(0.99);
      expect(cosine(short, alone)).toBeCloseTo(1, 5);
    });
  });

  it('gives a longer window more weight', async () => {
    const models: FakeModels = { 'vectors:latest': { contextTokens: 16, capabilities: ['embedding'], dimensions: 64 } };
    await withEmbedder({ models }, async ({ embed }) => {
      const [mixed, red, green] = await embed(`${'red '.repeat(48)}${'green '.repeat(4)}`, 'red', 'green');
      expect(cosine(mixed, red)).toBeGreaterThan(cosine(mixed, green));
    });
  });

  it.each([
    ['nomic-embed-text', 'search_query: what', 'search_document: what'],
    ['mxbai-embed-large:335m', 'Represent this sentence for searching relevant passages: what', 'what'],
    ['me/multilingual-e5-large:q8', 'query: what', 'passage: what'],
    ['vectors', 'what', 'what'],
  ])('puts before a text what %s wants', async (model, query, document) => {
    const name = model.includes(':') ? model : `${model}:latest`;
    const models: FakeModels = { [name]: { contextTokens: 512, dimensions: 8 } };
    await withEmbedder({ models, config: { model } }, async ({ embedder, asked }) => {
      await embedder.embed([
        { text: 'what', kind: 'query' },
        { text: 'what', kind: 'document' },
      ]);
      expect(asked()).toEqual([[query, document]]);
    });
  });

  it('measures a vector if the server does not report its length', async () => {
    const options = { models: { 'mute:latest': { contextTokens: 512, dimensions: 48, hidesDimensions: true } } };
    await withEmbedder({ ...options, config: { model: 'mute' } }, async ({ embedder }) => {
      expect(embedder.dimensions).toBe(48);
    });
  });

  it('works with a server too old to report capabilities of its models', async () => {
    await withEmbedder({ models: SILENT, config: { model: 'old' } }, async ({ embedder, embed }) => {
      expect([embedder.dimensions, norm((await embed('x'))[0])]).toEqual([32, expect.closeTo(1, 5)]);
    });
  });

  it('rejects dimensions other than those of the model', async () => {
    await expect(withEmbedder({ config: { dimensions: 32 } }, async () => {})).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: 'models.embedding.dimensions', suggestion: '64' },
    });
    await withEmbedder({ config: { dimensions: 64 } }, async ({ embedder }) => expect(embedder.dimensions).toBe(64));
  });

  it('reports vectors whose length differs from the one that the server reported', async () => {
    await withEmbedder({ embed: () => [1, 2, 3] }, async ({ embed }) => {
      await expect(embed('x')).rejects.toMatchObject({
        code: 'model_unreachable',
        message: expect.stringMatching(/3 numbers, not 64/),
      });
    });
  });

  it('reports missing vectors', async () => {
    await withEmbedder({ losesVectors: true }, async ({ embed }) => {
      const message = expect.stringMatching(/1 vectors for 2 texts/) as unknown;
      await expect(embed('a', 'b')).rejects.toMatchObject({ code: 'model_unreachable', message });
    });
  });

  it('has a different fingerprint for other weights, another version and another model', async () => {
    const print = (config: object, models?: FakeModels): Promise<string> =>
      withEmbedder({ ...(models === undefined ? {} : { models }), config }, async ({ embedder }) =>
        embedder.fingerprint(),
      );
    const weights: FakeModels = {
      'vectors:latest': { contextTokens: 512, dimensions: 64, capabilities: ['embedding', 'x'] },
    };
    const prints = await Promise.all([
      print({}),
      print({}, weights),
      print({ version: 'v2' }),
      print({ model: 'old' }, SILENT),
    ]);
    expect(new Set(prints).size).toBe(4);
    expect(await print({ batchSize: 9, timeoutMs: 5 })).toBe(prints[0]);
  });
});

describe('splitText', () => {
  it('splits a text that is too long at white space', () => {
    expect(splitText('one two three four', 2)).toEqual(['one two', 'three four']);
  });

  it.each([
    ['words', 'the quick brown fox jumps over the lazy dog '.repeat(20), 7],
    ['no white space', '가나다라마바사'.repeat(50), 5],
    ['astral characters', '😀'.repeat(101), 4],
    ['a long word among short ones', `a b ${'x'.repeat(500)} c d`, 6],
    ['more pieces than characters', 'abc', 9],
  ])('keeps every character of %s, in order and whole', (_, text, count) => {
    const pieces = splitText(text, count);
    expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    for (const piece of pieces) {
      expect(piece).not.toMatch(/^\s|\s$|^$/);
      expect(piece).not.toMatch(/[\ud800-\udbff]$|^[\udc00-\udfff]/);
    }
  });

  it('makes pieces of about equal length', () => {
    const lengths = splitText('word '.repeat(1000), 10).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(510);
    expect(lengths).toHaveLength(10);
  });

  it('never splits a single character', () => {
    expect(splitText('😀', 2)).toEqual(['😀']);
  });
});

it('a mean of vectors is closer to the heavier one, and null if they cancel each other out', () => {
  const heavier = { vector: Float32Array.of(0, 1), weight: 4 };
  expect(weightedMean([{ vector: Float32Array.of(1, 0), weight: 3 }, heavier])).toEqual(Float32Array.of(0.6, 0.8));
  expect(weightedMean([])).toBeNull();
  expect(weightedMean([heavier, { ...heavier, vector: Float32Array.of(0, -1) }])).toBeNull();
});
