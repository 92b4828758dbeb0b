import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Where the vectors lie and how they are opened. */
export interface LocalVectorsConfig {
  /** An absolute path: the SQLite file of the knowledge base. */
  readonly file: string;
  readonly readonly: boolean;
}

/** Checks the configuration by hand: a search must not load a schema library. */
export const localConfigSchema: StandardSchema<LocalVectorsConfig> = checkedConfig<LocalVectorsConfig>({
  checks: { file: checks.name, readonly: checks.flag },
});
