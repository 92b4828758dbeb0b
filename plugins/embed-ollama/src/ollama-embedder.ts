import {
  KebabError,
  estimateTokens,
  throwIfCancelled,
  type AbortOptions,
  type PluginContext,
  type EmbedInput,
  type Embedder,
  safeCut,
} from '@kebab/core';
import { OllamaServer, isTooLong, rememberedFacts, shortDigest, unreachable, type ModelFacts } from '@kebab/ollama-kit';
import type { EmbedOllamaConfig } from './embed-ollama-config.ts';

/** Larger windows cost memory on the server, and no chunk is longer. */
const MAX_WINDOW_TOKENS = 8192;
/** The minimum of Ollama's own models. */
const DEFAULT_WINDOW_TOKENS = 512;
/** No model has less; with such a value every word would be a window. */
const MIN_WINDOW_TOKENS = 16;
const KEYS = { endpoint: 'models.embedding.endpoint', model: 'models.embedding.model' };
const DIMENSIONS_KEY = 'models.embedding.dimensions';

function windowOf({ contextTokens }: ModelFacts): number {
  if (contextTokens === null || contextTokens < MIN_WINDOW_TOKENS) return DEFAULT_WINDOW_TOKENS;
  return Math.min(contextTokens, MAX_WINDOW_TOKENS);
}

/** Embeds with a model on an Ollama server. */
export class OllamaEmbedder implements Embedder {
  readonly id = 'ollama';
  readonly version = '1.0.0';
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
  readonly maxInputTokens: number;
  /** The languages of a model on a server are unknown. */
  readonly languages = null;
  /** An estimate for retrieval models; the background is measured on the corpus once there is one. */
  readonly relevance = { floor: 0.35, ceil: 0.68 };
  readonly #server: OllamaServer;
  readonly #config: EmbedOllamaConfig;
  readonly #digest: string;
  readonly #prefixes: ModelPrefixes;

  private constructor(
    server: OllamaServer,
    config: EmbedOllamaConfig,
    { facts, dimensions }: { readonly facts: ModelFacts; readonly dimensions: number },
  ) {
    this.#server = server;
    this.#config = config;
    this.#digest = shortDigest(facts);
    this.#prefixes = modelPrefixes(config.model);
    this.modelId = config.model;
    this.modelVersion = config.version;
    this.dimensions = dimensions;
    this.maxInputTokens = windowOf(facts);
  }

  /**
   * Reads the properties of the model from the server, or from the cache if the server cannot be reached. Errors: `model_unreachable`,
   * `model_not_pulled`, `timeout`, and `config_invalid` if the dimensions differ from the model's own.
   */
  static async open(
    config: EmbedOllamaConfig,
    { cache, proxies }: Pick<PluginContext, 'cache' | 'proxies'>,
  ): Promise<OllamaEmbedder> {
    const { endpoint, model, timeoutMs, apiKey } = config;
    const server = new OllamaServer({ endpoint, model, timeoutMs, apiKey, proxies, keys: KEYS });
    const facts = await rememberedFacts(server, cache);
    const dimensions = facts.embeddingLength ?? (await measuredLength(server));
    if (config.dimensions !== null && config.dimensions !== dimensions)
      throw wrongDimensions(config.model, config.dimensions, dimensions);
    return new OllamaEmbedder(server, config, { facts, dimensions });
  }

  fingerprint(): string {
    const model = `${this.modelId}@${this.#digest}`;
    const parts = [
      `${this.id}@${this.version}`,
      model,
      this.modelVersion,
      this.dimensions,
      this.maxInputTokens,
      'unit',
    ];
    return [...parts, JSON.stringify([this.#prefixes.query, this.#prefixes.document])].join('+');
  }

  /** Checks that the server responds and has the model; throws `model_unreachable`, `model_not_pulled` or `timeout`. */
  async probe(options?: AbortOptions): Promise<void> {
    await this.#server.probe(options);
  }

  async embed(inputs: readonly EmbedInput[], { signal }: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    throwIfCancelled(signal, 'embed');
    const places = [...inputs.keys()].filter((at) => inputs[at]?.text.trim() !== '');
    const vectors: (Float32Array | null)[] = inputs.map(() => null);
    for (let from = 0; from < places.length; from += this.#config.batchSize) {
      const batch = places.slice(from, from + this.#config.batchSize);
      const found = await this.#batch(
        batch.flatMap((at) => inputs[at] ?? []),
        signal,
      );
      for (const [index, at] of batch.entries()) vectors[at] = found[index] ?? null;
    }
    return vectors;
  }

  async #batch(
    inputs: readonly EmbedInput[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (Float32Array | null)[]> {
    try {
      return await this.#whole(inputs, signal);
    } catch (error) {
      if (!isTooLong(error)) throw error; // one text that is too long fails the whole batch
    }
    const vectors: (Float32Array | null)[] = [];
    for (const input of inputs) vectors.push(weightedMean(await this.#inWindows(input, signal)));
    return vectors;
  }

  /** The vectors of the windows of a text, or of the text itself if it fits. */
  async #inWindows(input: EmbedInput, signal: AbortSignal | undefined): Promise<readonly WeightedVector[]> {
    try {
      const vectors = await this.#whole([input], signal);
      return vectors.map((vector) => ({ vector, weight: input.text.length }));
    } catch (error) {
      const count = Math.max(2, Math.ceil(estimateTokens(input.text) / this.maxInputTokens));
      const windows = isTooLong(error) ? splitText(input.text, count) : [];
      if (windows.length < 2) throw error;
      const vectors: WeightedVector[] = [];
      for (const text of windows) vectors.push(...(await this.#inWindows({ ...input, text }, signal)));
      return vectors;
    }
  }

  async #whole(inputs: readonly EmbedInput[], signal: AbortSignal | undefined): Promise<readonly Float32Array[]> {
    const vectors = await this.#server.embed(
      {
        input: inputs.map(({ text, kind }) => this.#prefixes[kind] + text),
        truncate: false,
        options: { num_ctx: this.maxInputTokens },
      },
      { signal },
    );
    if (vectors.length !== inputs.length)
      throw unreachable(this.#server.site('embed'), `it gave ${vectors.length} vectors for ${inputs.length} texts`);
    return vectors.map((numbers) => this.#checked(numbers));
  }

  #checked(numbers: unknown): Float32Array {
    if (!Array.isArray(numbers) || numbers.length === 0) throw this.#unusable('no vector');
    if (numbers.length !== this.dimensions) {
      const cause = `its vectors have ${numbers.length} numbers, not ${this.dimensions}`;
      throw unreachable(this.#server.site('embed'), cause, {
        hint: 'the model was replaced: run `kebab ingest` again',
      });
    }
    const vector = unitVector(numbers);
    if (vector === null) throw this.#unusable('a vector of zeros, or of what are no finite numbers');
    return vector;
  }

  #unusable(what: string): KebabError<'model_unreachable'> {
    const hint = `restart the model server or name another model in ${KEYS.model}, then run \`kebab ingest\` again`;
    return unreachable(this.#server.site('embed'), `it gave ${what}`, { hint });
  }
}

/** The length of the vector of a word, for a server that does not report dimensions. */
async function measuredLength(server: OllamaServer): Promise<number> {
  const [vector] = await server.embed({ input: ['kebab'] });
  if (Array.isArray(vector) && vector.length > 0) return vector.length;
  throw unreachable(server.site('embed'), 'it gave no vector', { hint: `name another model in ${KEYS.model}` });
}

function wrongDimensions(model: string, configured: number, own: number): KebabError<'config_invalid'> {
  const cause = `the vectors of ${model} have ${own} numbers, not ${configured}`;
  return new KebabError('config_invalid', `${DIMENSIONS_KEY}: ${cause}`, {
    details: { path: null, key: DIMENSIONS_KEY, cause, suggestion: String(own) },
    hint: `leave ${DIMENSIONS_KEY} out, or set it to ${own}`,
  });
}

/** The prefixes that a model requires, by kind of text, including the trailing space. */
type ModelPrefixes = Readonly<Record<EmbedInput['kind'], string>>;

const NONE: ModelPrefixes = { query: '', document: '' };
const SENTENCE = { query: 'Represent this sentence for searching relevant passages: ', document: '' };
const QUERY_ONLY = { query: 'query: ', document: '' };

/** By name prefix in Ollama's library, as prescribed by the makers of each model; the first match counts. */
const FAMILIES: readonly (readonly [name: RegExp, prefixes: ModelPrefixes])[] = [
  [/^nomic-embed-text/, { query: 'search_query: ', document: 'search_document: ' }],
  [/^mxbai-embed/, SENTENCE],
  [/^snowflake-arctic-embed2/, QUERY_ONLY],
  [/^snowflake-arctic-embed/, SENTENCE],
  [/^bge-(small|base|large)/, SENTENCE],
  [/^embeddinggemma/, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [
    /^qwen3-embedding/,
    {
      query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
      document: '',
    },
  ],
  [/(^|[-_.])e5([-_.]|$)/, { query: 'query: ', document: 'passage: ' }],
];

/** The prefixes of a model; empty for a model that is not known to need any. A namespace before the name is ignored. */
function modelPrefixes(model: string): ModelPrefixes {
  const name = (model.split('/').at(-1) ?? '').split(':', 1)[0]?.toLowerCase() ?? '';
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? NONE;
}

/**
 * Splits a text into at most `count` pieces of about equal length, at white space if there is some nearby, and never inside a character.
 * Every character except white space is in exactly one piece; a text of one character stays whole.
 */
export function splitText(text: string, count: number): readonly string[] {
  const ideal = text.length / count;
  const cuts = Array.from({ length: count - 1 }, (_, n) => cutNear(text, Math.round((n + 1) * ideal), ideal / 4));
  const starts = [0, ...cuts];
  return starts
    .map((start, n) => text.slice(start, starts[n + 1] ?? text.length).trim())
    .filter((piece) => piece !== '');
}

/** The white space nearest to an offset, if it is within reach; otherwise the offset itself, adjusted not to split a character. */
function cutNear(text: string, place: number, reach: number): number {
  for (let distance = 0; distance <= reach; distance++)
    for (const at of [place - distance, place + distance]) if (/\s/.test(text[at] ?? '')) return at;
  return safeCut(text, place);
}

/** A vector with its weight. */
interface WeightedVector {
  readonly vector: Float32Array;
  readonly weight: number;
}

/** Normalises a vector to length 1; null if it has no direction: not numbers, zero, or not finite. */
function unitVector(numbers: ArrayLike<unknown>): Float32Array | null {
  const vector = Float64Array.from(numbers, (number) => (typeof number === 'number' ? number : Number.NaN));
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(vector, (number) => number / length);
}

/** The normalised weighted mean of vectors of equal length; null if they cancel each other out. */
export function weightedMean(vectors: readonly WeightedVector[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float64Array(first.vector.length);
  for (const { vector, weight } of vectors)
    for (const [at, number] of vector.entries()) sum[at] = (sum[at] ?? 0) + number * weight;
  return unitVector(sum);
}
