import type { AbortOptions } from '../../contracts/contribution.ts';
import type { GenerateRequest, LanguageModel } from '../../contracts/language-model.ts';
import { isAbort, withDeadline } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { NO_EVIDENCE } from '../prompt/pack-context.ts';

/**
 * The longest text that is taken from a model, in UTF-16 units. No server has to keep to the limit of tokens that it is given: the
 * 2,048 that are asked for at most are some 10,000 characters, and what is ten times as long does not end by itself.
 */
const MAX_LENGTH = 100_000;

/** What a model wrote. */
export interface Generation {
  readonly text: string;
  /** Why it ended before its end: the caller cancelled, or the stream broke behind its first token. Null when it did not. */
  readonly interrupted: 'cancelled' | 'broken' | null;
  /** What went wrong, in the words of the model's server, on one line: the stream broke, or the limit was reached. Null when nothing did. */
  readonly failure: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Receives each token. */
export type OnToken = (token: string) => void;

/**
 * Lets a model write to its end, to the limit of tokens or of characters, or until the signal fires: then what there is by then is returned at once,
 * whether or not the model takes notice. Throws what the model throws before its first token.
 */
export async function generateText(
  model: LanguageModel,
  request: GenerateRequest,
  { onToken, ...options }: AbortOptions & { readonly onToken?: OnToken } = {},
): Promise<Generation> {
  const { signal } = options;
  let text = '';
  let usage = { promptTokens: 0, completionTokens: 0 };
  const ended = (interrupted: Generation['interrupted'], failure: string | null = null): Generation => ({
    text,
    interrupted,
    failure,
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
        if (token.length < chunk.token.length)
          return ended(null, `${model.model.id} was stopped at the limit of ${MAX_LENGTH} characters`);
        continue;
      }
      usage = { ...chunk.usage };
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
    // A stream that is left early is closed, and not waited for.
    void Promise.resolve(stream.return?.()).catch(() => undefined);
  }
}

/** What an error says, on one line. */
export function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** The beginning of a marker that the next token may complete, with as much space before it as is worth holding back. */
const OPEN_MARKER = /[ \t]{0,64}(?:\[(?:#\d{0,3})?)?$/;

/**
 * Turns the tokens of a model into the text that a reader sees, as it grows: `[#2]` becomes `[2]`, a marker of a passage
 * that is not there disappears, and nothing is shown of an answer that begins with the sentinel of missing evidence. What
 * may still become a marker or the sentinel is held back until the next token shows.
 */
export class MarkerStream {
  readonly #passages: number;
  #pending = '';
  #state: 'beginning' | 'answer' | 'sentinel' = 'beginning';

  /** `passages` is the highest number that a marker may have. */
  constructor(passages: number) {
    this.#passages = passages;
  }

  /** Takes a token and returns what can be shown now. */
  push(token: string): string {
    this.#pending += token;
    if (this.#state === 'beginning') this.#begin();
    if (this.#state !== 'answer') return '';
    const held = OPEN_MARKER.exec(this.#pending)?.[0].length ?? 0;
    return this.#take(this.#pending.length - held);
  }

  /** The rest, once no token follows. */
  end(): string {
    if (this.#state === 'sentinel') return '';
    this.#state = 'answer';
    return this.#take(this.#pending.length).trimEnd();
  }

  #begin(): void {
    const text = this.#pending.trimStart();
    if (text.startsWith(NO_EVIDENCE)) this.#state = 'sentinel';
    else if (!NO_EVIDENCE.startsWith(text)) this.#state = 'answer';
    this.#pending = text;
  }

  #take(length: number): string {
    const text = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    return rewriteMarkers(text, this.#passages);
  }
}

/** Markers `[#n]` as readers see them, `[n]`; those outside 1 to `passages` are left out with the space before them. */
export function rewriteMarkers(text: string, passages: number): string {
  return text.replaceAll(/((?<![ \t])[ \t]*)\[#(\d{1,3})\]/g, (_, space: string, digits: string) => {
    const number = Number(digits);
    return number >= 1 && number <= passages ? `${space}[${number}]` : '';
  });
}
