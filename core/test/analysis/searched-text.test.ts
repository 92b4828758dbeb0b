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
    ['a snake case', 'snake_case'],
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
});

function holds(text: string, phrase: string): boolean {
  const [analysed] = analyseQuery(`"${phrase}"`).phrases;
  return analysed !== undefined && new SearchedText(text).holds(analysed);
}
