import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sharedModel } from '@kebab/onnx-kit/testing';
import { describe, expect, it } from 'vitest';
import { TransformersEmbedder } from '../src/transformers-embedder.ts';
import type { TransformersConfig } from '../src/transformers-config.ts';
import { configFor, tempModels } from './temp-model.ts';

const newModel = tempModels();

async function withEmbedder<T>(
  config: TransformersConfig,
  use: (embedder: TransformersEmbedder) => Promise<T> | T,
): Promise<T> {
  const embedder = await TransformersEmbedder.open(config);
  try {
    return await use(embedder);
  } finally {
    await embedder.close();
  }
}

const fingerprintOf = (config: TransformersConfig): Promise<string> =>
  withEmbedder(config, (embedder) => embedder.fingerprint());

describe('TransformersEmbedder', () => {
  it('describes its model without loading it', async () => {
    const folder = newModel('multilingual-e5-small');
    await withEmbedder(configFor(folder), (embedder) => {
      expect(embedder).toMatchObject({
        id: 'transformers',
        modelId: 'multilingual-e5-small',
        modelVersion: 'v1',
        dimensions: 384,
        maxInputTokens: 512,
        languages: null,
        relevance: { floor: 0.79, ceil: 0.875 },
      });
    });
  });

  it('loads the model to determine its dimensions if no file contains them', async () => {
    const folder = newModel();
    writeFileSync(path.join(folder, 'config.json'), '{}');
    await withEmbedder(configFor(folder), (embedder) => expect(embedder.dimensions).toBe(8));
  });

  it('has a different fingerprint for every model, version, file and embedding method', async () => {
    const folder = newModel();
    const prints = [await fingerprintOf(configFor(folder)), await fingerprintOf(configFor(folder, { version: 'v2' }))];
    const told = [
      { pooling: 'cls' },
      { prefixes: { query: 'query: ' } },
      { prefixes: { document: 'query: ' } },
      { precision: 'fp16' },
    ];
    for (const override of told) {
      writeFileSync(path.join(folder, 'kebab-model.json'), JSON.stringify(override));
      prints.push(await fingerprintOf(configFor(folder)));
    }
    rmSync(path.join(folder, 'kebab-model.json'));
    appendFileSync(path.join(folder, 'onnx/model.onnx'), '2\0'); // an empty field of the model
    prints.push(await fingerprintOf(configFor(folder)));
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('has the same fingerprint for a model regardless of its location and batch size', async () => {
    const one = await fingerprintOf(configFor(newModel()));
    expect(await fingerprintOf(configFor(newModel(), { batchSize: 1, threads: 2 }))).toBe(one);
  });

  it('rejects dimensions that its model does not have', async () => {
    const failure = { code: 'config_invalid', details: { key: 'models.embedding.dimensions' } };
    await expect(
      TransformersEmbedder.open(configFor(newModel('multilingual-e5-small'), { dimensions: 8 })),
    ).rejects.toMatchObject({
      ...failure,
      details: { ...failure.details, suggestion: '384' },
    });
    const embedding = withEmbedder(configFor(newModel(), { dimensions: 7 }), (embedder) =>
      embedder.embed([{ text: 'red', kind: 'query' }]),
    );
    await expect(embedding).rejects.toMatchObject(failure);
  });

  const potion = sharedModel('potion-base-4M-int8');
  it.skipIf(potion === null)(
    'returns the same vector for a short query in this thread as in its own (skipped without ../shared)',
    async () => {
      const query = { text: 'How do I reset my password?', kind: 'query' } as const;
      const [alone] = await withEmbedder(configFor(potion as string), (embedder) => embedder.embed([query]));
      const long = { text: 'some other words '.repeat(1000), kind: 'document' } as const;
      const [, among] = await withEmbedder(configFor(potion as string), (embedder) => embedder.embed([long, query]));
      expect(among).toEqual(alone);
    },
  );
});
