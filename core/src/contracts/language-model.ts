import type { HistoryItem } from '../domain/turn.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/**
 * A request to a model. `maxTokens` bounds the completion and is sent to the model; a `stop` text ends the completion and is not part of
 * it. `images` are PNG files that belong to the last user message; a model without vision rejects them with `invalid_input`. `schema` is a JSON
 * Schema that the completion follows as one JSON value; only a `structured` model receives one, and rejects one that its server does not
 * take with `invalid_input`.
 */
export interface GenerateRequest {
  readonly messages: readonly HistoryItem[];
  readonly stop: readonly string[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed?: number;
  readonly images?: readonly Uint8Array[];
  readonly schema?: object | undefined;
}

/** What a model may produce instead of a text: its reasoning, or calls of tools that nobody offered. */
export type AnswerSubstitute = 'reasoning' | 'tool_calls';

/**
 * A piece of an answer, or its end. Tokens are never empty, never split a character, and exclude the model's reasoning. `usage` contains
 * the counts of the model; for an interrupted answer it contains what is known, 0 if nothing is.
 */
export type TokenChunk =
  | { readonly kind: 'token'; readonly token: string }
  | {
      readonly kind: 'done';
      readonly finishReason: 'stop' | 'length' | 'aborted' | 'error';
      readonly error?: string | undefined;
      /** What the model produced, where it produced no text. */
      readonly instead?: AnswerSubstitute | undefined;
      readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
    };

/**
 * Generates text. A stream ends with exactly one `done`; it honours `stop`, `maxTokens`, `seed` and the signal.
 *
 * - Errors before the first token: `model_unreachable`, `model_not_pulled`, `timeout`, and `invalid_input` for a request that the model
 *   rejects. After the first token nothing is thrown: any later failure, timeouts included, is a `done` with `finishReason: 'error'` and
 *   one line in `error`.
 * - A signal that fires, even before the first token, is not an error: the stream ends with `finishReason: 'aborted'` within a second. A
 *   caller that leaves the loop early need not abort: the model stops either way.
 * - `contextTokens` is the window shared by prompt and completion: the configured size, capped at the model's own limit as far as that is
 *   known when it is read.
 */
export interface LanguageModel extends Contribution {
  readonly model: { readonly id: string; readonly provider: string };
  readonly contextTokens: number;
  /** Whether it honours the `schema` of a request; absent for false. */
  readonly structured?: boolean | undefined;
  /** Checks whether the model can be used, without running it. Errors: `model_unreachable`, `model_not_pulled`, `timeout`. */
  probe?(options?: AbortOptions): Promise<void>;
  generate(request: GenerateRequest, options?: AbortOptions): AsyncIterable<TokenChunk>;
}
