import {
  answerChunks,
  isKebabError,
  type AbortOptions,
  type AnswerPart,
  type GenerateRequest,
  type LanguageModel,
  type PluginContext,
  type TokenChunk,
} from '@kebab/core';
import type { LlmOpenaiConfig } from './llm-openai-config.ts';
import { AnswerFault, notThere, refusesSchema } from './openai-failure.ts';
import { OpenaiServer } from './openai-server.ts';
import { chatBody, COMMON_DIALECT, dialectAfter, StopFilter } from './request-dialect.ts';

const PROBE_TIMEOUT_MS = 5000;
const CHAT = '/chat/completions';

/** A model behind an OpenAI-compatible API: llama.cpp, LM Studio, vLLM and others. */
export class OpenaiLanguageModel implements LanguageModel {
  readonly id = 'openai';
  readonly version = '1';
  readonly #config: LlmOpenaiConfig;
  readonly #server: OpenaiServer;
  #window: number | null = null;
  /** Learned from refusals, once for all calls. */
  #dialect = COMMON_DIALECT;
  #structured = true;

  constructor(config: LlmOpenaiConfig, context: Pick<PluginContext, 'proxies'> = {}) {
    this.#config = config;
    this.#server = new OpenaiServer(config, context);
  }

  /**
   * Opens a model and reads its window from the server, if it responds. If not, the first call reports that, so that a refusal that needs
   * no model does not need a server.
   */
  static async open(
    config: LlmOpenaiConfig,
    context: Pick<PluginContext, 'proxies'> = {},
  ): Promise<OpenaiLanguageModel> {
    const model = new OpenaiLanguageModel(config, context);
    try {
      await model.#readModels({});
    } catch (error) {
      if (!isKebabError(error)) throw error;
    }
    return model;
  }

  get model(): LanguageModel['model'] {
    return { id: this.#config.model, provider: 'openai' };
  }

  /** False once the server has refused a schema. */
  get structured(): boolean {
    return this.#structured;
  }

  get contextTokens(): number {
    return Math.min(this.#config.contextTokens, this.#window ?? Infinity);
  }

  fingerprint(): string {
    return `${this.id}@${this.version}:${this.#server.endpoint}:${this.#config.model}:${this.contextTokens}`;
  }

  /**
   * Checks that the server responds and has the model, as far as it lists its models; throws `model_unreachable`, `model_not_pulled` or
   * `timeout`.
   */
  async probe({ signal }: AbortOptions = {}): Promise<void> {
    try {
      await this.#readModels({ signal });
    } catch (error) {
      if (!isWithoutList(error)) throw error;
      await this.#probeChat({ signal });
    }
  }

  generate(request: GenerateRequest, options?: AbortOptions): AsyncIterable<TokenChunk> {
    return answerChunks(this.#parts(request, options), options);
  }

  async #readModels({ signal }: { readonly signal?: AbortSignal | undefined }): Promise<void> {
    const answer = await this.#server.ask({ operation: 'probe', path: '/models', timeoutMs: PROBE_TIMEOUT_MS, signal });
    const list = Array.isArray(answer) ? answer : (answer['data'] ?? answer['models']);
    const models = Array.isArray(list) ? (list as readonly ListedModel[]) : [];
    const { model } = this.#config;
    const entry =
      models.find(({ id, name }) => [id, name].includes(model)) ??
      // the names of Google and Ollama, and of variants such as `:nitro`, which OpenRouter does not list
      models.find(
        ({ id = '?', name = id }) =>
          [`models/${model}`, `${model}:latest`].includes(name) || model.startsWith(`${id}:`),
      ) ??
      models.find(isLlamaCpp); // llama.cpp has one model and answers to every name
    if (entry === undefined) throw notThere({ endpoint: this.#server.endpoint, model });
    const { max_model_len, meta, context_length, context_window } = entry;
    this.#window = max_model_len ?? meta?.n_ctx ?? meta?.n_ctx_train ?? context_length ?? context_window ?? null;
  }

  /** Asks a server that lists no models for an answer to nothing: it refuses that, unless it is no such server or has no such model. */
  async #probeChat({ signal }: { readonly signal: AbortSignal | undefined }): Promise<void> {
    const body = { model: this.#config.model, messages: [] };
    try {
      await this.#server.ask({ operation: 'probe', path: CHAT, body, timeoutMs: PROBE_TIMEOUT_MS, signal });
    } catch (error) {
      if (!isKebabError(error, 'invalid_input')) throw error;
    }
  }

  async *#parts(request: GenerateRequest, { signal }: AbortOptions = {}): AsyncGenerator<AnswerPart> {
    for (;;) {
      const body = chatBody(this.#config.model, request, this.#dialect);
      const { timeoutMs } = this.#config;
      const values = this.#server.stream({ operation: 'generate', path: CHAT, body, timeoutMs, signal });
      const stop = new StopFilter('stop' in body ? [] : request.stop);
      const course = new AnswerReader();
      try {
        for await (const value of values) {
          const part = course.read(value);
          yield { ...part, text: stop.push(part.text) };
          if (stop.isOver) return;
        }
      } catch (error) {
        // Nothing was read of an answer that was refused.
        const fault = isKebabError(error) && error.cause instanceof AnswerFault ? error.cause : null;
        if (fault === null || course.hasBegun) throw error;
        if (request.schema !== undefined && refusesSchema(fault)) this.#structured = false;
        const dialect = dialectAfter(fault, body, this.#dialect);
        if (dialect === null) throw error;
        this.#dialect = dialect;
        continue;
      }
      yield { text: stop.end() };
      const problem = course.problem();
      if (problem !== null) throw this.#server.unusable('generate', problem);
      return;
    }
  }
}

/** Whether a server does not list its models. */
function isWithoutList(error: unknown): boolean {
  return isKebabError(error) && error.cause instanceof AnswerFault && [404, 405, 501].includes(error.cause.status);
}

/** An entry of `/models`, with the additions of vLLM, llama.cpp, OpenRouter and Groq. */
interface ListedModel {
  readonly id?: string;
  readonly name?: string;
  readonly owned_by?: string;
  readonly max_model_len?: number;
  readonly meta?: { readonly n_ctx?: number; readonly n_ctx_train?: number } | null;
  readonly context_length?: number;
  readonly context_window?: number;
}

function isLlamaCpp({ owned_by }: ListedModel): boolean {
  return owned_by === 'llamacpp';
}

/** Finish reasons by what they begin with or contain, or tokens that end a text; any other, such as `network_error`, is a failure. */
const COMPLETE =
  /^\W*(?:stop|eo[st]|end|im_end|s\b|finish|done|tool|function|pause|success|normal|natural)|(?<!in)complete/i;
const CUT_AT_LIMIT = /length|max_?tokens|max_output|window|token_?limit/i;
const WITHHELD = /filter|safety|recitation|prohibited|sensitive|guardrail|refus|block|spii|toxic/i;

/** Reads the values of one answer. */
class AnswerReader {
  #hasBegun = false;
  #isDone = false;
  #ended: string | undefined;
  /** The text so far of a server that sends whole messages for the pieces of one. */
  #whole = '';
  #instead: AnswerPart['instead'];

  /** Whether anything was read. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  read(answer: { readonly kind: 'done' } | { readonly kind: 'value'; readonly value: object }): AnswerPart {
    this.#hasBegun = true;
    this.#isDone ||= answer.kind === 'done';
    if (answer.kind === 'done') return { text: '' };
    const { choices, usage } = answer.value as ChatValue;
    const choice = choices?.find(({ index }) => (index ?? 0) === 0);
    this.#ended = choice?.finish_reason || this.#ended; // some servers send an empty reason until the end
    const text = this.#textOf(choice);
    const said = choice?.delta ?? choice?.message;
    if ((said?.tool_calls?.length ?? 0) > 0 || said?.function_call != null) this.#instead = 'tool_calls';
    else if ([said?.reasoning_content, said?.reasoning, said?.thinking].some(isSaid)) this.#instead ??= 'reasoning';
    return {
      text,
      promptTokens: usage?.prompt_tokens ?? undefined,
      completionTokens: usage?.completion_tokens ?? undefined,
      finishReason: CUT_AT_LIMIT.test(this.#ended ?? '') ? 'length' : undefined,
      instead: this.#instead,
    };
  }

  /** The problem with the end of an answer; null if there is none. */
  problem(): string | null {
    if (this.#ended === undefined) return this.#isDone ? null : 'the answer ended before its last part';
    if (WITHHELD.test(this.#ended)) return 'the server withheld the rest of the answer';
    const isKnown = COMPLETE.test(this.#ended) || CUT_AT_LIMIT.test(this.#ended);
    return isKnown ? null : `the server ended the answer with "${this.#ended}"`;
  }

  #textOf(choice: ChatChoice | undefined): string {
    const delta = contentText(choice?.delta?.content) || contentText(choice?.delta?.refusal);
    const message = contentText(choice?.message?.content) || contentText(choice?.message?.refusal);
    const text = delta || contentText(choice?.text) || this.#restOf(message);
    this.#whole += text;
    return text;
  }

  /** A message may repeat the text before it. */
  #restOf(message: string): string {
    return this.#whole !== '' && message.startsWith(this.#whole) ? message.slice(this.#whole.length) : message;
  }
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** The text of a content: a text, or a list of parts of which some are text. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(contentText).join('');
  const { type, text } = (content ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  if (typeof type === 'string' && !/text/.test(type)) return '';
  if (typeof text === 'string') return text;
  const { value } = (text ?? {}) as { readonly value?: unknown };
  return typeof value === 'string' ? value : '';
}

/** The relevant parts of a streamed or whole value; servers add others. */
interface ChatValue {
  readonly choices?: readonly ChatChoice[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number } | null;
}

/** A choice. Its text is in `delta` or, in one piece, in `message`; in `text` at servers for completions. */
interface ChatChoice {
  readonly index?: number | null;
  readonly delta?: ChatMessage | null;
  readonly message?: ChatMessage | null;
  readonly text?: string;
  readonly finish_reason?: string | null;
}

/** A message; `reasoning_content`, `reasoning` and `thinking` contain the model's thoughts and are not part of the answer. */
interface ChatMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly thinking?: unknown;
  readonly tool_calls?: readonly unknown[] | null;
  readonly function_call?: unknown;
}
