import { describe, expect, it } from 'vitest';
import { codeConfig } from '../src/language-pack.ts';

const validate = codeConfig['~standard'].validate;

describe('the configuration of a language pack', () => {
  it('has a default timeout of two seconds per file', () => {
    expect(validate({})).toEqual({ value: { parseTimeoutMs: 2_000 } });
  });

  it('accepts a whole number of milliseconds', () => {
    expect(validate({ parseTimeoutMs: 1 })).toEqual({ value: { parseTimeoutMs: 1 } });
    expect(validate({ parseTimeoutMs: 600_000 })).toEqual({ value: { parseTimeoutMs: 600_000 } });
  });

  it.each([0, -1, 1.5, 600_001, Number.NaN, '5', null])('refuses %s milliseconds, naming the key', (parseTimeoutMs) => {
    expect(validate({ parseTimeoutMs })).toEqual({
      issues: [{ message: 'expected a whole number from 1 to 600000', path: ['parseTimeoutMs'] }],
    });
  });
});
