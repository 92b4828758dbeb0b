import type { TokenChunk } from '@kebab/core';

/** The parts of a streamed value that count; servers add others. */
interface ChatValue {
  readonly choices?: readonly {
    /** `reasoning_content` and `reasoning` hold what the model thinks; they are no part of the answer. */
    readonly delta?: { readonly content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}

/** How far an answer has come, and how it ends. */
export class AnswerCourse {
  #usage = { promptTokens: 0, completionTokens: 0 };
  #finishReason: string | undefined;
  #error: string | undefined;
  #begun = false;

  /** Whether a token was passed on. */
  get begun(): boolean {
    return this.#begun;
  }

  /** The chunk for a token that is passed on. */
  token(token: string): TokenChunk {
    this.#begun = true;
    return { kind: 'token', token };
  }

  /** The text of a value. A value with text counts as a token until the server sends its own count. */
  take(value: Readonly<Record<string, unknown>>): string {
    const { choices, usage } = value as ChatValue;
    const text = choices?.[0]?.delta?.content ?? '';
    this.#finishReason = choices?.[0]?.finish_reason ?? this.#finishReason;
    const { promptTokens, completionTokens } = this.#usage;
    this.#usage = {
      promptTokens: usage?.prompt_tokens ?? promptTokens,
      completionTokens: usage?.completion_tokens ?? completionTokens + (text === '' ? 0 : 1),
    };
    return text;
  }

  /** What is wrong with the end of an answer whose stream has ended; undefined when nothing is. */
  get fault(): string | undefined {
    if (this.#finishReason === undefined) return 'the answer ended before its last part';
    return this.#finishReason === 'content_filter' ? 'the server withheld the rest of the answer' : undefined;
  }

  /** Remembers what went wrong. */
  breakOff(error: unknown): void {
    this.#error = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
  }

  /** The end of the answer. */
  done(aborted: boolean): TokenChunk {
    const usage = this.#usage;
    if (aborted) return { kind: 'done', finishReason: 'aborted', usage };
    if (this.#error !== undefined) return { kind: 'done', finishReason: 'error', error: this.#error, usage };
    return { kind: 'done', finishReason: this.#finishReason === 'length' ? 'length' : 'stop', usage };
  }
}
