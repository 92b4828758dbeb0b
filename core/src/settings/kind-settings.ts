/**
 * What the configuration says about each kind of contribution, whoever provides it: the section of the kind, with paths absolute
 * and times in milliseconds. A plugin is given the members of the kinds it contributes.
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

/** How a folder is walked. */
export interface SourceSettings {
  readonly followSymlinks: boolean;
  /** Whether links may lead out of the folder of their source. */
  readonly linksOutside: boolean;
  /** Longer files are not read. */
  readonly maxFileBytes: number;
  /** Absolute folders that no source takes in. */
  readonly leaveOut: readonly string[];
}

/** How an extractor has pictures read. */
export interface ExtractorSettings {
  /** Names the OCR engine and its options; null when there is none. */
  readonly ocrFingerprint: string | null;
  /** Names the captioner and its options; null when there is none. */
  readonly captionFingerprint: string | null;
  /** The longer edge of the pictures that OCR reads. */
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
}

/** Where models lie and come from. */
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
  /** 0 for no limit. */
  readonly timeoutMs: number;
  readonly apiKey: string;
}

/** A model that looks at pictures: `[caption]`. */
export interface VisionSettings {
  readonly endpoint: string;
  /** Empty where the engine has one, or takes that of the language model. */
  readonly model: string;
  readonly timeoutMs: number;
}

/** `[ocr]`. */
export interface OcrSettings extends VisionSettings {
  readonly languages: readonly string[];
  readonly modelDir: string;
  /** Pictures read at a time. */
  readonly workers: number;
}

/** Where the database lies, and how it is opened. */
export interface StoreSettings {
  readonly file: string;
  readonly readonly: boolean;
  /** The file that the one writer holds. */
  readonly lockFile: string;
  /** Where a store may keep the embeddings that all knowledge bases of the user share. */
  readonly embeddingCache: string;
}
