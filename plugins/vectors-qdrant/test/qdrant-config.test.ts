import { describe, expect, it } from 'vitest';
import { qdrantConfigSchema } from '../src/qdrant-config.ts';

const validate = qdrantConfigSchema['~standard'].validate;
const least = { url: 'http://127.0.0.1:6333', collectionPrefix: 'kebab' };

describe('qdrantConfigSchema', () => {
  it('adds defaults for omitted settings', () => {
    expect(validate(least)).toEqual({
      value: { ...least, apiKey: '', onDisk: false, quantization: 'none', timeoutMs: 30_000 },
    });
  });

  it('accepts the settings of a cluster', () => {
    const config = {
      ...least,
      apiKey: 'k',
      onDisk: true,
      quantization: 'int8',
      shardNumber: 6,
      replicationFactor: 2,
      timeoutMs: 1,
    };
    expect(validate(config)).toEqual({ value: config });
  });

  it.each([
    ['url', 'ftp://x'],
    ['url', 'nonsense'],
    ['apiKey', 7],
    ['collectionPrefix', 'a b'],
    ['collectionPrefix', ''],
    ['onDisk', 'yes'],
    ['quantization', 'int4'],
    ['shardNumber', 0],
    ['replicationFactor', 1.5],
    ['timeoutMs', -1],
    ['nonsense', true],
  ])('refuses %s = %j', (key, value) => {
    expect(validate({ ...least, [key]: value })).toEqual({
      issues: [{ message: expect.any(String), path: [key] }],
    });
  });

  it('rejects a value that is not an object', () => {
    expect(validate('http://127.0.0.1')).toEqual({ issues: [{ message: 'expected a table' }] });
  });
});
