import { availableParallelism } from 'node:os';
import { type AbortOptions, checkedConfig, checks, type StandardSchema } from '@kebab/core';
import type { PassagePair } from '../encode/pair-model.ts';
import { readModelFolder, type ModelFolder } from '../folder/read-model-folder.ts';
import { BUILTIN_MANIFESTS } from '../manifest/builtin-manifests.ts';
import { modelError, wrongModelConfig, type ModelSite } from '../model-failure.ts';
import { PairThread } from '../worker/model-thread.ts';

/** What a cross-encoder is run for. */
export interface CrossEncoderTask extends Pick<ModelSite, 'plugin' | 'kind'> {
  readonly role: 'rerank' | 'nli';
  /** Which of the two texts of a row the passage is. */
  readonly passage: 'first' | 'second';
  /** The numbers that the model must answer for a row. */
  readonly answers: number;
  /** What a cancelled call says was cancelled. */
  readonly operation: string;
}

const BATCH_SIZE = 4;

/** A model on this machine that looks at a text and a passage together, in a thread of its own. */
export class CrossEncoder {
  readonly #model: ModelFolder;
  readonly #thread: PairThread;
  readonly #site: ModelSite;

  private constructor(model: ModelFolder, thread: PairThread, site: ModelSite) {
    this.#model = model;
    this.#thread = thread;
    this.#site = site;
  }

  /**
   * Finds the model; it is loaded when something is judged. Errors: `model_not_pulled` for a model that is not there or
   * damaged, `config_invalid` for none, an unknown one, or one for something else.
   */
  static async open(
    { model, modelDir, batchSize = BATCH_SIZE, threads = defaultThreads() }: CrossEncoderConfig,
    { role, passage, answers, operation, plugin, kind }: CrossEncoderTask,
  ): Promise<CrossEncoder> {
    const key = `models.${role}.model`;
    if (model.trim() === '')
      throw wrongModelConfig(`${key} names no model`, {
        key,
        suggestion: BUILTIN_MANIFESTS.find((manifest) => manifest.role === role)?.id,
      });
    const found = await readModelFolder(model, { modelDir, role });
    const { manifest, folder, weights } = found;
    const { id, maxTokens, precision } = manifest;
    if (weights.kind === 'static')
      throw wrongModelConfig(`${id} is a table of token vectors, which cannot look at two texts together`, { key });
    const spec = { folder, file: weights.file, maxTokens, precision, passage, answers, batchSize, threads };
    return new CrossEncoder(found, new PairThread(spec, operation), { model: id, plugin, kind, key });
  }

  /** The name of the model. */
  get modelId(): string {
    return this.#model.manifest.id;
  }

  /** What its answers mean, in their order, as its `config.json` says; null when it does not. */
  get labels(): readonly string[] | null {
    return this.#model.labels;
  }

  /** Names the model and all that influences its answers. */
  fingerprint(): string {
    const { manifest, contentHash } = this.#model;
    return [manifest.id, contentHash, manifest.precision, manifest.maxTokens].join('+');
  }

  /**
   * The logits of each pair, in order: for each part of its text (one, unless it takes more than three quarters of the
   * model's window) those of every window of its passage. Errors: `model_not_pulled` for damaged files, `config_invalid`
   * for a model that answers something else, `plugin_failed`, `cancelled`.
   */
  async judge(
    pairs: readonly PassagePair[],
    options: AbortOptions = {},
  ): Promise<readonly (readonly (readonly Float32Array[])[])[]> {
    try {
      return await this.#thread.judge(pairs, options);
    } catch (error) {
      throw modelError(error, this.#site);
    }
  }

  /** Frees the model; what is under way is cancelled. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** Which cross-encoder judges, and where it lies. */
export interface CrossEncoderConfig {
  /** The name of a known model, or a folder: absolute, or starting with `./` or `~/`. */
  readonly model: string;
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** The most pairs in one run of the model; 4 by default. */
  readonly batchSize?: number | undefined;
  /** Threads of one run; by default one less than the machine has cores, at most eight; both where it has two. */
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
const MAX_THREADS = 8;

/**
 * How many threads a model runs in unless configured: all cores but one, so that the machine stays usable, and both where
 * there are two (docs/decisions/0071).
 */
export function defaultThreads(cores: number = availableParallelism()): number {
  return Math.min(MAX_THREADS, cores, Math.max(2, cores - 1));
}
