import { describe, expect, it } from 'vitest';
import { DEFAULT_HINTS, ERROR_CODES } from '../../src/errors/codes.ts';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import { isKebabError, KebabError } from '../../src/errors/kebab-error.ts';

describe('KebabError', () => {
  it('carries code, message, details and cause, and is an Error', () => {
    const cause = new Error('refused');
    const details = { endpoint: 'http://127.0.0.1:11434', model: 'm', cause: 'refused' };
    const error = new KebabError('model_unreachable', 'cannot reach the model', { details, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'KebabError',
      code: 'model_unreachable',
      message: 'cannot reach the model',
      details,
      cause,
    });
  });

  it('uses the default hint of its code unless given a better one', () => {
    const details = { path: '/none.toml' };
    expect(new KebabError('config_not_found', 'x', { details }).hint).toBe(DEFAULT_HINTS.config_not_found);
    expect(new KebabError('config_not_found', 'x', { details, hint: 'look elsewhere' }).hint).toBe('look elsewhere');
  });

  it('has no own cause property when none was given', () => {
    expect(new KebabError('generic', 'x', { details: { chain: [] } })).not.toHaveProperty('cause');
  });
});

describe('isKebabError', () => {
  it('recognises an error of another copy of the package by its brand', () => {
    const brand = Symbol.for('@kebab/core/error');
    const error: unknown = Object.assign(new Error('in use'), { code: 'locked', [brand]: true });
    expect(error).not.toBeInstanceOf(KebabError);
    expect(isKebabError(error)).toBe(true);
    expect(isKebabError(error, 'locked')).toBe(true);
    expect(isKebabError(error, 'generic')).toBe(false);
  });

  it.each([undefined, null, 'locked', new Error('x'), { code: 'locked' }])('rejects %o', (value) => {
    expect(isKebabError(value)).toBe(false);
  });
});

describe('invalidInput', () => {
  it('sets unknown details to null', () => {
    expect(invalidInput('bad').details).toEqual({ field: null, value: null, allowed: null, suggestion: null });
  });

  it('keeps known details, including a hint', () => {
    const error = invalidInput('bad', {
      field: 'k',
      value: '0',
      allowed: ['1'],
      suggestion: '1',
      hint: 'give 1 to 100',
    });
    expect(error).toMatchObject({
      code: 'invalid_input',
      details: { field: 'k', value: '0', allowed: ['1'], suggestion: '1' },
      hint: 'did you mean 1? give 1 to 100',
    });
  });
});

describe('DEFAULT_HINTS', () => {
  it('has exactly one line per code', () => {
    expect(Object.keys(DEFAULT_HINTS)).toEqual([...ERROR_CODES]);
    for (const hint of Object.values(DEFAULT_HINTS)) expect(hint).toMatch(/^[^\n]{8,}$/);
  });
});
