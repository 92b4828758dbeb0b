import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import { toErrorV1 } from '../../src/wire/to-error.ts';
import { parseWire } from './parse-wire.ts';

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('toErrorV1', () => {
  it('converts a KebabError with its code, details and hint', () => {
    const error = invalidInput('no mode is called "hybird"', { field: 'mode', value: 'hybird', suggestion: 'hybrid' });
    expect(toErrorV1(error)).toEqual({
      schema_version: 'error.v1',
      code: 'invalid_input',
      message: 'no mode is called "hybird"',
      details: { field: 'mode', value: 'hybird', allowed: null, suggestion: 'hybrid' },
      hint: 'did you mean hybrid?',
    });
  });

  it('writes the message on one line, whatever the original message', () => {
    expect(toErrorV1(new Error('first\r\n  second\n\nthird\u2028fourth\n')).message).toBe('first second third fourth');
  });

  it.each([
    ['a failing file', caught(() => readFileSync('/no/such/file'))],
    ['an abort', new DOMException('This operation was aborted', 'AbortError')],
    ['a failing database', Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })],
    ['a failure with causes', new Error('outer', { cause: new Error('inner') })],
    ['a text', 'just text'],
    ['nothing', undefined],
    ['a bare object', Object.create(null)],
  ])('produces a valid error.v1 for %s', (_case, value) => {
    const error = toErrorV1(value);
    expect(parseWire('error', error)).toEqual(error);
  });
});
