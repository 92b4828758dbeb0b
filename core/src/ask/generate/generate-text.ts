import type { AbortOptions } from '../../contracts/contribution.ts';
import type { AnswerSubstitute, GenerateRequest, LanguageModel } from '../../contracts/language-model.ts';
import { isAbort, withDeadline } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { NO_EVIDENCE, SENTINEL } from '../prompt/pack-context.ts';

/**
 * The maximum length of a model's text, in UTF-16 units. Servers may ignore the token limit that they are given: the maximum of 2,048
 * requested tokens is about 10,000 characters, and a text of ten times that length does not end by itself.
 */
const MAX_LENGTH = 100_000;

/** The output of a model. */
export interface Generation {
  readonly text: string;
  /** Why it ended early: the caller cancelled, or the stream broke after its first token. Null when it did not. */
  readonly interrupted: 'cancelled' | 'broken' | null;
  /** The error message of the model's server, on one line: the stream broke, or the limit was reached. Null when there was none. */
  readonly failure: string | null;
  /** What the model produced, where it wrote no text. Null when it did, or produced nothing. */
  readonly instead: AnswerSubstitute | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Receives each token. */
export type OnToken = (token: string) => void;

/**
 * Runs a model until it finishes, reaches the token or character limit, or the signal fires: the text so far is then returned at once,
 * whether or not the model reacts. `isComplete` ends it, too, when the text so far is all that is wanted. Throws what the model throws before its first token.
 */
export async function generateText(
  model: LanguageModel,
  request: GenerateRequest,
  {
    onToken,
    isComplete,
    ...options
  }: AbortOptions & { readonly onToken?: OnToken; readonly isComplete?: () => boolean } = {},
): Promise<Generation> {
  const { signal } = options;
  let text = '';
  let instead: AnswerSubstitute | null = null;
  let usage = { promptTokens: 0, completionTokens: 0 };
  const ended = (interrupted: Generation['interrupted'], failure: string | null = null): Generation => ({
    text,
    interrupted,
    failure,
    instead,
    ...usage,
  });
  const isCancelled = (): boolean => signal?.aborted === true;
  if (isCancelled()) return ended('cancelled');
  const stream = model.generate(request, options)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await withDeadline(() => stream.next(), { operation: 'ask', signal });
      if (next.done === true) return ended(null);
      const chunk = next.value;
      if (chunk.kind === 'token') {
        if (isCancelled()) return ended('cancelled');
        const token = chunk.token.slice(0, MAX_LENGTH - text.length);
        text += token;
        onToken?.(token);
        if (isComplete?.() === true) return ended(null);
        if (token.length < chunk.token.length)
          return ended(null, `${model.model.id} was stopped at the limit of ${MAX_LENGTH} characters`);
        continue;
      }
      usage = { ...chunk.usage };
      instead = chunk.instead ?? null;
      if (chunk.finishReason === 'aborted') return ended('cancelled');
      if (chunk.finishReason === 'error') {
        const failure = chunk.error ?? 'the model broke off without a reason';
        if (text === '') throw new Error(failure);
        return ended('broken', failure);
      }
      if (chunk.finishReason !== 'length') return ended(null);
      return ended(null, `${model.model.id} stopped at the limit of ${request.maxTokens} tokens`);
    }
  } catch (error) {
    if (isCancelled() && (isAbort(error) || isKebabError(error, 'cancelled'))) return ended('cancelled');
    if (text === '') throw error;
    return ended('broken', firstLineOf(error));
  } finally {
    // An abandoned stream is closed without waiting for it.
    void Promise.resolve(stream.return?.()).catch(() => undefined);
  }
}

/** The message of an error, on one line. */
export function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** The beginning of a marker that the next token may complete, with a limited amount of space before it. */
const OPEN_MARKER = /[ \t]{0,64}(?:\[(?:#\d{0,3})?)?$/;

/**
 * Converts the tokens of a model into the text shown to the reader, incrementally: `[#2]` becomes `[2]`, a marker of a nonexistent passage
 * is removed, and nothing is shown of an answer that begins with the sentinel for missing evidence. Text that may become a marker or the
 * sentinel is held back until the next token decides.
 */
export class MarkerStream {
  readonly #passages: number;
  #pending = '';
  #state: 'beginning' | 'answer' | 'sentinel' = 'beginning';

  /** `passages` is the highest number that a marker may have. */
  constructor(passages: number) {
    this.#passages = passages;
  }

  /** Takes a token and returns the text to show now. */
  push(token: string): string {
    this.#pending += token;
    if (this.#state === 'beginning') this.#begin();
    if (this.#state !== 'answer') return '';
    const held = OPEN_MARKER.exec(this.#pending)?.[0].length ?? 0;
    return this.#take(this.#pending.length - held);
  }

  /** The remaining text, at the end of the stream. */
  end(): string {
    if (this.#state === 'sentinel') return '';
    this.#state = 'answer';
    return this.#take(this.#pending.length).trimEnd();
  }

  #begin(): void {
    const text = this.#pending.trimStart();
    const sentinel = text.replace(/^[*_"'`“\s]+/, '').replace(/^\[(?=[^[])/, '[[');
    if (text.search(SENTINEL) === 0) this.#state = 'sentinel';
    else if (!NO_EVIDENCE.startsWith(sentinel.replace(' ', '_').toUpperCase())) this.#state = 'answer';
    this.#pending = text;
  }

  #take(length: number): string {
    const text = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    return rewriteMarkers(text, this.#passages);
  }
}

/** Rewrites markers `[#n]` as `[n]`; those outside 1 to `passages` are removed with the space before them. */
export function rewriteMarkers(text: string, passages: number): string {
  return text.replaceAll(/((?<![ \t])[ \t]*)\[#(\d{1,3})\]/g, (_, space: string, digits: string) => {
    const number = Number(digits);
    return number >= 1 && number <= passages ? `${space}[${number}]` : '';
  });
}
