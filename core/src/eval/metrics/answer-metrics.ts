import type { ResultAnswer } from '../query-result.ts';

/** Whether a text contains each of these strings exactly as they are. */
export function containsAll(text: string, strings: readonly string[]): boolean {
  return strings.every((string) => text.includes(string));
}

/** Whether a text contains none of these strings exactly as they are. */
export function containsNone(text: string, strings: readonly string[]): boolean {
  return strings.every((string) => !text.includes(string));
}

/** Whether an answer has citations, all of them verify as exact, and none has a quotation that its passage lacks. */
export function isCovered({ citations }: Pick<ResultAnswer, 'citations'>): boolean {
  return citations.length > 0 && citations.every(({ status, verified }) => status === 'exact' && verified !== false);
}
