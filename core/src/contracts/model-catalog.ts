import type { AbortOptions, Contribution } from './contribution.ts';

/** The purpose of a model. */
export type ModelRole = 'embedding' | 'llm' | 'rerank' | 'nli' | 'ocr' | 'caption';

/** A model that a catalog lists by name. */
export interface CatalogModel {
  readonly id: string;
  readonly role: ModelRole;
  /** Whether it is installed on this machine. */
  readonly present: boolean;
  /** Its size on disk; null while it is not installed. */
  readonly bytes: number | null;
}

/** The progress of a download, in bytes; the total is null while it is unknown. */
export interface ModelDownload {
  readonly bytesDone: number;
  readonly bytesTotal: number | null;
}

/**
 * The models that a plugin can download. Only {@link ModelCatalog.pull} downloads, and only at a user's request. Errors:
 * `model_unreachable` when the origin cannot be reached or sends bytes that do not match the expected hash, `invalid_input` for an unknown
 * model, `cancelled`.
 */
export interface ModelCatalog extends Contribution {
  list(): Promise<readonly CatalogModel[]>;
  /** Downloads a model, resuming an interrupted download, and returns its folder. */
  pull(
    model: string,
    options?: AbortOptions & { readonly onProgress?: (progress: ModelDownload) => void },
  ): Promise<string>;
}
