/** The file layout of transformers.js and its exports. */
const ONNX_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];

/** Files of a model2vec model, whose vectors are a plain matrix. */
const STATIC_FILES = ['config.json', 'tokenizer.json', 'model.safetensors'];

const NO_PREFIXES = { query: '', document: '' };

/**
 * The common part of the E5 family. Its cosines are concentrated between 0.7 and 1. Bounds measured with multilingual-e5-small, four-bit:
 * mean cosine of questions with random passages .76 on English and .83 on Korean text, median with the right passage .85 and .90.
 */
const E5 = {
  role: 'embedding',
  files: ONNX_FILES,
  precision: 'q8',
  pooling: 'mean',
  prefixes: { query: 'query: ', document: 'passage: ' },
  maxTokens: 512,
  languages: null,
  relevance: { floor: 0.79, ceil: 0.875 },
} as const satisfies Partial<ModelManifest>;

/**
 * The common part of the potion family: no window, since a text's vector is the mean of its tokens' vectors. Relevance bounds measured with
 * potion-base-4M on questions and paragraphs of SQuAD 2.0: the mean cosine of random pairs, and a value slightly above the median of
 * matching ones (.55), because passages with common words are near each other whatever their meaning. The larger models are assumed to be
 * similar.
 */
const POTION = {
  role: 'embedding',
  files: STATIC_FILES,
  precision: 'fp32',
  pooling: 'mean',
  prefixes: NO_PREFIXES,
  maxTokens: 1_000_000,
  relevance: { floor: 0.12, ceil: 0.58 },
} as const satisfies Partial<ModelManifest>;

/**
 * The common part of cross-encoders. They return logits, so nothing here is about vectors. They are named after their repositories. The
 * file name of the quantised weights comes from their public listings; the other files are those of every export for transformers.js.
 */
const CROSS_ENCODER = {
  files: ONNX_FILES,
  precision: 'q8',
  pooling: 'none',
  prefixes: NO_PREFIXES,
  dimensions: null,
  maxTokens: 512,
  relevance: { floor: 0, ceil: 1 },
} as const satisfies Partial<ModelManifest>;

/** The models that kebab knows by name, for all roles. A folder given by path may contain any other. */
export const BUILTIN_MANIFESTS: readonly ModelManifest[] = [
  { ...E5, id: 'multilingual-e5-small', repository: 'Xenova/multilingual-e5-small', dimensions: 384 },
  { ...E5, id: 'multilingual-e5-base', repository: 'Xenova/multilingual-e5-base', dimensions: 768 },
  { ...E5, id: 'multilingual-e5-large', repository: 'Xenova/multilingual-e5-large', dimensions: 1024 },
  {
    ...E5,
    id: 'all-MiniLM-L6-v2',
    repository: 'Xenova/all-MiniLM-L6-v2',
    prefixes: NO_PREFIXES,
    dimensions: 384,
    maxTokens: 256, // trained on 128, evaluated on 256; its positions would reach to 512
    languages: ['en'],
    relevance: { floor: 0.1, ceil: 0.55 }, // measured as above on SQuAD 2.0: .05 to .13 for random passages, .55 with the right passage
  },
  {
    ...POTION,
    id: 'potion-base-4M',
    repository: 'minishlab/potion-base-4M',
    dimensions: 128,
    languages: ['en'],
  },
  {
    ...POTION,
    id: 'potion-base-8M',
    repository: 'minishlab/potion-base-8M',
    dimensions: 256,
    languages: ['en'],
  },
  {
    ...POTION,
    id: 'potion-multilingual-128M',
    repository: 'minishlab/potion-multilingual-128M',
    dimensions: 256,
    languages: null,
  },
  {
    ...CROSS_ENCODER,
    id: 'Xenova/ms-marco-MiniLM-L-6-v2',
    role: 'rerank',
    repository: 'Xenova/ms-marco-MiniLM-L-6-v2',
    languages: ['en'],
  },
  {
    ...CROSS_ENCODER,
    id: 'Xenova/bge-reranker-base',
    role: 'rerank',
    repository: 'Xenova/bge-reranker-base',
    languages: ['en', 'zh'], // based on the multilingual XLM-RoBERTa, but trained for these
  },
  {
    ...CROSS_ENCODER,
    id: 'onnx-community/gte-multilingual-reranker-base',
    role: 'rerank',
    repository: 'onnx-community/gte-multilingual-reranker-base',
    languages: null,
    maxTokens: 1024, // of 8,192 that it supports: chunks are shorter, and its cost is quadratic
  },
  {
    ...CROSS_ENCODER,
    id: 'Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7',
    role: 'nli',
    repository: 'Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7',
    languages: null,
  },
];

/** Suffixes of a folder's name for the precision of the weights, which do not identify the model. */
const PRECISION_SUFFIX = /-(int8|q8|q4|fp16|fp32|quantized|onnx)$/;

/** The manifest of a name, or undefined. */
export function findManifest(name: string): ModelManifest | undefined {
  return BUILTIN_MANIFESTS.find(({ id }) => id === name);
}

/** The manifest for a folder's name, or undefined: `potion-base-4M-int8` is a `potion-base-4M`. */
export function manifestOfFolder(name: string): ModelManifest | undefined {
  return findManifest(name) ?? findManifest(name.replace(PRECISION_SUFFIX, ''));
}

/** The role of a model. */
export type ModelRole = 'embedding' | 'rerank' | 'nli';

/**
 * How token vectors are pooled into the vector of a text; `none` if the model does it, `auto` to decide by the model's outputs: its own
 * vector of the text if it has one, otherwise the mean.
 */
export type Pooling = 'mean' | 'cls' | 'none' | 'auto';

/** How the weights are stored: `q8` has a scale for each matrix and one for each input. */
export type Precision = 'fp32' | 'fp16' | 'q8' | 'q4';

/** Cosines of questions with passages: `floor` is the mean with random ones, `ceil` the median with the answering passage. */
export interface Relevance {
  readonly floor: number;
  readonly ceil: number;
}

/** Everything needed to download a model, run it and interpret its output. Models are data: no code refers to one by name. */
export interface ModelManifest {
  /** The name in the configuration, and of its folder in the model folder. */
  readonly id: string;
  readonly role: ModelRole;
  /** `owner/name` on the model hub; empty for a model that is only known as a folder. */
  readonly repository: string;
  /** Paths relative to the folder of the model, with `/`. */
  readonly files: readonly string[];
  readonly precision: Precision;
  /** Meaningless for a model that returns no vectors, like the prefixes and the relevance. */
  readonly pooling: Pooling;
  /** Prefixes for texts, as in the model's training; empty for most. */
  readonly prefixes: { readonly query: string; readonly document: string };
  /** The length of a vector; null for a model that returns no vectors. */
  readonly dimensions: number | null;
  /** The window of the model, special tokens included. */
  readonly maxTokens: number;
  /** ISO 639-1 codes of its languages; null if it covers most languages. */
  readonly languages: readonly string[] | null;
  readonly relevance: Relevance;
}
