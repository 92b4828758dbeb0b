import { describe, expect, it } from 'vitest';
import { breakingChanges } from './wire-fields.ts';

describe('breakingChanges', () => {
  const before = { '.id': 'required string', '.mode': 'optional string a|b', '.deep.n': 'required integer' };

  it('allows optional fields, values and whole new objects', () => {
    const after = {
      ...before,
      '.mode': 'optional string a|c|b',
      '.more': 'optional object',
      '.more.n': 'required integer',
    };
    expect(breakingChanges(before, after)).toEqual([]);
  });

  it.each([
    ['a field removed', { '.id': undefined }, '.id was removed'],
    ['a field retyped', { '.id': 'required integer' }, '.id was "required string" and is "required integer"'],
    ['a value removed', { '.mode': 'optional string a' }, '.mode was "optional string a|b" and is "optional string a"'],
    ['a closed set opened', { '.mode': 'optional string' }, '.mode was "optional string a|b" and is "optional string"'],
    ['an open set closed', { '.id': 'required string x' }, '.id was "required string" and is "required string x"'],
    [
      'a field made required',
      { '.mode': 'required string a|b' },
      '.mode was "optional string a|b" and is "required string a|b"',
    ],
    ['a field made optional', { '.id': 'optional string' }, '.id was "required string" and is "optional string"'],
    ['a required field added', { '.deep.m': 'required integer' }, '.deep.m is new and required'],
  ])('reports %s', (_case, change, expected) => {
    const after = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, text]) => text !== undefined));
    expect(breakingChanges(before, after as Record<string, string>)).toEqual([expected]);
  });
});
