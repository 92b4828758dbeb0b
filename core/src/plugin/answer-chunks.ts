import type { AbortOptions } from '../contracts/contribution.ts';
import type { TokenChunk } from '../contracts/language-model.ts';
import { ThinkFilter } from '../domain/turn.ts';

/** A part of an answer as a model server sends it: text, often none, and what the server has said of the answer so far. */
export interface AnswerPart {
  readonly text: string;
  /** As the server counted them. Until it does, each part with text is one token of the completion. */
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Whether the answer is whole, or as long as it may be. */
  readonly finishReason?: 'stop' | 'length' | undefined;
}

/**
 * Makes of the parts of an answer what {@link LanguageModel.generate} promises: tokens without what the model thinks aloud, and one
 * `done`. What the parts throw before the first token is thrown; what they throw later ends the answer, as a signal does that fires.
 * The parts are not asked for where it has fired already.
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

/** How far an answer has come, and how it ends. */
class AnswerCourse {
  #usage = { promptTokens: 0, completionTokens: 0 };
  #finishReason: 'stop' | 'length' = 'stop';
  #error: string | undefined;
  #hasBegun = false;

  /** Whether a token was passed on. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async *tokens(parts: AsyncIterable<AnswerPart>, signal: AbortSignal | undefined): AsyncGenerator<string> {
    const spoken = new ThinkFilter();
    for await (const part of parts) {
      this.#take(part);
      yield* this.#passedOn(spoken.push(part.text));
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
    return { kind: 'done', finishReason: this.#finishReason, usage };
  }
}

/** A function, because the compiler takes it for granted that a signal stays as it was. */
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
