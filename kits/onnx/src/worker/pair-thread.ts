import type { AbortOptions } from '@kebab/core';
import type { PairModelSpec, PassagePair } from '../encode/pair-model.ts';
import { KeptModel } from './kept-model.ts';

/** A cross-encoder in a thread of its own, as a `ModelThread` has a model that embeds. */
export class PairThread {
  readonly #model: KeptModel<PassagePair, readonly Float32Array[]>;
  readonly #answers: number;

  /** `operation` is what a cancelled call says was cancelled. */
  constructor(spec: PairModelSpec, operation: string) {
    this.#answers = spec.answers;
    this.#model = new KeptModel({ kind: 'judge', spec }, operation);
  }

  /**
   * The logits of each pair, in order: for each part of its text (one, unless the text is too long to leave room for a
   * passage) those of every window of its passage. Calls are answered in order. A fired signal fails the call as
   * `cancelled`: as soon as the run of the model that is under way ends, at the latest after 800 ms.
   */
  async judge(
    pairs: readonly PassagePair[],
    options: AbortOptions = {},
  ): Promise<readonly (readonly (readonly Float32Array[])[])[]> {
    const answers = await this.#model.run(pairs, options);
    return answers.map((parts) => parts.map((logits) => windowsOf(logits, this.#answers)));
  }

  /** Cancels what is under way, frees the model and waits until the thread has ended. */
  close(): Promise<void> {
    return this.#model.close();
  }
}

function windowsOf(logits: Float32Array, size: number): readonly Float32Array[] {
  return Array.from({ length: logits.length / size }, (_, n) => logits.subarray(n * size, (n + 1) * size));
}
