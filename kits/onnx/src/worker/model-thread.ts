import type { AbortOptions, EmbedInput } from '@kebab/core';
import type { TextModelSpec } from '../encode/text-model.ts';
import { KeptModel } from './kept-model.ts';

/**
 * A model in a thread of its own, since running it blocks. The thread starts with the first call, and another one with the
 * next call after it failed; idle, it does not keep the process alive. Failures of the model are `ModelStageError`s.
 */
export class ModelThread {
  readonly #model: KeptModel<EmbedInput, Float32Array | null>;

  constructor(spec: TextModelSpec) {
    this.#model = new KeptModel({ kind: 'embed', spec }, 'embedding');
  }

  /** Whether a thread is there, so that the next call need not wait for it. */
  get isRunning(): boolean {
    return this.#model.isRunning;
  }

  /** Loads the model if it is not loaded, and tells how long its vectors are. */
  load(): Promise<{ readonly dimensions: number }> {
    return this.#model.load();
  }

  /**
   * For each input, in order, a vector of length 1, or null for a text that holds nothing the model knows. Calls are answered
   * in order. A fired signal fails the call as `cancelled`: as soon as the run of the model that is under way ends, at the
   * latest after 800 ms.
   */
  embed(inputs: readonly EmbedInput[], options: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    return this.#model.run(inputs, options);
  }

  /** Cancels what is under way, frees the model and waits until the thread has ended. */
  close(): Promise<void> {
    return this.#model.close();
  }
}
