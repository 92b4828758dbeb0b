import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerateRequest, LanguageModel, TokenChunk } from '@kebab/core';

/** A language model that writes until it is aborted. */
export class EndlessModel implements LanguageModel {
  readonly id = 'scripted';
  readonly version = '1';
  readonly model = { id: 'endless', provider: 'fake' };
  readonly contextTokens = 8192;
  #running = 0;

  /** The number of answers being written. */
  get running(): number {
    return this.#running;
  }

  fingerprint(): string {
    return 'endless';
  }

  async *generate(
    _request: GenerateRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<TokenChunk> {
    let completionTokens = 0;
    this.#running++;
    try {
      for (;;) {
        if (signal?.aborted === true) break;
        completionTokens++;
        yield { kind: 'token', token: 'more ' };
        await sleep(2);
      }
      yield { kind: 'done', finishReason: 'aborted', usage: { promptTokens: 0, completionTokens } };
    } finally {
      this.#running--;
    }
  }
}
