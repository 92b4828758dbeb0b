import type { AbortOptions, Contribution } from './contribution.ts';

/** A text to embed; query and document prefixes are the embedder's own business. */
export interface EmbedInput {
  readonly text: string;
  readonly kind: 'document' | 'query';
}

/**
 * Turns texts into vectors: one unit-length finite vector of `dimensions` for each input, in order; a batch equals its
 * members embedded one by one within 1e-3; nothing is truncated silently.
 * Errors: `model_not_pulled`, `model_unreachable`, `timeout`.
 */
export interface Embedder extends Contribution {
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly maxInputTokens: number;
  /** Maps a cosine to relevance: `floor` is 0, `ceil` is 1. */
  readonly relevance: { readonly floor: number; readonly ceil: number };
  embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<readonly Float32Array[]>;
}
