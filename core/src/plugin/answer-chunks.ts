import type { AbortOptions } from '../contracts/contribution.ts';
import type { AnswerSubstitute, TokenChunk } from '../contracts/language-model.ts';
import { ThinkFilter } from '../domain/turn.ts';

/** A part of an answer from a model server: text, often empty, and what the server has reported about the answer so far. */
export interface AnswerPart {
  readonly text: string;
  /** As counted by the server. Until it reports a count, each part with text counts as one completion token. */
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Whether the answer is complete or was cut off at the limit. */
  readonly finishReason?: 'stop' | 'length' | undefined;
  /** What the model has produced beside text. */
  readonly instead?: AnswerSubstitute | undefined;
}

/**
 * Converts the parts of an answer into the stream that {@link LanguageModel.generate} promises: tokens without the model's reasoning, and
 * one `done`. An error before the first token is thrown; a later error, or the signal, ends the answer. No parts are requested if the
 * signal has already fired.
 */
export async function* answerChunks(
  parts: AsyncIterable<AnswerPart>,
  { signal }: AbortOptions = {},
): AsyncGenerator<TokenChunk> {
  const course = new AnswerCourse();
  try {
    if (!hasFired(signal)) for await (const token of course.tokens(parts, signal)) yield { kind: 'token', token };
  } catch (error) {
    if (!hasFired(signal) && !course.hasBegun) throw error;
    course.breakOff(error);
  }
  yield course.done(hasFired(signal));
}

/** The state of an answer while it streams. */
class AnswerCourse {
  #usage = { promptTokens: 0, completionTokens: 0 };
  #finishReason: 'stop' | 'length' = 'stop';
  #error: string | undefined;
  #hasBegun = false;
  #instead: AnswerSubstitute | undefined;

  /** Whether a token has been emitted. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async *tokens(parts: AsyncIterable<AnswerPart>, signal: AbortSignal | undefined): AsyncGenerator<string> {
    const spoken = new ThinkFilter();
    for await (const part of parts) {
      this.#take(part);
      yield* this.#passedOn(spoken.push(part.text));
      if (!this.#hasBegun && part.text.trim() !== '') this.#instead ??= 'reasoning';
      if (hasFired(signal)) return;
    }
    yield* this.#passedOn(spoken.end());
  }

  #take(part: AnswerPart): void {
    const { promptTokens, completionTokens } = this.#usage;
    this.#usage = {
      promptTokens: part.promptTokens ?? promptTokens,
      completionTokens: part.completionTokens ?? completionTokens + (part.text === '' ? 0 : 1),
    };
    this.#finishReason = part.finishReason ?? this.#finishReason;
    this.#instead = part.instead ?? this.#instead;
  }

  #passedOn(token: string): readonly string[] {
    if (token === '') return [];
    this.#hasBegun = true;
    return [token];
  }

  breakOff(error: unknown): void {
    this.#error = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
  }

  done(aborted: boolean): TokenChunk {
    const usage = this.#usage;
    if (aborted) return { kind: 'done', finishReason: 'aborted', usage };
    if (this.#error !== undefined) return { kind: 'done', finishReason: 'error', error: this.#error, usage };
    const instead = this.#hasBegun || this.#instead === undefined ? {} : { instead: this.#instead };
    return { kind: 'done', finishReason: this.#finishReason, ...instead, usage };
  }
}

/** A function, because the compiler assumes that `signal.aborted` does not change. */
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
