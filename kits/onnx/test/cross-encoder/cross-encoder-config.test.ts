import { describe, expect, it } from 'vitest';
import { crossEncoderConfigSchema } from '../../src/cross-encoder/cross-encoder-config.ts';

const validate = (value: unknown): unknown => crossEncoderConfigSchema['~standard'].validate(value);
const config = { model: 'Xenova/bge-reranker-base', modelDir: '/data/models' };

describe('crossEncoderConfigSchema', () => {
  it('takes a model and how to run it', () => {
    expect(validate(config)).toEqual({ value: config });
    const full = { ...config, batchSize: 8, threads: 2 };
    expect(validate(full)).toEqual({ value: full });
    expect(validate({ ...config, model: '' })).toEqual({ value: { ...config, model: '' } });
  });

  it('names what is missing, wrong or unknown', () => {
    expect(validate({ model: 3, modelDir: ' ', batchSize: 0, threads: '2', modeldir: '/x' })).toEqual({
      issues: [
        { message: 'expected a text', path: ['model'] },
        { message: 'expected a text that is not empty', path: ['modelDir'] },
        { message: 'expected a whole number from 1, or nothing', path: ['batchSize'] },
        { message: 'expected a whole number from 1, or nothing', path: ['threads'] },
        { message: 'unknown key', path: ['modeldir'] },
      ],
    });
    expect(validate(null)).toEqual({ issues: [{ message: 'expected a table' }] });
  });
});
