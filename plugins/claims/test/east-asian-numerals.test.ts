import { describe, expect, it } from 'vitest';
import { arabicNumerals, numeralsAsDigits } from '../src/east-asian-numerals.ts';

describe('numerals of a passage as digits', () => {
  it.each([
    ['管理費は月額一万二千円です', '管理費は月額12000円です'],
    ['午前十時から午後八時まで', '午前10時から午後8時まで'],
    ['最多容纳二十四人', '最多容纳24人'],
    ['湿度は四十から五十パーセント', '湿度は40から50パーセント'],
    ['二〇二五年五月九日', '2025年5月9日'],
    ['三百五十円', '350円'],
    ['수강료는 삼만 오천 원이고 열두 명까지', '수강료는 35000원이고 12 명까지'],
    ['이월 일곱 번', '2월 7 번'],
  ])('reads %s', (text, read) => {
    expect(numeralsAsDigits(text)).toBe(read);
  });

  it.each([
    '十分に注意する',
    '万一の場合',
    '一部の店',
    '三四个人',
    '이 사람은 세탁실에서',
    '한 학기 비용은 82만 원',
    '밤 11시 30분',
  ])('leaves %s as it is', (text) => {
    expect(numeralsAsDigits(text)).toBe(text);
  });
});

it('numerals of an answer as digits keep its length', () => {
  for (const text of ['一万二千円', '二十四人', '午前十時', '三月二十日', '百二十名'])
    expect(arabicNumerals(text)).toHaveLength(text.length);
  expect(arabicNumerals('最多二十四人')).toBe('最多 24人');
  expect(arabicNumerals('一万二千円')).toBe('1万2千円');
});
