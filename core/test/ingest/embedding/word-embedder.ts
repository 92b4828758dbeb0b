import type { AbortOptions } from '../../../src/contracts/contribution.ts';
import type { EmbedInput, Embedder } from '../../../src/contracts/embedder.ts';
import { throwIfCancelled } from '../../../src/errors/abort.ts';

const WORDS = ['salt', 'water', 'fire', 'stone'];

/** Embeds a text as the counts of a few words, plus a constant; records its requests. */
export class WordEmbedder implements Embedder {
  readonly id = 'words';
  readonly version: string;
  readonly modelId = 'words';
  readonly modelVersion = 'v1';
  readonly dimensions: number;
  readonly #words: readonly string[];
  readonly maxInputTokens = 1000;
  readonly languages = null;
  readonly relevance = { floor: 0, ceil: 1 };
  readonly asked: string[] = [];
  /** Called before each answer; may throw. */
  onCall: () => void = () => {};
  /** Replaces the vector of a text. */
  distort: (vector: Float32Array) => Float32Array | null = (vector) => vector;

  constructor(version = '1', words: readonly string[] = WORDS) {
    this.version = version;
    this.#words = words;
    this.dimensions = words.length + 1;
  }

  async embed(inputs: readonly EmbedInput[], { signal }: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    throwIfCancelled(signal, 'embedding');
    this.onCall();
    return inputs.map(({ text }) => {
      this.asked.push(text);
      const counts = [...this.#words.map((word) => text.toLowerCase().split(word).length - 1), 0.1];
      const length = Math.hypot(...counts);
      return this.distort(Float32Array.from(counts, (count) => count / length));
    });
  }
}
