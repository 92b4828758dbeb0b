import type { AbortOptions, Contribution } from './contribution.ts';

/** A text to embed; the embedder adds query and document prefixes itself. */
export interface EmbedInput {
  readonly text: string;
  readonly kind: 'document' | 'query';
}

/**
 * Turns texts into vectors: for each input, in order, one unit-length finite vector of `dimensions`, or null for a text without content for
 * the model (empty, white space). A response that is not a vector is `model_unreachable`, never null. Results are validated: a zero vector,
 * non-finite numbers or other dimensions leave the text without a vector, to be embedded by a later run. A batch equals its members
 * embedded one by one within 1e-3. Nothing is truncated silently: a text longer than `maxInputTokens` is embedded in windows whose vectors
 * are averaged. Errors: `model_not_pulled`, `model_unreachable`, `timeout`.
 */
export interface Embedder extends Contribution {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly maxInputTokens: number;
  /** ISO 639-1 codes of the languages the model was trained for; null when it covers most languages. */
  readonly languages: readonly string[] | null;
  /**
   * Cosines of questions with passages: `floor` is the mean of random pairs, `ceil` the median of pairs in which the passage answers the
   * question.
   */
  readonly relevance: { readonly floor: number; readonly ceil: number };
  /**
   * True when the first call has to load a model into this process, which a long-lived process avoids for others. Absent for models that
   * load quickly, and for remote servers.
   */
  readonly isSlowToLoad?: boolean;
  /** Checks whether the model can be used, without running it. Errors: `model_unreachable`, `model_not_pulled`, `timeout`. */
  probe?(options?: AbortOptions): Promise<void>;
  embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<readonly (Float32Array | null)[]>;
}
