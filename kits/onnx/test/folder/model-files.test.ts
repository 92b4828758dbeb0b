import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentSample, parseModelOverride } from '../../src/folder/model-files.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();

async function sampleOf(bytes: Uint8Array): Promise<string> {
  const file = path.join(newFolder(), 'model.bin');
  writeFileSync(file, bytes);
  return contentSample(file);
}

describe('contentSample', () => {
  it('is the same for equal bytes at another path, and different for every changed byte of a small file', async () => {
    const bytes = new Uint8Array(5000).fill(7);
    expect(await sampleOf(bytes)).toBe(await sampleOf(bytes.slice()));
    for (const at of [0, 2500, 4999]) expect(await sampleOf(bytes.with(at, 8))).not.toBe(await sampleOf(bytes));
    expect(await sampleOf(new Uint8Array())).not.toBe(await sampleOf(new Uint8Array(1)));
  });

  it('detects changes at the ends, in the length and throughout a large file', async () => {
    const bytes = new Uint8Array(2_000_000).fill(7);
    const sample = await sampleOf(bytes);
    expect(await sampleOf(bytes.slice())).toBe(sample);
    expect(await sampleOf(bytes.with(0, 8))).not.toBe(sample);
    expect(await sampleOf(bytes.with(1_999_999, 8))).not.toBe(sample);
    expect(await sampleOf(bytes.slice(1))).not.toBe(sample);
    expect(await sampleOf(bytes.map((x, at) => (at % 20_000 === 0 ? x + 1 : x)))).not.toBe(sample);
  });
});

describe('parseModelOverride', () => {
  it('reads every key of a model override', () => {
    const json = {
      pooling: 'cls',
      precision: 'fp16',
      dimensions: 256,
      max_tokens: 128,
      languages: ['ko', 'en'],
      prefixes: { query: 'q: ' },
      relevance: { floor: 0.1, ceil: 0.6 },
      weights: 'onnx/model_fp16.onnx',
    };
    expect(parseModelOverride(json, 'kebab-model.json')).toEqual({
      pooling: 'cls',
      precision: 'fp16',
      dimensions: 256,
      maxTokens: 128,
      languages: ['ko', 'en'],
      prefixes: { query: 'q: ', document: '' },
      relevance: { floor: 0.1, ceil: 0.6 },
      weights: 'onnx/model_fp16.onnx',
    });
    expect(parseModelOverride({ languages: null }, 'x')).toEqual({ languages: null });
  });

  it.each([
    [[], null],
    [{ poling: 'mean' }, 'poling'],
    [{ toString: 1 }, 'toString'],
    [{ pooling: 'max' }, 'pooling'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ max_tokens: '512' }, 'max_tokens'],
    [{ languages: 'en' }, 'languages'],
    [{ prefixes: { query: 1 } }, 'prefixes'],
    [{ relevance: { floor: 0.9, ceil: 0.1 } }, 'relevance'],
    [{ weights: '../other/model.onnx' }, 'weights'],
    [{ weights: '/etc/model.onnx' }, 'weights'],
  ])('refuses %j and names the key', (json, key) => {
    const file = '/models/mine/kebab-model.json';
    expect(() => parseModelOverride(json, file)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        details: expect.objectContaining({ path: file, key }) as unknown,
      }),
    );
  });
});
