import type { Answer } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { markedSentences } from '../../src/pages/answer.ts';

type Finding = NonNullable<Answer['checks']>['findings'][number];

function finding(answer: string, text: string, { kind, level }: Pick<Finding, 'kind' | 'level'>): Finding {
  const start = answer.indexOf(text);
  return { kind, level, text, start, end: start + text.length, cited: [1], message: `about ${text}` };
}

function marksOf(answer: string, findings: readonly Finding[] = []): readonly (readonly [string, string])[] {
  const checks = { method: 'lexical', sentences: 1, cited: 1, details: 1, reason: null, findings } as const;
  return markedSentences({ answer, checks }).map(({ text, mark }) => [text.trim(), mark]);
}

describe('the sentences of an answer', () => {
  it('keep their markers, before and after the full stop', () => {
    expect(marksOf('Tea is hot [1]. Milk is cold. [2] Hello there.')).toEqual([
      ['Tea is hot [1].', 'supported'],
      ['Milk is cold. [2]', 'supported'],
      ['Hello there.', 'none'],
    ]);
  });

  it('are not split after an abbreviation or a decimal point', () => {
    expect(marksOf('Some grains, e.g. rye, take 2.5 hours [1].')).toEqual([
      ['Some grains, e.g. rye, take 2.5 hours [1].', 'supported'],
    ]);
  });

  it('are those of other languages too, and of lists', () => {
    expect(marksOf('빵은 네 시간 발효한다 [1]. 물은 60도이다 [2].').map(([, mark]) => mark)).toEqual([
      'supported',
      'supported',
    ]);
    expect(marksOf('小麦粉は100グラム[1]。水は60グラム[2]。').length).toBe(2);
    expect(marksOf('- one [1]\n- two [2]').length).toBe(2);
  });

  it('are together the text of the answer', () => {
    const answer = 'One [1]. [2] Two!\n\n- three e.g. four\n- Dr. Five said so. [3] ';
    expect(
      markedSentences({ answer })
        .map(({ text }) => text)
        .join(''),
    ).toBe(answer);
  });

  const TEXT = 'The kiln takes 9 hours [1]. It belongs to Ana [1].';
  it.each<[Finding['kind'], Finding['level'], string]>([
    ['number', 'failed', 'contradicted'],
    ['date', 'failed', 'contradicted'],
    ['unit', 'failed', 'contradicted'],
    ['quotation', 'failed', 'contradicted'],
    ['name', 'failed', 'unsupported'],
    ['claim', 'failed', 'unsupported'],
    ['citation', 'failed', 'unsupported'],
    ['computed', 'warning', 'computed'],
    ['name', 'warning', 'doubtful'],
  ])('with a %s that is %s are marked, and only they', (kind, level, mark) => {
    expect(marksOf(TEXT, [finding(TEXT, '9 hours', { kind, level })]).map(([, one]) => one)).toEqual([
      mark,
      'supported',
    ]);
  });

  it('have no verdict when nothing was checked', () => {
    expect(markedSentences({ answer: 'Tea is hot [1].' }).map(({ mark }) => mark)).toEqual(['unchecked']);
  });
});
