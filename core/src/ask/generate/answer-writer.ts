import type { AbortOptions } from '../../contracts/contribution.ts';
import type { LanguageModel } from '../../contracts/language-model.ts';
import type { HistoryItem } from '../../domain/turn.ts';
import { cancelled, isAbort } from '../../errors/abort.ts';
import type { CheckedAsk } from '../../requests/ask.ts';
import type { HopReply } from '../multi-hop/collect-evidence.ts';
import type { ContextBudget, PromptDelimiter } from '../prompt/pack-context.ts';
import { generateText, type Generation } from './generate-text.ts';

/** The maximum number of tokens for a list of sub-queries. */
const LIST_TOKENS = 512;

/** Options of {@link AnswerWriter}. */
interface AnswerWriterInit {
  readonly model: LanguageModel;
  readonly asked: Pick<CheckedAsk, 'temperature' | 'seed'>;
  readonly budget: ContextBudget;
}

/** What the caller of a model does with each token. */
interface Listening {
  readonly onToken: (token: string) => void;
  /** Whether the text so far is the whole answer. */
  readonly isComplete?: () => boolean;
}

/** Calls one model for one question, once or several times, and sums up the usage. */
export class AnswerWriter {
  readonly #init: AnswerWriterInit;
  readonly #signal: AbortSignal | undefined;
  #promptTokens = 0;
  #completionTokens = 0;

  constructor(init: AnswerWriterInit, { signal }: AbortOptions) {
    this.#init = init;
    this.#signal = signal;
  }

  /** The model that is called. */
  get model(): LanguageModel['model'] {
    return this.#init.model.model;
  }

  get usage(): { readonly promptTokens: number; readonly completionTokens: number } {
    return { promptTokens: this.#promptTokens, completionTokens: this.#completionTokens };
  }

  /**
   * Generates the answer; stops at the delimiter. Errors before the first token are thrown; an interruption is reported in the result, and
   * so is an answer without text.
   */
  async write(
    messages: readonly HistoryItem[],
    {
      delimiter,
      ...options
    }: Listening & { readonly delimiter: PromptDelimiter; readonly schema?: object | undefined },
  ): Promise<Generation & { readonly ms: number }> {
    const { completionTokens: maxTokens } = this.#init.budget;
    return this.#generate(messages, { maxTokens, stop: [delimiter.open, delimiter.close], ...options });
  }

  /** Requests a list of sub-queries; returns the reason when the model failed. Throws `cancelled` when the signal has fired. */
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
    {
      maxTokens,
      stop,
      schema,
      ...listening
    }: Listening & { maxTokens: number; stop: readonly string[]; schema?: object | undefined },
  ): Promise<Generation & { readonly ms: number }> {
    const { model, asked } = this.#init;
    const started = performance.now();
    const request = {
      messages,
      stop,
      maxTokens,
      temperature: asked.temperature,
      seed: asked.seed,
      ...(schema === undefined ? {} : { schema }),
    };
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    const generation = await generateText(model, request, { ...signal, ...listening });
    this.#promptTokens += generation.promptTokens;
    this.#completionTokens += generation.completionTokens;
    const ms = Math.max(1, Math.round(performance.now() - started));
    if (generation.text.trim() !== '' || generation.interrupted !== null) return { ...generation, ms };
    return { ...generation, interrupted: 'broken', failure: withoutText(generation, { ...this.#init, maxTokens }), ms };
  }
}

/** The reason why a model wrote no text, and the remedy, in one line. */
function withoutText(
  { instead, failure }: Generation,
  { model, budget, maxTokens }: AnswerWriterInit & { readonly maxTokens: number },
): string {
  const { id } = model.model;
  if (instead === 'tool_calls')
    return `${id} wrote no answer but called a tool, and kebab offers none: turn off the tools of the server, or change models.llm.model`;
  if (failure !== null) {
    const spent = instead === 'reasoning' ? 'its reasoning used up' : 'it used up';
    return `${id} wrote no answer: ${spent} the limit of ${maxTokens} tokens; raise ${budget.completionSetting}`;
  }
  return instead === 'reasoning'
    ? `${id} wrote only its reasoning and no answer: ask again, turn off its reasoning, or raise rag.max_answer_tokens`
    : `${id} wrote nothing: ask again, and look at the log of the server if it stays so`;
}
