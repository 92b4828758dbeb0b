import { describe, expect, it } from 'vitest';
import { canRead } from '../../src/search/spoken-scripts.ts';

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

  it('takes a language by its first two letters', () => {
    expect(canRead(['ko-KR'], '서울')).toBe(true);
  });
});
