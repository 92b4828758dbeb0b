import { ThinkFilter } from '@kebab/core';
import type { AbortOptions, GenerateRequest, HistoryItem, LanguageModel, TokenChunk } from '@kebab/core';
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

  /** The digest of the weights, shortened; `unknown` until the server has told it. */
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

  async *generate(request: GenerateRequest, { signal }: AbortOptions = {}): AsyncGenerator<TokenChunk> {
    const course = new AnswerCourse();
    try {
      if (!hasFired(signal)) yield* this.#tokens(request, course, signal);
    } catch (error) {
      if (!hasFired(signal) && !course.begun) throw error;
      course.breakOff(error);
    }
    yield course.done(hasFired(signal));
  }

  async *#tokens(
    request: GenerateRequest,
    course: AnswerCourse,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<TokenChunk> {
    const options = signal === undefined ? {} : { signal };
    if (this.#facts === null) await this.probe(options);
    const spoken = new ThinkFilter();
    for await (const part of this.#server.chat(this.#call(request), options)) {
      course.take(part);
      const token = spoken.push(part.message.content) + (part.done ? spoken.end() : '');
      if (token !== '') yield course.token(token);
      if (hasFired(signal)) return;
    }
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

/** How far an answer has come, and how it ends. */
class AnswerCourse {
  #usage = { promptTokens: 0, completionTokens: 0 };
  #finishReason: 'stop' | 'length' | 'error' = 'stop';
  #error: string | undefined;
  #begun = false;

  /** Whether a token was passed on. */
  get begun(): boolean {
    return this.#begun;
  }

  token(token: string): TokenChunk {
    this.#begun = true;
    return { kind: 'token', token };
  }

  /** Counts a part as a token until the last part brings the server's own count. */
  take(part: ChatPart): void {
    const { promptTokens, completionTokens } = this.#usage;
    if (!part.done) {
      this.#usage = { promptTokens, completionTokens: completionTokens + 1 };
      return;
    }
    this.#usage = {
      promptTokens: part.prompt_eval_count ?? promptTokens,
      completionTokens: part.eval_count ?? completionTokens,
    };
    this.#finishReason = part.done_reason === 'length' ? 'length' : 'stop';
  }

  breakOff(error: unknown): void {
    this.#finishReason = 'error';
    this.#error = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
  }

  done(aborted: boolean): TokenChunk {
    const usage = this.#usage;
    if (aborted) return { kind: 'done', finishReason: 'aborted', usage };
    const error = this.#error;
    return { kind: 'done', finishReason: this.#finishReason, ...(error === undefined ? {} : { error }), usage };
  }
}

/** A function, because the compiler takes it for granted that a signal stays as it was. */
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
