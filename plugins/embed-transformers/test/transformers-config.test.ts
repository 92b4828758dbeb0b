import { describe, expect, it } from 'vitest';
import { transformersConfigSchema } from '../src/transformers-config.ts';

const validate = transformersConfigSchema['~standard'].validate;
const config = {
  model: 'multilingual-e5-small',
  version: 'v1',
  dimensions: null,
  batchSize: 4,
  modelDir: '/data/models',
};

describe('transformersConfigSchema', () => {
  it('accepts a model and how to run it', () => {
    expect(validate(config)).toEqual({ value: config });
    const full = { ...config, dimensions: 384, threads: 2 };
    expect(validate(full)).toEqual({ value: full });
  });

  it('names what is missing, wrong or unknown', () => {
    const issuesOf = (value: unknown): unknown => validate(value);
    expect(issuesOf({ ...config, model: ' ', dimensions: 0, batchSize: 1.5, threads: '2', modeldir: '/x' })).toEqual({
      issues: [
        { message: 'expected a text that is not empty', path: ['model'] },
        { message: 'expected a whole number from 1, or null', path: ['dimensions'] },
        { message: 'expected a whole number from 1', path: ['batchSize'] },
        { message: 'expected a whole number from 1, or nothing', path: ['threads'] },
        { message: 'unknown key', path: ['modeldir'] },
      ],
    });
    expect(issuesOf({ ...config, dimensions: undefined })).toEqual({
      issues: [{ message: 'expected a whole number from 1, or null', path: ['dimensions'] }],
    });
    expect(issuesOf(null)).toEqual({ issues: [{ message: 'expected a table' }] });
  });
});
