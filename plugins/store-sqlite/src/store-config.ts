import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Where the database lies and how it is opened. */
export interface StoreConfig {
  /** An absolute path, or `:memory:`. */
  readonly file: string;
  readonly readonly: boolean;
  /** The file that the one writer holds. */
  readonly lockFile: string;
  /** The file of the embeddings that all knowledge bases of the user share; empty for none. */
  readonly embeddingCache: string;
}

/** Checks the configuration by hand: a search must not load a schema library. */
export const storeConfigSchema: StandardSchema<StoreConfig> = checkedConfig<StoreConfig>({
  checks: { file: checks.name, readonly: checks.flag, lockFile: checks.name, embeddingCache: checks.text },
});
