/** Files as transformers.js and its exports lay them out. Their checksums are those that the hub gives when they are fetched. */
function onnxFiles(model = 'onnx/model_quantized.onnx'): readonly ModelFile[] {
  return filesOf(['config.json', 'tokenizer.json', 'tokenizer_config.json', model]);
}

/** Files of a model2vec model, whose vectors are a plain matrix. */
function staticFiles(): readonly ModelFile[] {
  return filesOf(['config.json', 'tokenizer.json', 'model.safetensors']);
}

function filesOf(paths: readonly string[]): readonly ModelFile[] {
  return paths.map((path) => ({ path, sha256: null, bytes: null }));
}

const NO_PREFIXES = { query: '', document: '' };

/**
 * What the E5 family has in common. Its cosines crowd between 0.7 and 1. Bounds measured with multilingual-e5-small, four-bit:
 * mean cosine of questions with passages at random .76 on English and .83 on Korean text, median with the right one .85 and .90.
 */
const E5 = {
  role: 'embedding',
  revision: 'main',
  files: onnxFiles(),
  precision: 'q8',
  pooling: 'mean',
  prefixes: { query: 'query: ', document: 'passage: ' },
  maxTokens: 512,
  languages: null,
  relevance: { floor: 0.79, ceil: 0.875 },
} as const satisfies Partial<ModelManifest>;

/**
 * What the potion family has in common: no window, since a text's vector is the mean of its tokens' vectors. Bounds of relevance
 * measured with potion-base-4M on questions and paragraphs of SQuAD 2.0: the mean cosine of pairs at random, and a
 * little above the median of matching ones (.55): passages that share words are near each other whatever they say. The larger models are taken to be alike.
 */
const POTION = {
  role: 'embedding',
  revision: 'main',
  files: staticFiles(),
  precision: 'fp32',
  pooling: 'mean',
  prefixes: NO_PREFIXES,
  maxTokens: 1_000_000,
  relevance: { floor: 0.12, ceil: 0.58 },
} as const satisfies Partial<ModelManifest>;

/**
 * What models that look at two texts together have in common. They answer logits, so that nothing here says how to make
 * vectors. Their names are those of the repositories. That these have quantised weights of this name was read in their
 * public listings; the small files beside the weights are those of every export for transformers.js.
 */
const CROSS_ENCODER = {
  revision: 'main',
  files: onnxFiles(),
  precision: 'q8',
  pooling: 'none',
  prefixes: NO_PREFIXES,
  dimensions: null,
  maxTokens: 512,
  relevance: { floor: 0, ceil: 1 },
} as const satisfies Partial<ModelManifest>;

/** Which models kebab knows by name, whatever they are for. A folder given by path may hold any other. */
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
    relevance: { floor: 0.1, ceil: 0.55 }, // measured as above on SQuAD 2.0: .05 to .13 at random, .55 with the right passage
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
    languages: ['en', 'zh'], // on the multilingual XLM-RoBERTa, but trained for these
  },
  {
    ...CROSS_ENCODER,
    id: 'onnx-community/gte-multilingual-reranker-base',
    role: 'rerank',
    repository: 'onnx-community/gte-multilingual-reranker-base',
    languages: null,
    maxTokens: 1024, // of the 8,192 that it could take: chunks are shorter, and its cost grows with the square
  },
  {
    ...CROSS_ENCODER,
    id: 'Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7',
    role: 'nli',
    repository: 'Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7',
    languages: null,
  },
];

/** Endings of a folder's name that say how the weights are stored, not which model it is. */
const PRECISION_SUFFIX = /-(int8|q8|q4|fp16|fp32|quantized|onnx)$/;

/** The manifest of a name, or undefined. */
export function findManifest(
  name: string,
  manifests: readonly ModelManifest[] = BUILTIN_MANIFESTS,
): ModelManifest | undefined {
  return manifests.find(({ id }) => id === name);
}

/** The manifest that a folder's name speaks of, or undefined: `potion-base-4M-int8` is a `potion-base-4M`. */
export function manifestOfFolder(name: string, manifests?: readonly ModelManifest[]): ModelManifest | undefined {
  return findManifest(name, manifests) ?? findManifest(name.replace(PRECISION_SUFFIX, ''), manifests);
}

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
