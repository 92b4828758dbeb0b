import { AnswerFault, checkedAnswer, isUnknownPath, ollamaFailure, type CallSite } from './ollama-failure.ts';
import {
  cancelled,
  isKebabError,
  loginIn,
  serverRequest,
  type AbortOptions,
  type DerivationCache,
  type ProxySettings,
} from '@kebab/core';
import type { ChatRequest, ChatResponse, EmbedRequest, Ollama, ListResponse, ShowResponse } from 'ollama';

/** A model and its server. */
export interface OllamaServerOptions {
  /** `http://…` or `https://…`, with or without a path before `/api`. */
  readonly endpoint: string;
  readonly model: string;
  /** The timeout of a whole answer in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Sent as a bearer token, for a server behind a proxy or in the cloud; empty for none. */
  readonly apiKey?: string | undefined;
  readonly proxies?: ProxySettings | undefined;
  /** The keys of the configuration that name the server and the model, for hints. */
  readonly keys: CallSite['keys'];
}

/** The limit for requests about the server itself, which it answers immediately. */
const PROBE_TIMEOUT_MS = 10_000;

/** The API as users paste it: the client adds the path itself. */
const API = /\/+(?:api(?:\/(?:chat|generate|embed))?|v1)?\/*$/;

/** A chat request without the members that {@link OllamaServer} adds. */
export type ChatCall = Omit<ChatRequest, 'model' | 'stream'>;

/** A piece of an answer, or its last part. */
export type ChatPart = ChatResponse;

/** An embedding request without the members that {@link OllamaServer} adds. */
export type EmbedCall = Omit<EmbedRequest, 'model'>;

/**
 * One model on an Ollama server. It prints nothing, leaves nothing running, and every failure has a code: `model_unreachable` (nothing
 * listens, a broken connection, an unusable response), `model_not_pulled`, `timeout`, `invalid_input` for requests that the server rejects,
 * and `cancelled` if the signal has fired.
 */
export class OllamaServer {
  /** Address of the server, without user name and password. */
  readonly endpoint: string;
  readonly model: string;
  readonly #options: OllamaServerOptions;

  constructor(options: OllamaServerOptions) {
    const endpoint = options.endpoint.replace(API, '');
    this.#options = { ...options, endpoint, apiKey: options.apiKey?.trim() };
    this.endpoint = endpointLabel(endpoint);
    this.model = options.model;
  }

  /** The context of an operation, for errors that the caller detects. */
  site(operation: string): CallSite {
    const { keys, apiKey = '', endpoint } = this.#options;
    const secrets = [apiKey, loginIn(new URL(endpoint)).password].filter((secret) => secret !== '');
    return { endpoint: this.endpoint, model: this.model, operation, keys, hasKey: apiKey !== '', secrets };
  }

  /** The parts of an answer, the last one with `done: true`. Leaving the loop makes the server stop. */
  async *chat(call: ChatCall, { signal }: AbortOptions = {}): AsyncGenerator<ChatPart> {
    const { model, timeoutMs } = this.#options;
    yield* this.#call({ operation: 'generate', timeoutMs, signal }, async function* (client) {
      for await (const part of await client.chat({ ...call, model, stream: true })) yield checkedPart(part);
    });
  }

  /** The server's vectors for a batch, one per text, unvalidated. */
  async embed(call: EmbedCall, { signal }: AbortOptions = {}): Promise<readonly unknown[]> {
    const { timeoutMs } = this.#options;
    const answer = await this.#ask({ operation: 'embed', timeoutMs, signal }, (client) =>
      client.embed({ ...call, model: this.model }),
    );
    const embeddings: unknown = answer.embeddings;
    return Array.isArray(embeddings) ? embeddings : [];
  }

  /**
   * Checks that the server responds and has the model, and returns its properties. Throws the same errors as a call, but does not wait for
   * the model to be loaded.
   */
  async probe({ signal }: AbortOptions = {}): Promise<ModelFacts> {
    return this.#ask({ operation: 'probe', timeoutMs: PROBE_TIMEOUT_MS, signal }, async (client) => {
      const listed = await client.list();
      const shown = await client.show({ model: this.model }).catch((error: unknown) => {
        // what only speaks Ollama's API may lack this part of it
        if (isUnknownPath(error) && isListed(this.model, listed)) return {} as ShowResponse;
        throw error;
      });
      return modelFacts(this.model, shown, listed);
    });
  }

  async #ask<T>(limits: CallLimits, use: (client: Ollama) => Promise<T>): Promise<T> {
    const answers = this.#call(limits, async function* (client) {
      yield await use(client);
    });
    for await (const answer of answers) return answer;
    throw new TypeError('an answer in one piece has one value');
  }

  /** Nothing keeps running after a call: its signal fires with the caller's, at the limit, and at the end. */
  async *#call<T>(
    { operation, timeoutMs, signal }: CallLimits,
    use: (client: Ollama) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const over = new AbortController();
    const limit = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined;
    try {
      const ends = [over.signal, limit, signal].filter((end) => end !== undefined);
      yield* use(await this.#client(AbortSignal.any(ends)));
    } catch (error) {
      if (signal?.aborted === true) throw cancelled(operation);
      throw ollamaFailure(error, this.site(operation), limit?.aborted === true ? timeoutMs : undefined);
    } finally {
      over.abort();
    }
  }

  /** A client for one call; the signal replaces the client's own, which never fires. */
  async #client(signal: AbortSignal): Promise<Ollama> {
    const { Ollama: Client } = await import('ollama');
    const { apiKey = '', proxies } = this.#options;
    const authorization = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
    return new Client({
      host: this.#options.endpoint,
      fetch: async (url, { method = 'GET', headers, body } = {}) =>
        checkedAnswer(
          await serverRequest(url as string, {
            method,
            // the client always passes strings and plain objects
            headers: { ...(headers as Readonly<Record<string, string>>), ...authorization },
            body: typeof body === 'string' ? body : undefined,
            signal,
            proxies,
          }),
          (url as string).endsWith('/api/chat'),
        ),
    });
  }
}

/** One call. */
interface CallLimits extends AbortOptions {
  readonly operation: string;
  /** Until the end of the answer; 0 is no limit. */
  readonly timeoutMs: number;
}

/** An address for messages and logs: without user name, password, query and trailing slash. */
export function endpointLabel(endpoint: string): string {
  const { protocol, host, pathname } = new URL(endpoint);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}

/** Validates a part of a stream: its message must have a text. */
function checkedPart(part: ChatPart): ChatPart {
  const message: unknown = part.message;
  if (typeof message !== 'object' || message === null)
    throw new AnswerFault('garbled', 200, 'it sent a part of an answer without a message');
  const { content } = message as { readonly content?: unknown };
  return typeof content === 'string' ? part : { ...part, message: { ...part.message, content: '' } };
}

/** The properties of a model as reported by a server; null if not reported. */
export interface ModelFacts {
  /** Identifies the weights: a different digest may give different output. */
  readonly digest: string | null;
  /** The tokens that fit into its window. */
  readonly contextTokens: number | null;
  /** The length of its vectors. */
  readonly embeddingLength: number | null;
  /** `completion`, `vision`, `thinking`, `embedding`, …; null from a server too old to report them. */
  readonly capabilities: readonly string[] | null;
}

/** Extracts the properties from the responses of `/api/show` and `/api/tags`. */
export function modelFacts(model: string, shown: ShowResponse, listed: ListResponse): ModelFacts {
  // The client's types promise a Map and every member; the server sends an object, and older ones send less.
  const info = (shown.model_info ?? {}) as unknown as Readonly<Record<string, unknown>>;
  const name = info['general.architecture'];
  const architecture = typeof name === 'string' ? name : '';
  const capabilities: unknown = shown.capabilities;
  return {
    digest: digestOf(model, listed),
    contextTokens: count(info[`${architecture}.context_length`]),
    embeddingLength: count(info[`${architecture}.embedding_length`]),
    capabilities: Array.isArray(capabilities) ? capabilities.map(String) : null,
  };
}

/** A name as servers list it: without a tag it means `latest`. */
export function fullModelName(model: string): string {
  return /:[^/]+$/.test(model) ? model : `${model}:latest`;
}

/** The digest for versions: long enough to distinguish models, short enough to read; `unknown` if there is none. */
export function shortDigest(facts: ModelFacts | null): string {
  return facts?.digest?.slice(0, 12) ?? 'unknown';
}

function digestOf(model: string, listed: ListResponse): string | null {
  return entryOf(model, listed)?.digest ?? null;
}

function isListed(model: string, listed: ListResponse): boolean {
  return entryOf(model, listed) !== undefined;
}

function entryOf(model: string, { models }: ListResponse): ListResponse['models'][number] | undefined {
  return (models ?? []).find(({ name }) => name === model || name === fullModelName(model));
}

function count(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}

/**
 * The properties of a model: as its server reports now or, if the server cannot be reached, as it reported last. So a fingerprint does not
 * depend on whether the server runs. Throws the errors of {@link OllamaServer.probe} if it has never reported anything.
 */
export async function rememberedFacts(
  server: OllamaServer,
  cache: DerivationCache,
  options?: AbortOptions,
): Promise<ModelFacts> {
  const key = `ollama-facts-v1 ${server.endpoint} ${server.model}`;
  try {
    const facts = await server.probe(options);
    cache.set(key, new TextEncoder().encode(JSON.stringify(facts)));
    return facts;
  } catch (error) {
    if (!isKebabError(error, 'model_unreachable') && !isKebabError(error, 'timeout')) throw error;
    const entry = cache.get(key);
    if (entry === undefined) throw error;
    return JSON.parse(new TextDecoder().decode(entry)) as ModelFacts;
  }
}
