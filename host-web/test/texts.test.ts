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
