import { availableParallelism } from 'node:os';
import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which cross-encoder judges, and where it lies. */
export interface CrossEncoderConfig {
  /** The name of a known model, or a folder: absolute, or starting with `./` or `~/`. */
  readonly model: string;
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** The most pairs in one run of the model; 4 by default. */
  readonly batchSize?: number | undefined;
  /** Threads of one run; by default one less than the machine has cores, at least one, at most eight. */
  readonly threads?: number | undefined;
}

/** Checks the configuration by hand: a search must not load a schema library. */
export const crossEncoderConfigSchema: StandardSchema<CrossEncoderConfig> = checkedConfig<CrossEncoderConfig>({
  checks: {
    model: checks.text, // empty until somebody names a model
    modelDir: checks.name,
    batchSize: checks.optional(checks.count),
    threads: checks.optional(checks.count),
  },
});

/** Beyond so many threads a small model gains nothing. */
const MOST_THREADS = 8;

/** How many threads a model runs in unless configured: all cores but one, so that the machine stays usable. */
export function defaultThreads(): number {
  return Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1));
}
