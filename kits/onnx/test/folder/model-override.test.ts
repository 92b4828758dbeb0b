import { describe, expect, it } from 'vitest';
import { parseModelOverride } from '../../src/folder/model-override.ts';

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
