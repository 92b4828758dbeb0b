import { describe, expect, it } from 'vitest';
import { numeralsAsDigits } from '../src/east-asian-numerals.ts';

describe('numerals of a passage as digits', () => {
  it.each([
    ['管理費は月額一万二千円です', '管理費は月額12000円です'],
    ['午前十時から午後八時まで', '午前10時から午後8時まで'],
    ['最多容纳二十四人', '最多容纳24人'],
    ['湿度は四十から五十パーセント', '湿度は40から50パーセント'],
    ['二〇二五年五月九日', '2025年5月9日'],
    ['三百五十円', '350円'],
    ['湿度在百分之五十到六十', '湿度在50%到60%'],
    ['百分之二十五的会员', '25%的会员'],
    ['수강료는 삼만 오천 원이고 열두 명까지', '수강료는 35000원이고 12 명까지'],
    ['이월 일곱 번', '2월 7 번'],
  ])('reads %s', (text, read) => {
    expect(numeralsAsDigits(text).text).toBe(read);
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
    expect(numeralsAsDigits(text).text).toBe(text);
  });
});

it('numerals as digits keep the offsets of the text', () => {
  const text = '開館は午前十時から、最多二十四人';
  const { text: read, at } = numeralsAsDigits(text);
  for (const [digits, written] of [
    ['10', '十'],
    ['24', '二十四'],
  ] as const) {
    const start = read.indexOf(digits);
    expect(text.slice(at(start), at(start + digits.length))).toBe(written);
  }
});
