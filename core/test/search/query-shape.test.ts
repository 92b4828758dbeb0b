import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { canRead, queryShape } from '../../src/search/query-shape.ts';

const identifiersOf = (text: string): readonly string[] => queryShape(analyseQuery(text)).identifiers;

describe('queryShape', () => {
  it('does not take a word longer than any name for a name, and rejects it at once', () => {
    expect(identifiersOf('x'.repeat(1_000_000))).toEqual([]); // quadratic time would take minutes
  });

  it.each([
    'parseHTTPUrl',
    'SearchDocuments',
    'read_text',
    'MAX_RETRIES',
    '$refs',
    'os.path.join',
    'Engine::open',
    'close()',
    '--dry-run',
    'src/app.ts',
    './config',
    'package.json',
    'a/b/c',
    'HTTPServer',
  ])('recognises %s as a name from code', (text) => {
    expect(identifiersOf(text)).toEqual([text]);
  });

  it.each(['password', 'and/or', 'e.g.', 'What?', '3.5', 'state-of-the-art', 'AI', '서울', "don't", 'U.S.'])(
    'recognises %s as a plain word',
    (text) => {
      expect(identifiersOf(text)).toEqual([]);
    },
  );

  it('finds names among words, without the marks around them', () => {
    expect(identifiersOf('where is (rankChunks) called?')).toEqual(['(rankChunks)']);
  });

  it('excludes exclusions and quote marks', () => {
    expect(queryShape(analyseQuery('"salt water" fish -shark'))).toEqual({
      words: ['salt', 'water', 'fish'],
      identifiers: [],
    });
  });
});

describe('canRead', () => {
  it.each([
    ['how do I reset my password', true],
    ['comment réinitialiser le mot de passe', true],
    ['3.5 % 2024', true],
    ['', true],
    ['서울의 날씨는 어떤가요', false],
    ['東京の天気', false],
    ['Как сбросить пароль', false],
    ['OpenAI embedding API란', true],
    ['React 컴포넌트 최적화 방법', false],
  ])('a model for English reads %j: %s', (text, expected) => {
    expect(canRead(['en'], text)).toBe(expected);
  });

  it.each([
    ['ko', '서울의 날씨', true],
    ['ko', '東京 大學', true],
    ['ko', 'ひらがな', false],
    ['ja', '東京の天気', true],
    ['zh', '北京天气', true],
    ['ru', 'Как сбросить пароль', true],
    ['ru', 'reset the password', true],
  ])('a model for %s reads %j: %s', (language, text, expected) => {
    expect(canRead([language], text)).toBe(expected);
  });

  it('a model for most languages reads everything', () => {
    expect(canRead(null, '서울 東京 Москва')).toBe(true);
  });

  it('identifies a language by its first two letters', () => {
    expect(canRead(['ko-KR'], '서울')).toBe(true);
  });
});
