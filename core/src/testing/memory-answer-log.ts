import type { AnswerLog, AnswerRow } from '../contracts/answer-log.ts';

/** Answers in memory, for tests. */
export class MemoryAnswerLog implements AnswerLog {
  readonly #answers: AnswerRow[] = [];

  record(answer: AnswerRow): void {
    this.#answers.push({ ...answer });
  }

  latest(limit: number): readonly AnswerRow[] {
    return this.#answers
      .toReversed()
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, limit);
  }
}
