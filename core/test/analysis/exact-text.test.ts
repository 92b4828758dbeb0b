import { describe, expect, it } from 'vitest';
import { analyseLiteral, analyseQuery, requireMarkedNames } from '../../src/analysis/analyse-query.ts';
import { SearchedText } from '../../src/analysis/searched-text.ts';

/** Whether a text holds everything that the strictest reading of a query requires. */
const holds = (query: string, text: string): boolean => {
  const { phrases, excluded } = requireMarkedNames(analyseQuery(query));
  const searched = new SearchedText(text);
  return phrases.every((phrase) => searched.holds(phrase)) && !excluded.some((phrase) => searched.holds(phrase));
};

describe('a name that is typed with its punctuation', () => {
  it.each([
    ['--hidden', 'rg --hidden shows them', 'a hidden file'],
    ['#68', 'see #68 for details', 'between 68 % and #680'],
    ['C++', 'written in C++.', 'written in C'],
    ['.env', 'put it into .env', 'the env of a process'],
    ['C#', 'a C# service', 'C is older'],
    ['how does --no-ignore work', 'use --no-ignore here', 'no, ignore it'],
    ['"MAX_ROWS"', 'const MAX_ROWS = 5', 'const maxRows = 5'],
    ['"maxRows"', 'maxRows = 5', 'MAX_ROWS = max rows'],
    ['"retry-after"', 'the Retry-After header', 'retry after a while'],
    ['"a->b"', 'calls a->b twice', 'from a to b'],
    ['"x = y * 2"', 'then x =\n y * 2 holds', 'x y 2'],
    ['+_name', 'self._name = 1', 'self.name = 1'],
    ['-_name other', 'other name', 'other _name'],
    ['"가격=100"', '설정: 가격=100', '가격 100'],
  ])('%s is in %j, not in %j', (query, inside, outside) => {
    expect([holds(query, inside), holds(query, outside)]).toEqual([true, false]);
  });

  it.each([
    ['"bulk fermentation"', 'Bulk fermentation takes hours'],
    ['"meeting, notes"', 'Meeting notes'],
    ['"Kebab"', 'a kebab'],
    ['"don\'t panic"', 'Don’t panic'],
  ])('is not meant by the prose %s', (query, text) => expect(holds(query, text)).toBe(true));

  it('gives way where nothing holds it', () => {
    expect(requireMarkedNames(analyseQuery('what is --frobnicate')).weaker).toMatchObject({ phrases: [] });
  });
});

describe('a literal query', () => {
  it.each([
    ['or -x "y', 'for -x "y" it is', true],
    ['tag:work', 'a line with tag:work', true],
    ['Tag:Work', 'a line with tag:work', false],
    ['max', 'MAX', false],
  ])('%j in %j: %s', (query, text, expected) => {
    const { phrases } = analyseLiteral(query);
    expect(phrases.every((phrase) => new SearchedText(text).holds(phrase))).toBe(expected);
  });
});
