import type { SearchResponse } from '@kebab/core/app';
import { expect, it } from 'vitest';
import { textsFor } from '../src/texts.ts';

const [en, ko] = [textsFor('en'), textsFor('ko-KR,en;q=0.5')];
const degraded: SearchResponse['degraded'][number] = {
  stage: 'vector',
  reason: 'vectors_missing',
  hint: 'run `kebab ingest`',
};

it('says in English what the engine says, and in Korean what that means', () => {
  expect(en.degraded(degraded)).toContain(degraded.hint);
  expect(ko.degraded(degraded)).toMatch(/^낱말로만 찾음.*`kebab ingest`/);
  const index = { changed: 3, refreshed: 0, reason: 'locked', hint: 'search again in a moment' } as const;
  expect(en.indexState(index)).toContain(index.hint);
  expect(ko.indexState(index)).toMatch(/파일 3개.*다시 검색/);
  expect(ko.indexState({ ...index, changed: 0, reason: 'budget' })).toContain('최근에 바뀐 파일만');
  expect(ko.readAsWords('AND', 'write +word')).not.toContain('write');
});

it('counts with the numbers and nouns of a language, and shows a value as it is', () => {
  expect([en.hits(1, 1), en.hits(5000, 2)]).toEqual(['1 passage in 1 document', '5,000 passages in 2 documents']);
  expect(ko.hits(3, 2)).toBe('문서 2개에서 구절 3개');
  expect(en.notSearched('{0}$&')).toBe('Not searched: {0}$&');
});

it.each([
  ['L6', 'line 6', '6줄'],
  ['L6-L8', 'lines 6–8', '6–8줄'],
  ['p=3', 'page 3', '3쪽'],
  ['row=1-11', 'rows 1–11', '1–11행'],
  ['sheet=Q3-2024&row=17', 'sheet Q3-2024, row 17', '시트 Q3-2024, 17행'],
  ['cell=2', 'cell 2', '셀 2'],
  ['slide=4', 'slide 4', '슬라이드 4'],
  ['section=part-2..$&', 'section part-2..$, ', '절 part-2..$, '],
  ['Left', 'Left', 'Left'],
  ['', '', ''],
])('names a place in words: %s', (fragment, english, korean) => {
  expect([en.at(fragment), ko.at(fragment)]).toEqual([english, korean]);
});

it.each([
  ['number', 'failed', '“9 cm”은(는) 구절에 없습니다.'],
  ['quotation', 'failed', '따옴표 안의 “9 cm”은(는) 구절에 그대로 있지 않습니다.'],
  ['name', 'warning', '직접 확인하세요: “9 cm”은(는) 구절에 없습니다.'],
  ['computed', 'warning', '구절의 수에서 계산한 값입니다: 3 × 3 cm'],
] as const)('says in Korean what a check found: %s', (kind, level, said) => {
  const message = '"9 cm" is not in [1], and follows from it: 3 × 3 cm';
  expect(ko.finding({ kind, level, text: '9 cm', start: 0, end: 4, cited: [1], message })).toBe(said);
});
