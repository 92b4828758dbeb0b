import { describe, expect, it } from 'vitest';
import { nearCandidates, refusalSentence } from '../../../src/ask/run/refusal.ts';
import { passage } from '../evidence-example.ts';

describe('refusalSentence', () => {
  it.each([
    ['What was the revenue?', 'Not enough evidence. The knowledge base has nothing on this.'],
    ['회사의 매출은 얼마였나요? (revenue)', '근거가 부족합니다. 지식 베이스에 관련 내용이 없습니다.'],
    ['会社の売上は?', '根拠が不足しています。ナレッジベースに該当する内容がありません。'],
    ['营业额是多少？', 'Not enough evidence. The knowledge base has nothing on this.'],
    ['Wie hoch war der Umsatz?', 'Not enough evidence. The knowledge base has nothing on this.'],
    ['', 'Not enough evidence. The knowledge base has nothing on this.'],
  ])('answers %j in its language', (question, sentence) => {
    expect(refusalSentence('score_gate', question)).toBe(sentence);
  });

  it('says that the retrieved chunks do not contain the answer when the model does', () => {
    expect(refusalSentence('llm_self_judge', 'why?')).toBe(
      'Not enough evidence. The retrieved chunks do not contain the answer.',
    );
  });
});

describe('nearCandidates', () => {
  it('lists places without markers, most relevant first, each once', () => {
    const found = [
      passage('a', { score: 0.1 }),
      passage('b', { score: 0.2, start: 5 }),
      passage('c', { score: 0.05, start: 5 }),
    ];
    expect(nearCandidates(found).map(({ marker, citation, score }) => [marker, citation.uri, score])).toEqual([
      [null, 'notes/a.md#L5', 0.2],
      [null, 'notes/a.md#L1', 0.1],
    ]);
  });
});
