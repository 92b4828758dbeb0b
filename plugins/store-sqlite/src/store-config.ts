import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Where the database is and how it is opened. */
export interface StoreConfig {
  /** An absolute path, or `:memory:`. */
  readonly file: string;
  readonly readonly: boolean;
  /** The lock file of the single writer. */
  readonly lockFile: string;
  /** The file of the embeddings shared by all knowledge bases of the user; empty for none. */
  readonly embeddingCache: string;
}

/** Validates the configuration without a schema library, which a search must not load. */
export const storeConfigSchema: StandardSchema<StoreConfig> = checkedConfig<StoreConfig>({
  checks: { file: checks.name, readonly: checks.flag, lockFile: checks.name, embeddingCache: checks.text },
});
