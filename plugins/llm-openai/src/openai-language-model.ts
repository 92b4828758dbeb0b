import {
  isKebabError,
  type AbortOptions,
  type GenerateRequest,
  type LanguageModel,
  type TokenChunk,
  ThinkFilter,
} from '@kebab/core';
import { AnswerCourse } from './answer-course.ts';
import { chatBody } from './chat-body.ts';
import type { LlmOpenaiConfig } from './llm-openai-config.ts';
import { notThere } from './openai-failure.ts';
import { OpenaiServer } from './openai-server.ts';

const PROBE_TIMEOUT_MS = 5000;

/** A model behind an OpenAI-compatible API: llama.cpp, LM Studio, vLLM and others. */
export class OpenaiLanguageModel implements LanguageModel {
  readonly id = 'openai';
  readonly version = '1';
  readonly #config: LlmOpenaiConfig;
  readonly #server: OpenaiServer;
  #window: number | null = null;

  constructor(config: LlmOpenaiConfig) {
    this.#config = config;
    this.#server = new OpenaiServer(config);
  }

  /**
   * Opens a model. Its server is asked for its window, if it is there; if not, the first call says so: whoever is refused before
   * a model is needed shall not need one.
   */
  static async open(config: LlmOpenaiConfig): Promise<OpenaiLanguageModel> {
    const model = new OpenaiLanguageModel(config);
    try {
      await model.probe();
    } catch (error) {
      if (!isKebabError(error)) throw error;
    }
    return model;
  }

  get model(): LanguageModel['model'] {
    return { id: this.#config.model, provider: 'openai' };
  }

  get contextTokens(): number {
    return Math.min(this.#config.contextTokens, this.#window ?? Infinity);
  }

  fingerprint(): string {
    return `${this.id}@${this.version}:${this.#server.endpoint}:${this.#config.model}:${this.contextTokens}`;
  }

  /** Asks whether the server is there and has the model; throws `model_unreachable`, `model_not_pulled` or `timeout`. */
  async probe({ signal }: AbortOptions = {}): Promise<void> {
    const call = { operation: 'probe', path: '/models', timeoutMs: PROBE_TIMEOUT_MS, signal };
    const { data } = (await this.#server.ask(call)) as { readonly data?: readonly ListedModel[] };
    const models = Array.isArray(data) ? (data as readonly ListedModel[]) : [];
    // llama.cpp has one model and answers to every name.
    const found = models.find(({ id }) => id === this.#config.model) ?? models.find(isLlamaCpp);
    if (found === undefined) throw notThere({ endpoint: this.#server.endpoint, model: this.#config.model });
    this.#window = found.max_model_len ?? found.meta?.n_ctx ?? found.meta?.n_ctx_train ?? null;
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
    const spoken = new ThinkFilter();
    const values = this.#server.stream({
      operation: 'generate',
      path: '/chat/completions',
      body: chatBody(this.#config.model, request),
      timeoutMs: this.#config.timeoutMs,
      signal,
    });
    for await (const value of values) {
      const token = spoken.push(course.take(value));
      if (token !== '') yield course.token(token);
      if (hasFired(signal)) return;
    }
    const rest = spoken.end();
    if (rest !== '') yield course.token(rest);
    if (course.fault !== undefined) throw this.#server.unusable('generate', course.fault);
  }
}

/** An entry of `/v1/models`, with what vLLM and llama.cpp add. */
interface ListedModel {
  readonly id?: string;
  readonly owned_by?: string;
  readonly max_model_len?: number;
  readonly meta?: { readonly n_ctx?: number; readonly n_ctx_train?: number } | null;
}

function isLlamaCpp({ owned_by }: ListedModel): boolean {
  return owned_by === 'llamacpp';
}

/** A function, because the compiler takes it for granted that a signal stays as it was. */
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
