import { availableParallelism } from 'node:os';
import { type AbortOptions, checkedConfig, checks, type StandardSchema } from '@kebab/core';
import type { PassagePair } from '../encode/pair-model.ts';
import { readModelFolder, type ModelFolder } from '../folder/read-model-folder.ts';
import { BUILTIN_MANIFESTS } from '../manifest/builtin-manifests.ts';
import { modelError, wrongModelConfig, type ModelSite } from '../model-failure.ts';
import { PairThread } from '../worker/model-thread.ts';

/** The task of a cross-encoder. */
export interface CrossEncoderTask extends Pick<ModelSite, 'plugin' | 'kind'> {
  readonly role: 'rerank' | 'nli';
  /** Which of the two texts of a row the passage is. */
  readonly passage: 'first' | 'second';
  /** The number of outputs that the model must have per row. */
  readonly answers: number;
  /** The operation named in the error of a cancelled call. */
  readonly operation: string;
}

const BATCH_SIZE = 4;

/** A local model that reads a text and a passage together, in its own thread. */
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
   * Locates the model; it is loaded on first use. Errors: `model_not_pulled` for a missing or damaged model, `config_invalid` for none, an
   * unknown one, or one for another purpose.
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
    const modelFolder = await readModelFolder(model, { modelDir, role });
    const { manifest, folder, weights } = modelFolder;
    const { id, maxTokens, precision } = manifest;
    if (weights.kind === 'static')
      throw wrongModelConfig(`${id} is a table of token vectors, which cannot look at two texts together`, { key });
    const spec = { folder, file: weights.file, maxTokens, precision, passage, answers, batchSize, threads };
    return new CrossEncoder(modelFolder, new PairThread(spec, operation), { model: id, plugin, kind, key });
  }

  /** The name of the model. */
  get modelId(): string {
    return this.#model.manifest.id;
  }

  /** The labels of its outputs in order, from `config.json`; null if there are none. */
  get labels(): readonly string[] | null {
    return this.#model.labels;
  }

  /** Identifies the model and everything that affects its output. */
  fingerprint(): string {
    const { manifest, contentHash } = this.#model;
    return [manifest.id, contentHash, manifest.precision, manifest.maxTokens].join('+');
  }

  /**
   * The logits of each pair, in order: for each part of its text (one, unless it takes more than three quarters of the model's window)
   * those of every window of its passage. Errors: `model_not_pulled` for damaged files, `config_invalid` for a model with a different
   * output, `plugin_failed`, `cancelled`.
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

  /** Frees the model and cancels running calls. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** Which cross-encoder to use, and where it is stored. */
export interface CrossEncoderConfig {
  /** The name of a known model, or a folder: absolute, or starting with `./` or `~/`. */
  readonly model: string;
  /** An absolute path: the folder with a folder for each model. */
  readonly modelDir: string;
  /** Maximum pairs per run of the model; 4 by default. */
  readonly batchSize?: number | undefined;
  /** Threads per run; by default one less than the number of cores, at most eight, or two on a machine with two cores. */
  readonly threads?: number | undefined;
}

/** Validates the configuration without a schema library, which a search must not load. */
export const crossEncoderConfigSchema: StandardSchema<CrossEncoderConfig> = checkedConfig<CrossEncoderConfig>({
  checks: {
    model: checks.text, // empty until a model is configured
    modelDir: checks.name,
    batchSize: checks.optional(checks.count),
    threads: checks.optional(checks.count),
  },
});

/** More threads do not make a small model faster. */
const MAX_THREADS = 8;

/**
 * The default number of threads for a model: all cores but one, so that the machine stays usable, and both if there are two
 * (docs/decisions/0011).
 */
export function defaultThreads(cores: number = availableParallelism()): number {
  return Math.min(MAX_THREADS, cores, Math.max(2, cores - 1));
}
