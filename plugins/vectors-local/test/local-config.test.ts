import { describe, expect, it } from 'vitest';
import { localConfigSchema } from '../src/local-config.ts';

const validate = localConfigSchema['~standard'].validate;

describe('localConfigSchema', () => {
  it('accepts a file and how to open it', () => {
    const config = { file: '/data/kebab.sqlite', readonly: true };
    expect(validate(config)).toEqual({ value: config });
  });

  it('names what is missing, wrong or unknown', () => {
    expect(validate({ file: '', readonly: 'no', folder: '/x' })).toEqual({
      issues: [
        { message: 'expected a text that is not empty', path: ['file'] },
        { message: 'expected true or false', path: ['readonly'] },
        { message: 'unknown key', path: ['folder'] },
      ],
    });
    expect(validate(null)).toEqual({ issues: [{ message: 'expected a table' }] });
  });
});
