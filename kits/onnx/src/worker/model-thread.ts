import { type AbortOptions, type EmbedInput, cancelled } from '@kebab/core';
import type { TextModelSpec } from '../encode/text-model.ts';
import type { ModelAnswer, ModelInput, ModelProgram } from '../encode/load-model.ts';
import { RunningModel } from './running-model.ts';
import type { PairModelSpec, PassagePair } from '../encode/pair-model.ts';

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

/**
 * Keeps one program running in a thread of its own: started by the first call, and by the next one after it failed; idle, it
 * does not keep the process alive. Failures of the model are `ModelStageError`s.
 */
export class KeptModel<Input extends ModelInput, Answer extends ModelAnswer> {
  readonly #program: ModelProgram;
  readonly #operation: string;
  #running: RunningModel | null = null;

  /** `operation` is what a cancelled call says was cancelled. */
  constructor(program: ModelProgram, operation: string) {
    this.#program = program;
    this.#operation = operation;
  }

  /** Whether a thread is there, so that the next call need not wait for it. */
  get isRunning(): boolean {
    return this.#running?.isOver === false;
  }

  /** Loads the model if it is not loaded, and returns how many numbers its answers have. */
  load(): Promise<{ readonly dimensions: number }> {
    return this.#start().loaded;
  }

  /**
   * One answer for each input, in order. Calls are answered in order. A fired signal fails the call as `cancelled`: as soon
   * as the run of the model that is under way ends, at the latest after 800 ms.
   */
  async run(inputs: readonly Input[], { signal }: AbortOptions = {}): Promise<readonly Answer[]> {
    if (signal?.aborted === true) throw cancelled(this.#operation, signal.reason);
    return (await this.#start().run(inputs, signal)) as readonly Answer[];
  }

  /** Cancels what is under way, frees the model and waits until the thread has ended. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.close();
  }

  #start(): RunningModel {
    if (this.#running === null || this.#running.isOver)
      this.#running = new RunningModel(this.#program, this.#operation);
    return this.#running;
  }
}

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
