import { cancelled, isKebabError, throwIfCancelled, withDeadline, type AbortOptions } from '@kebab/core';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { answerStatus, requestFailure, unreachable } from './qdrant-failure.ts';
import type { QdrantConfig } from './qdrant-config.ts';
import { checkVersion } from './server-version.ts';
import { serverAddress } from './server-address.ts';
import { RETRY_POLICY, withRetries, type RetryPolicy } from './with-retries.ts';

/** The calls of Qdrant's REST API. */
export type QdrantApi = ReturnType<QdrantClient['api']>;

/** One request: asks the API, and gives what it wants of the answer; undefined when the answer is of another kind. */
export type QdrantRequest<T> = (api: QdrantApi, init: { readonly signal: AbortSignal }) => Promise<T | undefined>;

/** Sends requests to one server: each with a time limit, those it is too busy for again, failures as errors of kebab. */
export class QdrantConnection {
  readonly endpoint: string;
  readonly #api: QdrantApi;
  readonly #transport: object;
  readonly #timeoutMs: number;
  readonly #retries: RetryPolicy;

  private constructor(api: QdrantApi, options: ConnectionOptions) {
    this.#api = api;
    this.endpoint = options.endpoint;
    this.#transport = options.transport;
    this.#timeoutMs = options.timeoutMs;
    this.#retries = options.retries;
  }

  /**
   * Connects to a server and asks for its version. Throws `vector_store_unreachable` when it does not answer, wants another
   * key, or is too old.
   */
  static async open(config: QdrantConfig, retries: RetryPolicy = RETRY_POLICY): Promise<QdrantConnection> {
    const { url, port, prefix, endpoint } = serverAddress(config.url);
    const [{ QdrantClient }, { BoundedAgent }] = await Promise.all([
      import('@qdrant/js-client-rest'),
      import('./bounded-agent.ts'),
    ]);
    const client = new QdrantClient({
      url,
      port,
      prefix,
      timeout: Infinity, // its own limit would take the place of our signal
      checkCompatibility: false, // it would write to the console
      headers: { 'accept-encoding': 'identity', ...(config.apiKey === '' ? {} : { 'api-key': config.apiKey }) },
    });
    const { timeoutMs } = config;
    const transport = { redirect: 'error', dispatcher: new BoundedAgent() } as const;
    const connection = new QdrantConnection(client.api(), { endpoint, timeoutMs, retries, transport });
    await checkVersion(connection);
    return connection;
  }

  /**
   * The result of a request; undefined when the server answers 404. Throws `vector_store_unreachable`, or `cancelled` when the
   * signal has fired.
   */
  async ask<T>(operation: string, request: QdrantRequest<T>, { signal }: AbortOptions = {}): Promise<T | undefined> {
    throwIfCancelled(signal, operation);
    try {
      const found = await withRetries(() => this.#once(request, signal), this.#retries, signal);
      if (found !== undefined) return found;
      throw unreachable(this.endpoint, 'what answers there is not Qdrant', { hint: 'correct storage.qdrant.url' });
    } catch (error) {
      if (signal?.aborted === true) throw cancelled(operation, signal.reason);
      if (answerStatus(error) === 404) return undefined;
      throw isKebabError(error) ? error : requestFailure(this.endpoint, error);
    }
  }

  #once<T>(request: QdrantRequest<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
    return withDeadline((stop) => request(this.#api, { ...this.#transport, signal: stop }), {
      operation: 'the request',
      signal,
      timeoutMs: this.#timeoutMs,
      late: () =>
        unreachable(this.endpoint, `it did not answer within ${this.#timeoutMs} ms`, {
          hint: 'look at the log of the server, then try again',
        }),
    });
  }
}

interface ConnectionOptions {
  readonly endpoint: string;
  readonly timeoutMs: number;
  readonly retries: RetryPolicy;
  /** What each request is sent with: no redirect is followed, since it would carry the key and the texts elsewhere. */
  readonly transport: object;
}
