import type { AbortOptions } from '../contracts/contribution.ts';
import type { EmbedInput, Embedder } from '../contracts/embedder.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { numbersFrom } from './sample-vectors.ts';

/** How a {@link HashEmbedder} differs from the ordinary one. */
export interface HashEmbedderOptions {
  readonly modelId?: string;
  /** 64 by default. */
  readonly dimensions?: number;
  readonly languages?: readonly string[] | null;
}

/**
 * An embedder for tests that needs no model: every word has a direction of its own, and a text points where the sum of its
 * words does. Texts that share words are near, in any language; meaning is lost on it.
 */
export class HashEmbedder implements Embedder {
  readonly id = 'hash';
  readonly version = '1';
  readonly modelVersion = 'v1';
  readonly maxInputTokens = 512;
  readonly relevance = { floor: 0.1, ceil: 0.7 };
  readonly modelId: string;
  readonly dimensions: number;
  readonly languages: readonly string[] | null;
  /** While it is set, every call fails with it. */
  failure: Error | null = null;
  readonly #directions = new Map<string, Float32Array>();
  #textsEmbedded = 0;

  constructor({ modelId = 'hash-64', dimensions = 64, languages = null }: HashEmbedderOptions = {}) {
    this.modelId = modelId;
    this.dimensions = dimensions;
    this.languages = languages;
  }

  /** How many texts it was given so far. */
  get textsEmbedded(): number {
    return this.#textsEmbedded;
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${this.modelId}+${this.dimensions}`;
  }

  async embed(inputs: readonly EmbedInput[], { signal }: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    throwIfCancelled(signal, 'embedding');
    if (this.failure !== null) throw this.failure;
    this.#textsEmbedded += inputs.length;
    return inputs.map(({ text }) => this.#embedText(text));
  }

  #embedText(text: string): Float32Array | null {
    const words =
      text
        .normalize('NFC')
        .toLowerCase()
        .match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
    const sum = new Float64Array(this.dimensions);
    for (const word of words) this.#directionOf(word).forEach((x, at) => void (sum[at] = (sum[at] ?? 0) + x));
    const length = Math.sqrt(sum.reduce((squares, x) => squares + x * x, 0));
    return length > 0 ? Float32Array.from(sum, (x) => x / length) : null;
  }

  #directionOf(word: string): Float32Array {
    let direction = this.#directions.get(word);
    if (direction === undefined) {
      const random = numbersFrom(Number.parseInt(blake3Hex(word).slice(0, 8), 16));
      direction = Float32Array.from({ length: this.dimensions }, () => random() + random() - 1);
      this.#directions.set(word, direction);
    }
    return direction;
  }
}
