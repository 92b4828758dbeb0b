import type { AbortOptions, Contribution } from './contribution.ts';

/** What a model is used for. */
export type ModelRole = 'embedding' | 'llm' | 'rerank' | 'nli' | 'ocr' | 'caption';

/** A model that a catalog knows by name. */
export interface CatalogModel {
  readonly id: string;
  readonly role: ModelRole;
  /** Whether it is ready to use on this machine. */
  readonly present: boolean;
  /** Its size on disk; null while it is not there. */
  readonly bytes: number | null;
}

/** How far a download is, in bytes; the total is null while it is not known. */
export interface ModelDownload {
  readonly bytesDone: number;
  readonly bytesTotal: number | null;
}

/**
 * The models that a plugin can fetch. Nothing is downloaded but by {@link ModelCatalog.pull}, and only when a person asks.
 * Errors: `model_unreachable` when the place it comes from cannot be reached or sends other bytes than promised,
 * `invalid_input` for a model it does not know, `cancelled`.
 */
export interface ModelCatalog extends Contribution {
  list(): Promise<readonly CatalogModel[]>;
  /** Fetches a model, going on where an earlier call stopped, and returns the folder it lies in. */
  pull(
    model: string,
    options?: AbortOptions & { readonly onProgress?: (progress: ModelDownload) => void },
  ): Promise<string>;
}
