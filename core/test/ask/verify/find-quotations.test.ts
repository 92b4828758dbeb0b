import { describe, expect, it } from 'vitest';
import { findQuotations } from '../../../src/ask/verify/find-quotations.ts';

describe('findQuotations', () => {
  it.each<[string, readonly string[]]>([
    ['It was "1889".', ['1889']],
    ['It was “March 1889”, then ‘not so very long’ ago', ['March 1889', 'not so very long']],
    ['그것은 「서울의 봄」과 『춘향전』이다', ['서울의 봄', '춘향전']],
    ['c’était « le printemps »', ['le printemps']],
    ['"a", "b"', ['a', 'b']],
    ['the "so-called "Norse" raiders" came', ['so-called "Norse" raiders']],
    ['“outer “inner” outer”', ['outer “inner” outer']],
    ['„so ist es“ und „so war es”', ['so ist es', 'so war es']],
    ["it's the dogs' bone and the '80s", []],
    ["he said 'not in my name' twice", ['not in my name']],
    ["'훈련 계획'과 '구급대응 훈련'을", ['훈련 계획', '구급대응 훈련']],
    ['a 5" pipe and a 6" pipe', []],
    ['그는"안녕하세요"라고 했다', ['안녕하세요']],
    ['an open "quotation', []],
    ['"over\na line" but "not\n\na paragraph"', ['over\na line']],
    ['""', []],
  ])('finds in %j %j', (text, expected) => {
    expect(findQuotations(text).map((quotation) => quotation.text)).toEqual(expected);
  });
});
