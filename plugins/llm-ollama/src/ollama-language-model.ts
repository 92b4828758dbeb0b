import {
  answerChunks,
  type AbortOptions,
  type AnswerPart,
  type GenerateRequest,
  type HistoryItem,
  type LanguageModel,
  type TokenChunk,
} from '@kebab/core';
import {
  refusesThink,
  shortDigest,
  type ChatCall,
  type ChatPart,
  type ModelFacts,
  type OllamaServer,
} from '@kebab/ollama-kit';

/** Options for using a model. */
export interface OllamaModelOptions {
  /** The window to request; the model's own if that is smaller. */
  readonly contextTokens: number;
  /** As in the configuration; empty for the server's default. */
  readonly keepAlive: string;
}

/** A chat model on an Ollama server. */
export class OllamaLanguageModel implements LanguageModel {
  readonly id = 'ollama';
  readonly version = '1';
  readonly structured = true;
  readonly #server: OllamaServer;
  readonly #options: OllamaModelOptions;
  #facts: ModelFacts | null;
  /** Whether the server has refused to be told that the model is not to think. */
  #refusesThink = false;

  /** `facts` are the known properties of the model; null if its server could not be reached yet. */
  constructor(server: OllamaServer, facts: ModelFacts | null, options: OllamaModelOptions) {
    this.#server = server;
    this.#facts = facts;
    this.#options = options;
  }

  get model(): LanguageModel['model'] {
    return { id: this.#server.model, provider: 'ollama' };
  }

  /** The digest of the weights, shortened; `unknown` until the server has reported it. */
  get modelVersion(): string {
    return shortDigest(this.#facts);
  }

  get contextTokens(): number {
    return Math.min(this.#options.contextTokens, this.#facts?.contextTokens ?? Infinity);
  }

  fingerprint(): string {
    return `${this.id}@${this.version}:${this.#server.model}@${this.modelVersion}:${this.contextTokens}`;
  }

  /** Checks that the server responds and has the model; throws `model_unreachable`, `model_not_pulled` or `timeout`. */
  async probe(options?: AbortOptions): Promise<void> {
    this.#facts = await this.#server.probe(options);
  }

  generate(request: GenerateRequest, options?: AbortOptions): AsyncIterable<TokenChunk> {
    return answerChunks(this.#parts(request, options), options);
  }

  async *#parts(request: GenerateRequest, options: AbortOptions | undefined): AsyncGenerator<AnswerPart> {
    if (this.#facts === null) await this.probe(options);
    const call = this.#call(request);
    let hasBegun = false;
    try {
      for await (const part of this.#server.chat(call, options)) {
        hasBegun = true;
        yield answerPart(part);
      }
      return;
    } catch (error) {
      if (hasBegun || call.think === undefined || !refusesThink(error)) throw error;
    }
    this.#refusesThink = true;
    for await (const part of this.#server.chat(this.#call(request), options)) yield answerPart(part);
  }

  #call({ messages, images = [], stop, maxTokens, temperature, seed, schema }: GenerateRequest): ChatCall {
    const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
    const { keepAlive } = this.#options;
    const canThink = this.#facts?.capabilities?.includes('thinking') === true;
    return {
      messages: messages.map(({ role, text }: HistoryItem, at) => ({
        role,
        content: text,
        ...(at === lastQuestion && images.length > 0 ? { images: [...images] } : {}),
      })),
      ...(canThink && !this.#refusesThink ? { think: false } : {}),
      ...(keepAlive === '' ? {} : { keep_alive: keepAlive }),
      ...(schema === undefined ? {} : { format: schema }),
      options: {
        num_ctx: this.contextTokens,
        num_predict: maxTokens,
        temperature,
        ...(seed === undefined ? {} : { seed }),
        ...(stop.length === 0 ? {} : { stop: [...stop] }),
      },
    };
  }
}

function answerPart(part: ChatPart): AnswerPart {
  const { content: text, thinking = '', tool_calls: calls = [] } = part.message;
  const instead = calls.length > 0 ? 'tool_calls' : thinking === '' ? undefined : 'reasoning';
  if (!part.done) return { text, instead };
  const { prompt_eval_count: promptTokens, eval_count: completionTokens, done_reason: reason } = part;
  return { text, instead, promptTokens, completionTokens, finishReason: reason === 'length' ? 'length' : 'stop' };
}
