import { cancelled, type AbortOptions } from '@kebab/core';
import type { ModelAnswer, ModelInput, ModelProgram } from '../encode/load-model.ts';
import { RunningModel } from './running-model.ts';

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

  /** Loads the model if it is not loaded, and tells how many numbers its answers have. */
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
