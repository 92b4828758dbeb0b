import { throwIfCancelled, type AbortOptions, type EmbedInput } from '@kebab/core';
import { stageErrorOf } from '../encode/model-stage-error.ts';
import { loadTokenTable, type TextModel, type TextModelSpec } from '../encode/text-model.ts';

/**
 * A table of token vectors in the caller's thread: loaded sooner than a thread starts, but whatever takes long blocks the
 * caller. For short texts.
 */
export class InlineModel {
  readonly #spec: TextModelSpec;
  #model: Promise<TextModel> | null = null;

  constructor(spec: TextModelSpec) {
    this.#spec = spec;
  }

  /** As `ModelThread.embed`; other work of the thread goes first between the pieces of a text. */
  async embed(inputs: readonly EmbedInput[], { signal }: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    throwIfCancelled(signal, 'embedding');
    this.#model ??= loadTokenTable(this.#spec);
    const model = await this.#model.catch((error: unknown) => {
      this.#model = null; // the files may be there next time
      throw error;
    });
    const { setImmediate } = await import('node:timers/promises');
    const checkpoint = async (): Promise<void> => {
      await setImmediate();
      throwIfCancelled(signal, 'embedding');
    };
    return model.embed(inputs, checkpoint).catch((error: unknown) => {
      throw signal?.aborted === true ? error : stageErrorOf(error, 'run');
    });
  }

  /** Frees the model. */
  async close(): Promise<void> {
    const model = await this.#model?.catch(() => null);
    this.#model = null;
    await model?.release();
  }
}
