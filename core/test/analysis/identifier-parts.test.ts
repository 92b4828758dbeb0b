import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifierParts } from '../../src/analysis/identifier-parts.ts';

describe('identifierParts', () => {
  it.each([
    ['parse HTTP Url', 'parseHTTPUrl'],
    ['HTTP Server', 'HTTPServer'],
    ['i Phone 15 Pro', 'iPhone15Pro'],
    ['utf 8', 'utf8'],
    ['2 nd', '2nd'],
    ['case Name', 'snake_caseName'],
    ['été Chaud', 'étéChaud'],
    ['foo Bar baz Qux', '(fooBar)->bazQux'],
    ['tail End', 'x'.repeat(40_000) + ' tailEnd'],
  ])('returns the parts "%s" of a compound name', (parts, text) => {
    expect(identifierParts(text)).toBe(` ${parts}`);
  });

  it.each([
    'plain words here',
    'UPPER Case',
    'APIs URLs IDs',
    'snake_case',
    '3.14',
    'naïve',
    '한국ab',
    '',
    'a…B',
    '😀A b',
  ])('returns no parts for "%s"', (text) => expect(identifierParts(text)).toBe(''));

  it('does not split hashes and encoded data', () => {
    expect(identifierParts('a1b2c3d4e5f6a7b8c9')).toBe('');
    expect(identifierParts('d41d8cd98f00b204e9800998ecf8427e aB')).toBe(' a B');
  });

  it('splits a word the same way wherever it appears', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), separator, (words, between) => {
        expect(identifierParts(words.join(between))).toBe(words.map(identifierParts).join(''));
      }),
    );
  });
});

const word = fc
  .array(fc.constantFrom(...'abzABZ019éÉßłŁж'), { minLength: 1, maxLength: 12 })
  .map((letters) => letters.join(''));
const separator = fc.constantFrom(' ', '_', '.', ' \u2019 ', '\u2026', '→', '\n');
