/** What a model is for. */
export type ModelRole = 'embedding' | 'rerank' | 'nli';

/**
 * How the vectors of tokens become the vector of a text; `none` when the model does it by itself, `auto` when only the model
 * shows: its own vector of the text if it answers one, else the mean.
 */
export type Pooling = 'mean' | 'cls' | 'none' | 'auto';

/** How the weights are stored: `q8` has a scale for each matrix and one for each input. */
export type Precision = 'fp32' | 'fp16' | 'q8' | 'q4';

/** One file of a model. */
export interface ModelFile {
  /** Relative to the folder of the model, with `/`. */
  readonly path: string;
  /** Lower-case hex; null where only the hub knows it. */
  readonly sha256: string | null;
  readonly bytes: number | null;
}

/** Cosines of questions with passages: `floor` the mean at random, `ceil` the median with the passage that answers. */
export interface Relevance {
  readonly floor: number;
  readonly ceil: number;
}

/** All that has to be known of a model to fetch it, run it and read what it answers. Models are data: no code knows one by name. */
export interface ModelManifest {
  /** The name in the configuration, and of its folder in the model folder. */
  readonly id: string;
  readonly role: ModelRole;
  /** `owner/name` on the model hub; null for a model that is only known as a folder. */
  readonly repository: string | null;
  /** A branch, tag or commit of the repository. */
  readonly revision: string;
  readonly files: readonly ModelFile[];
  readonly precision: Precision;
  /** Of no meaning for a model that answers no vectors, as are the prefixes and the relevance. */
  readonly pooling: Pooling;
  /** Put before a text, as the model was trained; empty for most. */
  readonly prefixes: { readonly query: string; readonly document: string };
  /** Numbers in a vector; null for a model that answers no vectors. */
  readonly dimensions: number | null;
  /** The window of the model, special tokens included. */
  readonly maxTokens: number;
  /** ISO 639-1 codes of the languages it was made for; null when it was made for most of them. */
  readonly languages: readonly string[] | null;
  readonly relevance: Relevance;
}
