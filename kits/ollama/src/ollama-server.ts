import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import {
  AnswerFault,
  checkedAnswer,
  ollamaFailure,
  type CallSite,
  CallWatch,
  PROBE_LIMITS,
  type TimeLimits,
} from './ollama-failure.ts';
import { Readable } from 'node:stream';
import { type AbortOptions, isKebabError, type DerivationCache } from '@kebab/core';
import type { ChatRequest, ChatResponse, EmbedRequest, Ollama, ListResponse, ShowResponse } from 'ollama';

/** Which model of which server is meant. */
export interface OllamaServerOptions {
  /** `http://…` or `https://…`, with or without a path in front of `/api`. */
  readonly endpoint: string;
  readonly model: string;
  readonly limits: TimeLimits;
  /** The keys of the configuration that name the server and the model, for hints. */
  readonly keys: CallSite['keys'];
}

/** A chat without what the server knows already. */
export type ChatCall = Omit<ChatRequest, 'model' | 'stream'>;

/** A piece of an answer, or its last part. */
export type ChatPart = ChatResponse;

/** A batch of texts without what the server knows already. */
export type EmbedCall = Omit<EmbedRequest, 'model'>;

/**
 * One model on an Ollama server. It prints nothing, leaves nothing running, and every call fails with a code: `model_unreachable`
 * (nothing listens, a broken connection, an answer that cannot be used), `model_not_pulled`, `timeout`, `invalid_input` for what
 * the server refuses, and `cancelled` when the signal has fired.
 */
export class OllamaServer {
  /** Address of the server, without user name and password. */
  readonly endpoint: string;
  readonly model: string;
  readonly #options: OllamaServerOptions;

  constructor(options: OllamaServerOptions) {
    this.#options = options;
    this.endpoint = endpointLabel(options.endpoint);
    this.model = options.model;
  }

  /** Where calls of an operation go, for errors that the caller finds. */
  site(operation: string): CallSite {
    return { endpoint: this.endpoint, model: this.model, operation, keys: this.#options.keys };
  }

  /** The parts of an answer, the last one with `done: true`. Leaving the loop makes the server stop. */
  async *chat(call: ChatCall, { signal }: AbortOptions = {}): AsyncGenerator<ChatPart> {
    const watch = new CallWatch(this.#options.limits, signal);
    try {
      const client = await this.#client(watch);
      for await (const part of await client.chat({ ...call, model: this.model, stream: true })) {
        watch.heard();
        yield checkedPart(part);
      }
    } catch (error) {
      throw ollamaFailure(error, this.site('generate'), watch.givenUp);
    } finally {
      watch.end();
    }
  }

  /** What the server made of a batch: one vector a text, as it sent them. */
  async embed(call: EmbedCall, { signal }: AbortOptions = {}): Promise<readonly unknown[]> {
    const answer = await this.#ask('embed', this.#options.limits, signal, (client) =>
      client.embed({ ...call, model: this.model }),
    );
    const embeddings: unknown = answer.embeddings;
    return Array.isArray(embeddings) ? embeddings : [];
  }

  /**
   * Asks whether the server is there and has the model, and what it reports about it. Throws what a call would throw, but does not
   * wait for the model to be loaded.
   */
  async probe({ signal }: AbortOptions = {}): Promise<ModelFacts> {
    return this.#ask('probe', PROBE_LIMITS, signal, async (client) => {
      const shown = await client.show({ model: this.model });
      return modelFacts(this.model, shown, await client.list());
    });
  }

  async #ask<T>(
    operation: string,
    limits: TimeLimits,
    signal: AbortSignal | undefined,
    use: (client: Ollama) => Promise<T>,
  ): Promise<T> {
    const watch = new CallWatch(limits, signal);
    try {
      return await use(await this.#client(watch));
    } catch (error) {
      throw ollamaFailure(error, this.site(operation), watch.givenUp);
    } finally {
      watch.end();
    }
  }

  /** A client for one call: the watch takes the place of the client's own signal, which is never fired. */
  async #client(watch: CallWatch): Promise<Ollama> {
    const { Ollama: Client } = await import('ollama');
    return new Client({
      host: this.#options.endpoint,
      fetch: async (url, { method = 'GET', headers, body } = {}) =>
        checkedAnswer(
          await httpFetch(url as string, {
            method,
            headers: headers as Readonly<Record<string, string>>, // the client always hands over texts and plain objects
            ...(typeof body === 'string' ? { body } : {}),
            signal: watch.signal,
            onConnect: () => watch.connected(),
          }),
        ),
    });
  }
}

/** An address as it may appear in messages and logs: without user name, password, query and a slash at its end. */
export function endpointLabel(endpoint: string): string {
  const { protocol, host, pathname } = new URL(endpoint);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}

/** What {@link httpFetch} needs of a `fetch` call. */
interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Called once the server has accepted the connection. */
  readonly onConnect: () => void;
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` over Node's own HTTP client, which has no limits of its own: the global `fetch` gives up when the first byte takes
 * longer than 300 seconds, and a large model on a small machine takes longer. One connection a call, so that breaking off a
 * call closes it and the server notices. Redirects are answers like any other.
 */
async function httpFetch(url: string, request: HttpRequest): Promise<Response> {
  const { method, headers, body, signal, onConnect } = request;
  const secure = url.startsWith('https:');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (secure ? secureRequest : plainRequest)(url, { method, headers, signal, agent: false });
    sent.on('response', resolve).on('error', reject);
    sent.on('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', onConnect));
    sent.end(body);
  });
  const status = answer.statusCode ?? 0;
  const told = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(WITHOUT_BODY.has(status) ? null : stream, {
    status,
    statusText: answer.statusMessage ?? '',
    headers: told,
  });
}

/** Whatever a server sends as a part, its message is a text; one without a message is none. */
function checkedPart(part: ChatPart): ChatPart {
  const message: unknown = part.message;
  if (typeof message !== 'object' || message === null)
    throw new AnswerFault('garbled', 200, 'it sent a part of an answer without a message');
  const { content } = message as { readonly content?: unknown };
  return typeof content === 'string' ? part : { ...part, message: { ...part.message, content: '' } };
}

/** What a server reports about one of its models; null where it does not. */
export interface ModelFacts {
  /** Names the weights: another digest may give another output. */
  readonly digest: string | null;
  /** The tokens that fit into its window. */
  readonly contextTokens: number | null;
  /** The length of its vectors. */
  readonly embeddingLength: number | null;
  /** `completion`, `vision`, `thinking`, `embedding`, …; null from a server too old to report them. */
  readonly capabilities: readonly string[] | null;
}

/** Reads the facts out of what `/api/show` and `/api/tags` answer. */
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

/** The digest as it appears in versions: long enough to distinguish models, short enough to read; `unknown` without one. */
export function shortDigest(facts: ModelFacts | null): string {
  return facts?.digest?.slice(0, 12) ?? 'unknown';
}

function digestOf(model: string, { models }: ListResponse): string | null {
  const name = fullModelName(model);
  return (models ?? []).find((each) => each.name === name)?.digest ?? null;
}

function count(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}

/**
 * What is known of a model: what its server reports now, or, while the server cannot be reached, what it reported last. So a
 * fingerprint does not depend on whether the server happens to run. Throws what {@link OllamaServer.probe} throws when it
 * has never reported anything.
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
    const kept = cache.get(key);
    if (kept === undefined) throw error;
    return JSON.parse(new TextDecoder().decode(kept)) as ModelFacts;
  }
}
