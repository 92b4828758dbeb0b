import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { SearchedText } from '../../src/analysis/searched-text.ts';

describe('SearchedText', () => {
  it.each([
    ['The chunking\n  rules: kept', 'CHUNKING RULES'],
    ['Ein re\u0301sume\u0301.', 'resume'],
    ['use parseHTTPUrl', 'http url'],
    ['use parseHTTPUrl', 'use parsehttpurl'],
    ['snake_case', 'snake case'],
    ['한국은 크다', '한국'],
    ['한국은 크다', '국은 크'],
    ['새 API를 쓴다', 'API를 쓴'],
    ['버전2를', '버전2'],
  ])('finds in %j the phrase %j', (text, phrase) => {
    expect(holds(text, phrase)).toBe(true);
  });

  it.each([
    ['chunk rule', 'chunks rules'],
    ['rechunking', 'chunking'],
    ['chunkings', 'chunking'],
    ['rules of chunking', 'chunking rules'],
    ['a b', 'a b c'],
    ['한 국', '한국'],
    ['쓴다 API', 'API 쓴다'],
    ['', 'a'],
  ])('does not find in %j the phrase %j', (text, phrase) => {
    expect(holds(text, phrase)).toBe(false);
  });

  it('finds ASCII words between ASCII separators exactly when it finds them between other separators', () => {
    const pieces = ['a', 'B', 'b1', '_', ' ', '-', 'é', '한', '\u0301'];
    const texts = pieces.flatMap((one) => pieces.flatMap((two) => pieces.map((three) => one + two + three)));
    const phrases = ['a b', 'b a', 'a', 'b1', 'b', '1', 'a_b', 'e a', 'é b'];
    const answers = texts.flatMap((head) =>
      phrases.flatMap((phrase) =>
        ['', ' b1', 'a B', '-a'].map((tail) => {
          const text = head + tail;
          return {
            text,
            phrase,
            found: holds(text, phrase),
            expected: holds(text.replaceAll(/[ -]/g, '\u2003'), phrase),
          };
        }),
      ),
    );
    expect(answers.filter(({ found }) => found).length).toBeGreaterThan(1000);
    expect(answers.filter(({ found, expected }) => found !== expected)).toEqual([]);
  });
});

function holds(text: string, phrase: string): boolean {
  const [analysed] = analyseQuery(`"${phrase}"`).phrases;
  return analysed !== undefined && new SearchedText(text).holds(analysed);
}
