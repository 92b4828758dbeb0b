import {
  throwIfCancelled,
  type AbortOptions,
  type AnswerJudgement,
  type AnswerToJudge,
  type GroundednessChecker,
} from '@kebab/core';
import { judgeAnswer } from './judge-answer.ts';

/** Judges answers by comparing them literally with their passages. */
export class ClaimsChecker implements GroundednessChecker {
  readonly id = 'claims';
  readonly version = '1';

  async judge(answer: AnswerToJudge, { signal }: AbortOptions = {}): Promise<AnswerJudgement> {
    throwIfCancelled(signal, 'ask');
    return judgeAnswer(answer);
  }
}
