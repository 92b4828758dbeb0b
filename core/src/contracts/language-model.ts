import type { HistoryItem } from '../domain/turn.ts';
import type { AbortOptions, Contribution } from './contribution.ts';

/** What a model is asked. `maxTokens` bounds the completion and is really sent. */
export interface GenerateRequest {
  readonly messages: readonly HistoryItem[];
  readonly stop: readonly string[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed?: number;
  readonly images?: readonly Uint8Array[];
}

/** A piece of an answer, or its end. */
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
 * Errors before the first token: `model_unreachable`, `model_not_pulled`, `timeout`.
 */
export interface LanguageModel extends Contribution {
  readonly model: { readonly id: string; readonly provider: string };
  readonly contextTokens: number;
  generate(request: GenerateRequest, options?: AbortOptions): AsyncIterable<TokenChunk>;
}
