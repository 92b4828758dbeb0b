import { answerToJudge, type PassageText } from '@kebab/testing';
import type { AnswerJudgement, PromptPassage } from '@kebab/core';
import { checkClaims, preparePrompt, type CheckedClaims } from '../src/check-claims.ts';
import { judgeAnswer } from '../src/judge-answer.ts';

/** The judgement of a model's text. */
export function judged(raw: string, passages: readonly PassageText[], question = ''): AnswerJudgement {
  return judgeAnswer(answerToJudge(raw, passages, { question }));
}

/** The checks of a text as it stands: no marker is set or replaced. */
export function checked(raw: string, passages: readonly PassageText[], question = ''): CheckedClaims {
  const answer = answerToJudge(raw, passages, { question });
  return checkClaims(answer, preparePrompt(answer));
}

/** Passages numbered from 1. */
export function passagesOf(...texts: readonly string[]): readonly PromptPassage[] {
  return answerToJudge('', texts).passages;
}
