import type { AbortOptions, EmbedInput, Embedder } from '@kebab/core';
import {
  InlineModel,
  ModelThread,
  defaultThreads,
  modelError,
  readModelFolder,
  wrongModelConfig,
  type ModelFolder,
  type TextModelSpec,
} from '@kebab/onnx-kit';
import type { TransformersConfig } from './transformers-config.ts';

/** The plugin's name in errors. */
const PLUGIN = { name: '@kebab/plugin-embed-transformers', version: '0.1.0' } as const;

/**
 * Texts up to this length are embedded on the calling thread with a table of token vectors: that takes a few milliseconds, and the table is
 * loaded before a thread would have started.
 */
const INLINE_CHARS = 2000;

/** Embeds with a model on this machine; transformers run on ONNX Runtime in a separate thread. */
export class TransformersEmbedder implements Embedder {
  readonly id = 'transformers';
  readonly version = '1.0.0';
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly maxInputTokens: number;
  readonly languages: readonly string[] | null;
  readonly relevance: { readonly floor: number; readonly ceil: number };
  readonly isSlowToLoad: boolean;
  readonly #model: ModelFolder;
  readonly #thread: ModelThread;
  readonly #inline: InlineModel;

  private constructor(
    model: ModelFolder,
    { version }: TransformersConfig,
    spec: TextModelSpec & { dimensions: number },
  ) {
    const { id, maxTokens, languages, relevance } = model.manifest;
    this.modelId = id;
    this.modelVersion = version;
    this.dimensions = spec.dimensions;
    this.maxInputTokens = maxTokens;
    this.languages = languages;
    this.relevance = relevance;
    this.isSlowToLoad = model.weights.kind !== 'static';
    this.#model = model;
    this.#thread = new ModelThread(spec);
    this.#inline = new InlineModel(spec);
  }

  /**
   * Locates the model; it is loaded on first use, unless that is the only way to determine its dimensions. Errors: `model_not_pulled` for a
   * missing or damaged model, `config_invalid` for an unknown one or for dimensions other than its own.
   */
  static async open(config: TransformersConfig): Promise<TransformersEmbedder> {
    const model = await readModelFolder(config.model, { modelDir: config.modelDir });
    const spec = specOf(model, config);
    const dimensions = spec.dimensions ?? (await dimensionsOf(spec, model.manifest.id));
    return new TransformersEmbedder(model, config, { ...spec, dimensions });
  }

  fingerprint(): string {
    const { manifest, contentHash } = this.#model;
    const { id, precision, pooling, prefixes } = manifest;
    const parts = [
      `${this.id}@${this.version}`,
      id,
      this.modelVersion,
      contentHash,
      this.dimensions,
      pooling,
      'unit',
      precision,
    ];
    return [...parts, JSON.stringify([prefixes.query, prefixes.document])].join('+');
  }

  async embed(inputs: readonly EmbedInput[], options: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    if (inputs.length === 0) return [];
    const { kind } = this.#model.weights;
    const chars = inputs.reduce((sum, { text }) => sum + text.length, 0);
    const isQuick = kind === 'static' && chars <= INLINE_CHARS && !this.#thread.isRunning;
    try {
      return await (isQuick ? this.#inline : this.#thread).embed(inputs, options);
    } catch (error) {
      throw failureOf(error, this.modelId);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#thread.close(), this.#inline.close()]);
  }
}

/** The model with the requested dimensions, if it supports them. */
function specOf(
  { folder, manifest, weights, dimensionsGuessed }: ModelFolder,
  { dimensions, batchSize, threads }: TransformersConfig,
): TextModelSpec {
  const { id, prefixes, maxTokens, pooling, precision } = manifest;
  if (dimensions !== null && manifest.dimensions !== null && !dimensionsGuessed && dimensions !== manifest.dimensions)
    throw wrongModelConfig(`the vectors of ${id} have ${manifest.dimensions} dimensions, not ${dimensions}`, {
      key: 'models.embedding.dimensions',
      suggestion: String(manifest.dimensions),
    });
  return {
    folder,
    weights,
    prefixes,
    maxTokens,
    pooling,
    precision,
    dimensions: dimensions ?? manifest.dimensions,
    batchSize,
    threads: threads ?? defaultThreads(),
  };
}

async function dimensionsOf(spec: TextModelSpec, id: string): Promise<number> {
  const thread = new ModelThread(spec);
  try {
    return (await thread.load()).dimensions;
  } catch (error) {
    throw failureOf(error, id);
  } finally {
    await thread.close();
  }
}

function failureOf(error: unknown, model: string): unknown {
  return modelError(error, { model, plugin: PLUGIN, kind: 'embedder' });
}
