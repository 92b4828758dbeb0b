import type { AbortOptions } from '../../contracts/contribution.ts';
import type { LanguageModel } from '../../contracts/language-model.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import { cancelled, isAbort } from '../../errors/abort.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import { generateText, type Generation } from '../generate/generate-text.ts';
import type { HopReply } from '../multi-hop/collect-evidence.ts';
import type { ContextBudget } from '../prompt/pack-context.ts';
import type { Fence } from '../prompt/templates.ts';

/** The most tokens a list of sub-queries may take. */
const LIST_TOKENS = 512;

/** What a model is asked with. */
export interface AnswerWriterInit {
  readonly model: LanguageModel;
  readonly asked: Pick<CheckedAsk, 'temperature' | 'seed'>;
  readonly budget: ContextBudget;
}

/** Asks one model for one question, once or several times, and counts what that took. */
export class AnswerWriter {
  readonly #init: AnswerWriterInit;
  readonly #signal: AbortSignal | undefined;
  #promptTokens = 0;
  #completionTokens = 0;

  constructor(init: AnswerWriterInit, { signal }: AbortOptions) {
    this.#init = init;
    this.#signal = signal;
  }

  get usage(): { readonly promptTokens: number; readonly completionTokens: number } {
    return { promptTokens: this.#promptTokens, completionTokens: this.#completionTokens };
  }

  /** Writes the answer; stops at the fence. Errors before the first token are thrown, an interruption is told. */
  async write(
    messages: readonly HistoryItem[],
    { fence, onToken }: { readonly fence: Fence; readonly onToken: (token: string) => void },
  ): Promise<Generation & { readonly ms: number }> {
    const { completionTokens: maxTokens } = this.#init.budget;
    return this.#generate(messages, { maxTokens, stop: [fence.open, fence.close], onToken });
  }

  /** Asks for a list of sub-queries; of a model that failed there is the reason. Throws `cancelled` when the signal fired. */
  async list(messages: readonly HistoryItem[]): Promise<HopReply> {
    const maxTokens = Math.min(LIST_TOKENS, this.#init.budget.completionTokens);
    try {
      const { text, ms, interrupted, failure } = await this.#generate(messages, {
        maxTokens,
        stop: [],
        onToken: () => {},
      });
      if (interrupted === 'cancelled') throw cancelled('ask', this.#signal?.reason);
      return { text, ms, failure };
    } catch (error) {
      if (this.#signal?.aborted === true || isAbort(error)) throw error;
      return { text: '', ms: 0, failure: error instanceof Error ? error.message : String(error) };
    }
  }

  async #generate(
    messages: readonly HistoryItem[],
    { maxTokens, stop, onToken }: { maxTokens: number; stop: readonly string[]; onToken: (token: string) => void },
  ): Promise<Generation & { readonly ms: number }> {
    const { model, asked } = this.#init;
    const started = performance.now();
    const request = { messages, stop, maxTokens, temperature: asked.temperature, seed: asked.seed };
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    const generation = await generateText(model, request, { ...signal, onToken });
    this.#promptTokens += generation.promptTokens;
    this.#completionTokens += generation.completionTokens;
    return { ...generation, ms: Math.max(1, Math.round(performance.now() - started)) };
  }
}
