import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/analysis/parse-query.ts';

describe('parseQuery', () => {
  it('takes phrases and exclusions out', () => {
    expect(parseQuery('a "b c" -d -"e f" +h +"i j" g')).toEqual({
      loose: ['a ', ' ', ' ', ' ', ' ', ' g'],
      phrases: ['b c'],
      required: ['h', 'i j'],
      excluded: ['d', 'e f'],
      embeddingText: 'a b c h i j g',
    });
  });

  it.each([
    ['-word', ['word']],
    ['x -한국', ['한국']],
    ['\t-9', ['9']],
    ['-a-b.c', ['a-b.c']],
    ['-"a b"', ['a b']],
    ['--word', []],
    ['a-b', []],
    ['- word', []],
    ['-*', []],
    ['-_x', []],
    ['-"open', []],
    ['(-word)', []],
    ['–word', []],
    ['-', []],
  ])('reads the minus of %s', (text, excluded) => {
    expect(parseQuery(text).excluded).toEqual(excluded);
  });

  it.each([
    ['+word', ['word']],
    ['x +한국', ['한국']],
    ['+"a b"', ['a b']],
    ['+82 10', []],
    ['C++ a+b', []],
    ['++word', []],
    ['+ word', []],
    ['+"open', []],
  ])('reads the plus of %s', (text, required) => {
    expect(parseQuery(text).required).toEqual(required);
  });

  it.each([
    ['"a b"', ['a b']],
    ['("a b")', ['a b']],
    ['x-"a"', ['a']],
    ['"a""b"', ['a', 'b']],
    ['"a"b"', ['a']],
    ['""', ['']],
    ['"a', []],
    ['a"', []],
    ['5" and 3"', []],
    ['a"b c"', []],
    ['“a b”', []],
  ])('reads the quotes of %s', (text, phrases) => {
    expect(parseQuery(text).phrases).toEqual(phrases);
  });

  it('leaves an unbalanced quote in the query as data', () => {
    expect(parseQuery('say "open  -"')).toMatchObject({ loose: ['say '], phrases: ['open  -'] });
    expect(parseQuery('say "open  end')).toMatchObject({ loose: ['say "open  end'], embeddingText: 'say "open end' });
  });
});
