import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which model embeds, and where it is stored. */
export interface TransformersConfig {
  /** The name of a known model, or a folder: absolute, or starting with `./` or `~/`. */
  readonly model: string;
  /** The user's label for this state of the model; changing it embeds everything again. */
  readonly version: string;
  /** The required dimensions; null for the model's own. */
  readonly dimensions: number | null;
  /** Maximum texts per run of the model. */
  readonly batchSize: number;
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** Threads per run; by default one less than the number of cores, at most eight, or two on a machine with two cores. */
  readonly threads?: number | undefined;
  /** The hub to download models from; the public one by default. */
  readonly hub?: string | undefined;
}

/** Validates the configuration without a schema library, which a search must not load. */
export const transformersConfigSchema: StandardSchema<TransformersConfig> = checkedConfig<TransformersConfig>({
  checks: {
    model: checks.name,
    version: checks.name,
    dimensions: checks.orNull(checks.count),
    batchSize: checks.count,
    modelDir: checks.name,
    threads: checks.optional(checks.count),
    hub: checks.optional(checks.name),
  },
});
