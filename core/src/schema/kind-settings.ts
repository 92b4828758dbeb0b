/**
 * The settings of each kind of contribution, whichever plugin provides it: the configuration section of the kind, with absolute paths and
 * times in milliseconds. A plugin receives the members of the kinds it contributes.
 */
export interface KindSettings {
  readonly source: SourceSettings;
  readonly extractor: ExtractorSettings;
  readonly embedder: EmbedderSettings;
  readonly reranker: LocalModelSettings;
  readonly groundedness: LocalModelSettings;
  readonly llm: LanguageModelSettings;
  readonly ocr: OcrSettings;
  readonly captioner: VisionSettings;
  readonly document_store: StoreSettings;
  readonly lexical_index: StoreSettings;
  readonly session_repo: StoreSettings;
  readonly vector_store: StoreSettings;
  readonly model_catalog: ModelCatalogSettings;
}

/** Settings of a folder walk. */
export interface SourceSettings {
  readonly followSymlinks: boolean;
  /** Whether links that lead out of the folder of their source are followed. */
  readonly linksOutside: boolean;
  /** Larger files are not read. */
  readonly maxFileBytes: number;
  /** Absolute folders that every source excludes. */
  readonly leaveOut: readonly string[];
  /** Where git reads the user's ignore rules. */
  readonly git?: GitFiles | undefined;
}

/** The files in which git looks for the user's ignore rules. Paths are absolute. */
export interface GitFiles {
  readonly home: string;
  /** Configuration files that may set `core.excludesFile`; the last one counts. */
  readonly configs: readonly string[];
  /** The file of rules when none sets it. */
  readonly ignore: string;
}

/** Settings of picture reading during extraction. */
export interface ExtractorSettings {
  /** Identifies the OCR engine and its options; null when there is none. */
  readonly ocrFingerprint: string | null;
  /** Identifies the captioner and its options; null when there is none. */
  readonly captionFingerprint: string | null;
  /** The longer edge of the pictures passed to OCR, in pixels. */
  readonly ocrPixels: number;
}

/** `[models.embedding]`. */
export interface EmbedderSettings extends ModelCatalogSettings {
  readonly endpoint: string;
  readonly model: string;
  readonly version: string;
  readonly dimensions: number | null;
  readonly batchSize: number;
  readonly timeoutMs: number;
  /** The key of the language model where its server makes the vectors, too; empty for none. */
  readonly apiKey: string;
}

/** Storage and download locations of models. */
export interface ModelCatalogSettings {
  readonly modelDir: string;
  readonly hub: string;
}

/** A model that runs on this machine: `[models.rerank]`, `[models.nli]`. */
export interface LocalModelSettings {
  readonly model: string;
  readonly modelDir: string;
}

/** `[models.llm]`. */
export interface LanguageModelSettings {
  readonly endpoint: string;
  readonly model: string;
  readonly contextTokens: number;
  /** 0 means no limit. */
  readonly timeoutMs: number;
  readonly apiKey: string;
}

/** A vision model: `[caption]`. */
export interface VisionSettings {
  readonly endpoint: string;
  /** Empty where the engine has a built-in model, or uses the language model. */
  readonly model: string;
  readonly timeoutMs: number;
  /** The key of the language model where its server reads pictures, too; empty for none. */
  readonly apiKey: string;
}

/** `[ocr]`. */
export interface OcrSettings extends VisionSettings {
  readonly languages: readonly string[];
  readonly modelDir: string;
  /** Number of pictures read concurrently. */
  readonly workers: number;
}

/** The location of the database, and how to open it. */
export interface StoreSettings {
  readonly file: string;
  readonly readonly: boolean;
  /** The file that the single writer locks. */
  readonly lockFile: string;
  /** Where a store may keep the embeddings shared by all knowledge bases of the user. */
  readonly embeddingCache: string;
  /** The id of the index of words; empty for the one that comes with the store. */
  readonly lexicalIndex: string;
}
