import { STATUS_CODES } from 'node:http';
import {
  loginIn,
  retryAfterMs,
  serverRequest,
  type KebabError,
  type PluginContext,
  type ProxySettings,
  type ServerAnswer,
} from '@kebab/core';
import { answerValues, notJson, parsed, wholeText, type AnswerValue } from './answer-values.ts';
import type { LlmOpenaiConfig } from './llm-openai-config.ts';
import { AnswerFault, isRefusal, openaiFailure, refusalIn } from './openai-failure.ts';

/** One call; a GET if there is no body. */
export interface ServerCall {
  readonly operation: string;
  /** The path after the base address, such as `/models`. */
  readonly path: string;
  readonly body?: object;
  /** 0 for no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A pasted address of one call of the API. */
const CALL = /\/(?:chat\/completions|completions|responses|embeddings|(?<=\/v\d+\/)models)$/;

/**
 * A server with OpenAI's API. Its address is used as it was given, with its query; only a bare host is completed by `/v1`. Nothing keeps
 * running after a call, and every failure has a code.
 */
export class OpenaiServer {
  /** The base address for messages, without user name, password and query. */
  readonly endpoint: string;
  readonly #base: URL;
  readonly #config: LlmOpenaiConfig;
  readonly #proxies: ProxySettings | undefined;

  constructor(config: LlmOpenaiConfig, { proxies }: Pick<PluginContext, 'proxies'> = {}) {
    const base = new URL(config.endpoint);
    const path = base.pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
    base.pathname = path === '' ? '/v1' : path.replace(CALL, '');
    base.hash = '';
    this.#base = base;
    this.endpoint = addressLabel(base);
    this.#config = { ...config, apiKey: config.apiKey.trim() };
    this.#proxies = proxies;
  }

  /** The values of an answer. Leaving the loop makes the server stop. */
  stream(call: ServerCall): AsyncGenerator<AnswerValue> {
    return this.#call(call, ({ body, headers }) => answerValues(body, String(headers['content-type'] ?? '')));
  }

  /** The value of a non-streamed response. */
  async ask(call: ServerCall): Promise<Readonly<Record<string, unknown>>> {
    const values = this.#call(call, async function* ({ body }) {
      const text = await wholeText(body);
      const value = parsed(text);
      if (value === undefined) throw notJson(text);
      yield { kind: 'value', value } as const;
    });
    for await (const answer of values) if (answer.kind === 'value') return answer.value;
    throw new TypeError('an answer in one piece has one value');
  }

  /** The error for a complete but unusable response. */
  unusable(operation: string, cause: string): KebabError {
    return openaiFailure(new AnswerFault({ message: cause }), { ...this.#site(this.#base, operation), aborted: false });
  }

  #site(url: URL, operation: string): Omit<Parameters<typeof openaiFailure>[1], 'aborted'> {
    const { model, contextTokens, apiKey } = this.#config;
    const has = { hasKey: apiKey !== '', hasUser: url.username !== '' };
    return { endpoint: this.endpoint, address: addressLabel(url), model, contextTokens, operation, ...has };
  }

  async *#call(
    call: ServerCall,
    read: (answer: ServerAnswer) => AsyncGenerator<AnswerValue>,
  ): AsyncGenerator<AnswerValue> {
    const { operation, signal, timeoutMs } = call;
    const url = new URL(this.#base);
    url.pathname = `${url.pathname.replace(/\/+$/, '')}${call.path}`;
    const over = new AbortController();
    const limit = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined;
    const ends = [over.signal, signal, limit].filter((each) => each !== undefined);
    try {
      const answer = await this.#send(url, call, AbortSignal.any(ends));
      if (answer.status < 200 || answer.status > 299) throw await this.#refusal(answer);
      for await (const value of read(answer)) {
        if (value.kind === 'value' && isRefusal(value.value)) {
          const { message, ...more } = refusalIn(value.value);
          throw new AnswerFault({ isReported: true, message: this.#masked(message), ...more });
        }
        yield value;
      }
    } catch (error) {
      throw openaiFailure(error, {
        ...this.#site(url, operation),
        aborted: signal?.aborted === true,
        ...(limit?.aborted === true ? { passedMs: timeoutMs } : {}),
      });
    } finally {
      over.abort();
    }
  }

  #send(url: URL, { body }: ServerCall, signal: AbortSignal): Promise<ServerAnswer> {
    const { apiKey } = this.#config;
    // Azure's older addresses, which have the version in their query, take the key in a header of their own.
    const isVersioned = url.searchParams.has('api-version');
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(apiKey !== '' && isVersioned ? { 'api-key': apiKey } : {}),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const text = body === undefined ? undefined : JSON.stringify(body);
    return serverRequest(url.href, { method, headers, body: text, signal, proxies: this.#proxies });
  }

  async #refusal(answer: ServerAnswer): Promise<AnswerFault> {
    const { status } = answer;
    const waitMs = retryAfterMs(answer);
    const text = await wholeText(answer.body);
    const value = parsed(text);
    if (value === undefined) {
      const isPlain = text.trim() !== '' && !text.trim().startsWith('<');
      const message = isPlain ? this.#masked(text) : (STATUS_CODES[status] ?? 'it gave no reason');
      return new AnswerFault({ status, message, waitMs });
    }
    const { message, ...more } = refusalIn(value);
    return new AnswerFault({ ...more, status, isReported: true, message: this.#masked(message), waitMs });
  }

  /** Removes key and password from a text: some servers echo what they reject. */
  #masked(text: string): string {
    const secrets = [this.#config.apiKey, loginIn(this.#base).password].filter((secret) => secret !== '');
    return secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
  }
}

/** An address for messages: without user name, password and query. */
function addressLabel({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}
