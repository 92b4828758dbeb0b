import { describe, expect, it } from 'vitest';
import { checked } from './judged.ts';

const passages = [
  'The old harbour was always closed to ships during the winter. All members of the city council voted for the new iron bridge. ' +
    'Wages in the northern provinces were higher than prices before the war. The committee did not approve the annual budget of the theatre.',
  '이 제품의 보증 기간은 구입일로부터 2년 이상입니다. 모든 회원은 총회에서 의결권을 행사할 수 있습니다.',
];

function reversals(text: string) {
  return checked(text, passages).findings.filter(({ kind, level }) => kind === 'claim' && level === 'failed');
}

describe('a sentence that reverses a sentence of its passage', () => {
  it.each([
    ['Wages in the northern provinces were lower than prices before the war [1].', 'lower'],
    ['Wages in the northern provinces were higher than prices after the war [1].', 'after'],
    ['Some members of the city council voted for the new iron bridge [1].', 'Some'],
    ['All members of the city council did not vote for the new iron bridge [1].', 'not'],
    ['The committee approved the annual budget of the theatre [1].', null],
    ['이 제품의 보증 기간은 구입일로부터 2년 이하입니다 [2].', '이하'],
    ['일부 회원은 총회에서 의결권을 행사할 수 있습니다 [2].', '일부'],
    ['모든 회원은 총회에서 의결권을 행사할 수 없습니다 [2].', '없습'],
  ])('fails: %s', (text, word) => {
    const [reversal, ...more] = reversals(text);
    expect(more).toEqual([]);
    expect(reversal?.text).toBe(word ?? text);
    expect(text.slice(reversal?.start, reversal?.end)).toBe(word ?? text);
  });

  it('says what stands there', () => {
    const text = 'Some members of the city council voted for the new iron bridge [1].';
    const { reason, findings } = checked(text, passages);
    expect(reason).toBe('not_in_passage');
    expect(findings[0]?.message).toBe('"Some" is "All" in a sentence of [1] with the same words');
  });

  it.each([
    'The old harbour was always closed to ships during the winter [1].',
    'The committee did not approve the annual budget of the theatre [1].',
    'City council members all voted for the new iron bridge [1].',
    'The harbour was closed in winter [1].',
  ])('is not one that agrees, or that has other words: %s', (text) => {
    expect(reversals(text)).toEqual([]);
  });
});
