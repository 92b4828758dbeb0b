import { describe, expect, it } from 'vitest';
import { refusalSentence } from '../../../src/ask/refusal/refusal-sentences.ts';

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

  it('says that the retrieved chunks do not contain the answer when the model says so', () => {
    expect(refusalSentence('llm_self_judge', 'why?')).toBe(
      'Not enough evidence. The retrieved chunks do not contain the answer.',
    );
  });
});
