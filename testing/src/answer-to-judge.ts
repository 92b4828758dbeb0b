import type { AnswerToJudge, PromptPassage } from '@kebab/core';
import { findOrders, readAnswer } from '@kebab/core/suites';

/** A passage of a prompt as a test writes it: its text, or what else matters of it. */
export type PassageText = string | (Partial<PromptPassage> & Pick<PromptPassage, 'text'>);

/**
 * What a checker receives for the text of a model, as `ask` prepares it: with markers `[n]`, its citations, and the orders in the passages.
 * Passages are numbered from 1.
 */
export function answerToJudge(
  raw: string,
  passages: readonly PassageText[],
  { question = '', isCutOff = false }: { readonly question?: string; readonly isCutOff?: boolean } = {},
): AnswerToJudge {
  const numbered = passages.map((passage, at): PromptPassage => {
    const given = typeof passage === 'string' ? { text: passage } : passage;
    const path = 'notes/a.md';
    return { number: at + 1, title: 'Note', headingPath: [], path, orders: findOrders(given.text), ...given };
  });
  return readAnswer(raw, { question, isCutOff, passages: numbered }).answer;
}
