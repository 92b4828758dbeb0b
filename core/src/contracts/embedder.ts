import type { AbortOptions, Contribution } from './contribution.ts';

/** A text to embed; query and document prefixes are the embedder's own business. */
export interface EmbedInput {
  readonly text: string;
  readonly kind: 'document' | 'query';
}

/**
 * Turns texts into vectors: for each input, in order, one unit-length finite vector of `dimensions`, or null for a text that
 * holds nothing the model knows (empty, white space); never null for an answer that was no vector, which is `model_unreachable`.
 * Whatever comes back is checked: zeros, numbers that are not finite, and other dimensions leave the text without a vector, to be
 * embedded by a later run. A batch equals its members embedded one by one within 1e-3. Nothing is
 * truncated silently: a text longer than `maxInputTokens` is embedded in windows whose vectors are averaged.
 * Errors: `model_not_pulled`, `model_unreachable`, `timeout`.
 */
export interface Embedder extends Contribution {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly maxInputTokens: number;
  /** ISO 639-1 codes of the languages the model was made for; null when it was made for most of them. */
  readonly languages: readonly string[] | null;
  /** Cosines of questions with passages: `floor` the mean at random, `ceil` the median with the passage that answers. */
  readonly relevance: { readonly floor: number; readonly ceil: number };
  /**
   * True when its first text waits for a model that is loaded into this process: then a process that stays spares others that time. Unsaid
   * for what is quick, and for a server elsewhere.
   */
  readonly isSlowToLoad?: boolean;
  /** Looks whether the model can be used, and costs it nothing. Errors: `model_unreachable`, `model_not_pulled`, `timeout`. */
  probe?(options?: AbortOptions): Promise<void>;
  embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<readonly (Float32Array | null)[]>;
}
