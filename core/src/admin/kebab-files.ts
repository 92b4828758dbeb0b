/** What kebab makes inside one kind of folder. Paths are relative to it, with `/`. */
export interface KebabFiles {
  readonly files: RegExp;
  /** Folders below it; they go when they are empty. */
  readonly folders: RegExp;
}

const MODEL_FILE =
  /^(?:[\w.-]+\/){1,4}(?:(?:config|generation_config|preprocessor_config|quantize_config|tokenizer|tokenizer_config|special_tokens_map|added_tokens|vocab|modules|sentence_bert_config|kebab-model|kebab-pull)\.json|model\.safetensors|(?:vocab|merges)\.txt|[\w.-]*sentencepiece[\w.-]*\.model|[\w.-]+\.(?:onnx|onnx_data))(?:\.part)?$/;

/**
 * The names of everything kebab writes, by kind of folder: what `reset` may remove where kebab filled the folder. A file with
 * any other name stays, and so does every folder that holds it. Models have these names while they are being fetched.
 */
export const KEBAB_FILES = {
  vectors: {
    files: /^chunk_embeddings_[^/]+_\d+_[0-9a-f]{12}\/[^/]+$/,
    folders: /^chunk_embeddings_[^/]+_\d+_[0-9a-f]{12}$/,
  },
  assets: { files: /^[0-9a-f]{2}\/[0-9a-f]{32}$/, folders: /^[0-9a-f]{2}$/ },
  artifacts: {
    files: /^[0-9a-f]{32}\/(?:ocr|caption|transcript|pdf-text)\.json$/,
    folders: /^[0-9a-f]{32}$/,
  },
  runs: { files: /^run_[\w-]+\/(?:per_query\.jsonl|report\.md)$/, folders: /^run_[\w-]+$/ },
  models: { files: MODEL_FILE, folders: /^[\w.-]+(?:\/[\w.-]+){0,3}$/ },
  logs: { files: /^kebab-\d{4}-\d{2}-\d{2}\.jsonl$/, folders: /^$/ },
  cache: { files: /^(?:code|tmp|derived)\/.+$/, folders: /^(?:code|tmp|derived)(?:\/.+)?$/ },
} as const satisfies Readonly<Record<string, KebabFiles>>;
