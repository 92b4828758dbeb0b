import { setTimeout as sleep } from 'node:timers/promises';
import { cancelled, isKebabError, throwIfCancelled, withDeadline, type AbortOptions } from '@kebab/core';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { Agent, DecoratorHandler, type Dispatcher } from 'undici';
import { answerStatus, requestFailure, unreachable, retryAfterMs } from './qdrant-failure.ts';
import type { QdrantConfig } from './qdrant-config.ts';

/** The calls of Qdrant's REST API. */
export type QdrantApi = ReturnType<QdrantClient['api']>;

/** One request: calls the API and extracts the result; undefined if the response has an unexpected form. */
export type QdrantRequest<T> = (api: QdrantApi, init: { readonly signal: AbortSignal }) => Promise<T | undefined>;

/** Sends requests to one server, with a timeout each, retries when it is busy, and failures converted to kebab's errors. */
export class QdrantConnection {
  readonly endpoint: string;
  readonly #api: QdrantApi;
  readonly #transport: object;
  readonly #timeoutMs: number;
  readonly #retries: RetryPolicy;
  #checked: Promise<void> | undefined;

  private constructor(api: QdrantApi, options: ConnectionOptions) {
    this.#api = api;
    this.endpoint = options.endpoint;
    this.#transport = options.transport;
    this.#timeoutMs = options.timeoutMs;
    this.#retries = options.retries;
  }

  /**
   * Connects to a server and reads its version. Throws `vector_store_unreachable` if it does not respond, rejects the key, or is too old.
   */
  static async open(config: QdrantConfig, retries: RetryPolicy = RETRY_POLICY): Promise<QdrantConnection> {
    const connection = await QdrantConnection.to(config, retries);
    await connection.#check();
    return connection;
  }

  /** A connection that reads the version of the server with its first request. */
  static async to(config: QdrantConfig, retries: RetryPolicy = RETRY_POLICY): Promise<QdrantConnection> {
    const { url, port, prefix, endpoint } = serverAddress(config.url);
    const { QdrantClient } = await import('@qdrant/js-client-rest');
    const client = new QdrantClient({
      url,
      port,
      prefix,
      timeout: Infinity, // its own timeout would replace our signal
      checkCompatibility: false, // the check would print to the console
      headers: { 'accept-encoding': 'identity', ...(config.apiKey === '' ? {} : { 'api-key': config.apiKey }) },
    });
    const { timeoutMs } = config;
    const transport = { redirect: 'error', dispatcher: new BoundedAgent() } as const;
    return new QdrantConnection(client.api(), { endpoint, timeoutMs, retries, transport });
  }

  /**
   * The result of a request; undefined if the server responds with 404. Throws `vector_store_unreachable`, or `cancelled` if the signal has
   * fired.
   */
  async ask<T>(operation: string, request: QdrantRequest<T>, options: AbortOptions = {}): Promise<T | undefined> {
    await this.#check();
    return this.#ask(operation, request, options);
  }

  /** Checks the version once; a failed attempt is not remembered. */
  #check(): Promise<void> {
    if (this.#checked === undefined) {
      this.#checked = checkVersion(this.endpoint, (operation, request) => this.#ask(operation, request));
      this.#checked.catch(() => (this.#checked = undefined));
    }
    return this.#checked;
  }

  async #ask<T>(operation: string, request: QdrantRequest<T>, { signal }: AbortOptions = {}): Promise<T | undefined> {
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

const QDRANT_PORT = 6333;

/** The parts of a URL that the client takes separately. */
interface ServerAddress {
  /** Scheme and host. */
  readonly url: string;
  readonly port: number;
  /** The path prefix of the API, without a trailing slash; empty for none. */
  readonly prefix: string;
  /** The whole URL for messages, without user name and password. */
  readonly endpoint: string;
}

/**
 * Parses the URL of a server. An explicit port counts even if it is the scheme's default (`https://host:443`), which the URL class drops;
 * the default is Qdrant's port.
 */
export function serverAddress(text: string): ServerAddress {
  const { protocol, hostname, pathname } = new URL(text);
  const written = /^https?:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:]*):(\d+)/i.exec(text)?.[1];
  const port = written === undefined ? QDRANT_PORT : Number(written);
  const prefix = pathname.replace(/\/+$/, '');
  const url = `${protocol}//${hostname}`;
  return { url, port, prefix, endpoint: `${url}:${port}${prefix}` };
}

/** The first version with the query API that searches use. */
const OLDEST = '1.10.0';

/** Throws `vector_store_unreachable` if a server is not Qdrant, or is too old. */
async function checkVersion(
  endpoint: string,
  ask: <T>(operation: string, request: QdrantRequest<T>) => Promise<T | undefined>,
): Promise<void> {
  const version = await ask('asking for the version', async (api, init) => {
    const { data } = (await api.root({}, init)) as { readonly data: unknown };
    return typeof data === 'object' && data !== null ? (data as { readonly version?: unknown }).version : undefined;
  });
  if (typeof version !== 'string')
    throw unreachable(endpoint, 'what answers there is not Qdrant', { hint: 'correct storage.qdrant.url' });
  if (isOlder(version, OLDEST))
    throw unreachable(endpoint, `its version is ${version}, kebab needs ${OLDEST} or newer`, {
      hint: 'run a newer server: `docker compose up -d` with the docker-compose.yml of kebab',
    });
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = than.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

/** When a request is retried. */
interface RetryPolicy {
  readonly attempts: number;
  /** The delay before the second attempt; doubles with each further one. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Four attempts within two seconds, unless the server requests a longer delay. */
const RETRY_POLICY: RetryPolicy = { attempts: 4, firstDelayMs: 200, maxDelayMs: 10_000 };

/**
 * Retries a request that failed with 429 or 5xx, because the server is busy or restarting. Anything else is thrown immediately; a server
 * that does not respond will not be available two seconds later either.
 */
async function withRetries<T>(
  request: () => Promise<T>,
  { attempts, firstDelayMs, maxDelayMs }: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const status = answerStatus(error) ?? 0;
      if (attempt >= attempts || (status !== 429 && status < 500)) throw error;
      const askedMs = retryAfterMs(error);
      if (askedMs > maxDelayMs) throw error; // the server says that an earlier attempt is pointless
      const delayMs = Math.min(maxDelayMs, Math.max(firstDelayMs * 2 ** (attempt - 1), askedMs));
      await sleep(delayMs, undefined, { signal });
    }
  }
}

interface ConnectionOptions {
  readonly endpoint: string;
  readonly timeoutMs: number;
  readonly retries: RetryPolicy;
  /** Options of each request: redirects are not followed, since they would send the key and the texts elsewhere. */
  readonly transport: object;
}

/** The maximum size of a response; a page of vectors takes a third of it. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;
const CONNECTIONS = 25;

/** Sends requests to an untrusted server: the size of a response is bounded, compressed or not. Timeouts are up to the caller. */
class BoundedAgent extends Agent {
  constructor() {
    super({ maxResponseSize: MAX_ANSWER_BYTES, bodyTimeout: 0, headersTimeout: 0, connections: CONNECTIONS });
  }

  override dispatch(options: Agent.DispatchOptions, handler: Dispatcher.DispatchHandlers): boolean {
    return super.dispatch(options, new UnpackedAnswers(handler));
  }
}

/** Rejects compressed responses, which were not requested: decompressed they may be of any size. */
class UnpackedAnswers extends DecoratorHandler implements Dispatcher.DispatchHandlers {
  readonly #handler: Dispatcher.DispatchHandlers;

  constructor(handler: Dispatcher.DispatchHandlers) {
    super(handler);
    this.#handler = handler;
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    const names = headers.filter((_, at) => at % 2 === 0).map((name) => name.toString('latin1').toLowerCase());
    if (names.includes('content-encoding')) throw new Error('its answer is packed, which was not asked for');
    return this.#handler.onHeaders?.(status, headers, resume, statusText) ?? true;
  }
}
