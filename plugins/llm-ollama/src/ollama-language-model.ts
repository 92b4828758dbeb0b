import {
  answerChunks,
  type AbortOptions,
  type AnswerPart,
  type GenerateRequest,
  type HistoryItem,
  type LanguageModel,
  type TokenChunk,
} from '@kebab/core';
import { shortDigest, type ChatCall, type ChatPart, type ModelFacts, type OllamaServer } from '@kebab/ollama-kit';

/** How a model is used. */
export interface OllamaModelOptions {
  /** The window to ask for; the model's own where that is smaller. */
  readonly contextTokens: number;
  /** As in the configuration; empty for the server's own choice. */
  readonly keepAlive: string;
}

/** A model on an Ollama server that answers in a chat. */
export class OllamaLanguageModel implements LanguageModel {
  readonly id = 'ollama';
  readonly version = '1';
  readonly #server: OllamaServer;
  readonly #options: OllamaModelOptions;
  #facts: ModelFacts | null;

  /** `facts` is what is known of the model; null when its server could not be asked yet. */
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

  /** Asks whether the server is there and has the model; throws `model_unreachable`, `model_not_pulled` or `timeout`. */
  async probe(options?: AbortOptions): Promise<void> {
    this.#facts = await this.#server.probe(options);
  }

  generate(request: GenerateRequest, options?: AbortOptions): AsyncIterable<TokenChunk> {
    return answerChunks(this.#parts(request, options), options);
  }

  async *#parts(request: GenerateRequest, options: AbortOptions | undefined): AsyncGenerator<AnswerPart> {
    if (this.#facts === null) await this.probe(options);
    for await (const part of this.#server.chat(this.#call(request), options)) yield answerPart(part);
  }

  #call({ messages, images = [], stop, maxTokens, temperature, seed }: GenerateRequest): ChatCall {
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const { keepAlive } = this.#options;
    return {
      messages: messages.map(({ role, text }: HistoryItem, at) => ({
        role,
        content: text,
        ...(at === asked && images.length > 0 ? { images: [...images] } : {}),
      })),
      ...(this.#facts?.capabilities?.includes('thinking') === true ? { think: false } : {}),
      ...(keepAlive === '' ? {} : { keep_alive: keepAlive }),
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
  const text = part.message.content;
  if (!part.done) return { text };
  const { prompt_eval_count: promptTokens, eval_count: completionTokens, done_reason: reason } = part;
  return { text, promptTokens, completionTokens, finishReason: reason === 'length' ? 'length' : 'stop' };
}
