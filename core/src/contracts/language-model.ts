import type { HistoryItem } from '../domain/turn.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/**
 * What a model is asked. `maxTokens` bounds the completion and is really sent; a `stop` text ends it and is no part of it.
 * `images` are PNG files that belong to the last user message; a model without vision refuses them with `invalid_input`.
 */
export interface GenerateRequest {
  readonly messages: readonly HistoryItem[];
  readonly stop: readonly string[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed?: number;
  readonly images?: readonly Uint8Array[];
}

/**
 * A piece of an answer, or its end. Tokens are never empty and never split a character; what a model thinks before it answers
 * is no part of them. `usage` counts what the model counted; of an answer that broke off it is what is known, 0 if nothing is.
 */
export type TokenChunk =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'done';
      readonly finishReason: 'stop' | 'length' | 'aborted' | 'error';
      readonly error?: string;
      readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
    };

/**
 * Writes text. A stream ends with exactly one `done`; it honours `stop`, `maxTokens`, `seed` and the signal.
 *
 * - Errors before the first token: `model_unreachable`, `model_not_pulled`, `timeout`, and `invalid_input` for a request that
 *   the model refuses. After the first token nothing is thrown: what goes wrong then, a passed time limit included, is a
 *   `done` with `finishReason: 'error'` and one line in `error`.
 * - A signal that fires, even before the first token, is no error: the stream ends with `finishReason: 'aborted'` within a
 *   second. Whoever leaves the loop early need not abort: the model stops working either way.
 * - `contextTokens` is the window that prompt and completion share: what was asked for, and no more than the model has, as far
 *   as that is known when it is read.
 */
export interface LanguageModel extends Contribution {
  readonly model: { readonly id: string; readonly provider: string };
  readonly contextTokens: number;
  /** Looks whether the model can be used, and costs it nothing. Errors: `model_unreachable`, `model_not_pulled`, `timeout`. */
  probe?(options?: AbortOptions): Promise<void>;
  generate(request: GenerateRequest, options?: AbortOptions): AsyncIterable<TokenChunk>;
}
