import type { Precision } from '../manifest/model-manifest.ts';

/** How a model is run: by ONNX Runtime, or as the table of token vectors that it is. */
export type ModelWeights =
  | { readonly kind: 'onnx'; readonly file: string; readonly precision: Precision }
  /** `file` is a safetensors file with a tensor `embeddings`. */
  | { readonly kind: 'static'; readonly file: string; readonly precision: Precision; readonly dimensions: number };
