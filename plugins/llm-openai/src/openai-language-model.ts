import {
  answerChunks,
  isKebabError,
  type AbortOptions,
  type AnswerPart,
  type GenerateRequest,
  type LanguageModel,
  type TokenChunk,
} from '@kebab/core';
import type { LlmOpenaiConfig } from './llm-openai-config.ts';
import { notThere } from './openai-failure.ts';
import { OpenaiServer } from './openai-server.ts';

const PROBE_TIMEOUT_MS = 5000;

/** A model behind an OpenAI-compatible API: llama.cpp, LM Studio, vLLM and others. */
export class OpenaiLanguageModel implements LanguageModel {
  readonly id = 'openai';
  readonly version = '1';
  readonly structured = true;
  readonly #config: LlmOpenaiConfig;
  readonly #server: OpenaiServer;
  #window: number | null = null;

  constructor(config: LlmOpenaiConfig) {
    this.#config = config;
    this.#server = new OpenaiServer(config);
  }

  /**
   * Opens a model and reads its window from the server, if it responds. If not, the first call reports that, so that a refusal that needs
   * no model does not need a server.
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

  /** Checks that the server responds and has the model; throws `model_unreachable`, `model_not_pulled` or `timeout`. */
  async probe({ signal }: AbortOptions = {}): Promise<void> {
    const call = { operation: 'probe', path: '/models', timeoutMs: PROBE_TIMEOUT_MS, signal };
    const { data } = (await this.#server.ask(call)) as { readonly data?: readonly ListedModel[] };
    const models = Array.isArray(data) ? (data as readonly ListedModel[]) : [];
    // llama.cpp has one model and answers to every name.
    const modelEntry = models.find(({ id }) => id === this.#config.model) ?? models.find(isLlamaCpp);
    if (modelEntry === undefined) throw notThere({ endpoint: this.#server.endpoint, model: this.#config.model });
    this.#window = modelEntry.max_model_len ?? modelEntry.meta?.n_ctx ?? modelEntry.meta?.n_ctx_train ?? null;
  }

  generate(request: GenerateRequest, options?: AbortOptions): AsyncIterable<TokenChunk> {
    return answerChunks(this.#parts(request, options), options);
  }

  async *#parts(request: GenerateRequest, { signal }: AbortOptions = {}): AsyncGenerator<AnswerPart> {
    const values = this.#server.stream({
      operation: 'generate',
      path: '/chat/completions',
      body: chatBody(this.#config.model, request),
      timeoutMs: this.#config.timeoutMs,
      signal,
    });
    let ended: string | undefined;
    for await (const value of values) {
      const { choices, usage } = value as ChatValue;
      ended = choices?.[0]?.finish_reason ?? ended;
      yield {
        text: choices?.[0]?.delta?.content ?? '',
        promptTokens: usage?.prompt_tokens,
        completionTokens: usage?.completion_tokens,
        finishReason: ended === 'length' ? 'length' : undefined,
      };
    }
    const fault = faultOf(ended);
    if (fault !== null) throw this.#server.unusable('generate', fault);
  }
}

/** The problem with the end of a streamed answer; null if there is none. */
function faultOf(finishReason: string | undefined): string | null {
  if (finishReason === undefined) return 'the answer ended before its last part';
  return finishReason === 'content_filter' ? 'the server withheld the rest of the answer' : null;
}

/** An entry of `/v1/models`, with the additions of vLLM and llama.cpp. */
interface ListedModel {
  readonly id?: string;
  readonly owned_by?: string;
  readonly max_model_len?: number;
  readonly meta?: { readonly n_ctx?: number; readonly n_ctx_train?: number } | null;
}

function isLlamaCpp({ owned_by }: ListedModel): boolean {
  return owned_by === 'llamacpp';
}

/** The body of `POST /v1/chat/completions` for a request. */
function chatBody(model: string, request: GenerateRequest): object {
  const { messages, images = [], stop, maxTokens, temperature, seed, schema } = request;
  const lastQuestion = messages.findLastIndex(({ role }) => role === 'user');
  return {
    model,
    messages: messages.map(({ role, text }, at) => ({
      role,
      content: at === lastQuestion && images.length > 0 ? [{ type: 'text', text }, ...images.map(imagePart)] : text,
    })),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    temperature,
    ...(seed === undefined ? {} : { seed }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(schema === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } }),
  };
}

function imagePart(png: Uint8Array): object {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` } };
}

/** The relevant parts of a streamed value; servers add others. */
interface ChatValue {
  readonly choices?: readonly {
    /** `reasoning_content` and `reasoning` contain the model's thinking and are not part of the answer. */
    readonly delta?: { readonly content?: string | null };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}
