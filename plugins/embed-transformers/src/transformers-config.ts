import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which model embeds, and where it lies. */
export interface TransformersConfig {
  /** The name of a known model, or a folder: absolute, or starting with `./` or `~/`. */
  readonly model: string;
  /** What the user calls this state of the model; another one embeds everything again. */
  readonly version: string;
  /** What the vectors must have; null for the model's own. */
  readonly dimensions: number | null;
  /** The most texts in one run of the model. */
  readonly batchSize: number;
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** Threads of one run; by default one less than the machine has cores, at most eight; both where it has two. */
  readonly threads?: number | undefined;
  /** Where models are fetched from; the public hub by default. */
  readonly hub?: string | undefined;
}

/** Checks the configuration by hand: a search must not load a schema library. */
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
