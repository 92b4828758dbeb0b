import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Where the vectors are and how they are opened. */
export interface LocalVectorsConfig {
  /** An absolute path: the SQLite file of the knowledge base. */
  readonly file: string;
  readonly readonly: boolean;
}

/** Validates the configuration without a schema library, which a search must not load. */
export const localConfigSchema: StandardSchema<LocalVectorsConfig> = checkedConfig<LocalVectorsConfig>({
  checks: { file: checks.name, readonly: checks.flag },
});
