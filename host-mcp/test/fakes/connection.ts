import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { serveStdio } from '../../src/transport/serve-stdio.ts';
import { isObject, type JsonObject, type Surface } from '../../src/protocol/surface.ts';

/** A notification as received by a client. */
export interface ReceivedNotification {
  readonly method: string;
  readonly params: JsonObject;
}

/** A response as received by a client. */
export interface ReceivedResponse {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

type Received = Partial<ReceivedNotification> & ReceivedResponse;

/** The `_meta` of a request of 2026-07-28. */
export const STATELESS_META = {
  [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
  [CLIENT_CAPABILITIES_META_KEY]: {},
};

/** A client on a pipe, and the server at its other end. */
export class Connection {
  readonly #lines: string[] = [];
  readonly #served: Promise<void>;
  readonly #waiting = new Map<unknown, (response: ReceivedResponse | null) => void>();
  readonly #progress = new Map<unknown, (notification: ReceivedNotification) => void>();
  readonly #announce: (notification: ReceivedNotification) => void;
  #wake: () => void = () => undefined;
  #isStateless = false;
  #isClosed = false;
  #pings = 0;

  constructor(surface: Surface, announce: (notification: ReceivedNotification) => void = () => undefined) {
    this.#announce = announce;
    const write = (line: string): void => this.#receive(JSON.parse(line) as Received);
    this.#served = serveStdio({ surface, input: this.#input(), write });
  }

  /** Sends a request and returns its response; null once it has been cancelled and the server has answered another request since. */
  request(
    message: JsonObject,
    notify: (notification: ReceivedNotification) => void = () => undefined,
  ): Promise<ReceivedResponse | null> {
    const params = isObject(message['params']) ? message['params'] : {};
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    this.#isStateless ||= PROTOCOL_VERSION_META_KEY in meta;
    const whole = this.#isStateless
      ? { ...message, params: { ...params, _meta: { ...STATELESS_META, ...meta } } }
      : message;
    this.#progress.set(meta['progressToken'], notify);
    return this.#answered(message['id'], whole);
  }

  /** Cancels a request. */
  async cancel(requestId: unknown): Promise<void> {
    this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'enough' } });
    await this.#answered(`ping ${++this.#pings}`, { jsonrpc: '2.0', id: `ping ${this.#pings}`, method: 'ping' });
    this.#waiting.get(requestId)?.(null);
    this.#waiting.delete(requestId);
  }

  /** Sends anything. */
  send(message: unknown): void {
    this.#lines.push(`${JSON.stringify(message)}\n`);
    this.#wake();
  }

  /** Ends the input, and waits until the server has ended as well. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#served;
  }

  #answered(id: unknown, message: unknown): Promise<ReceivedResponse | null> {
    const answered = new Promise<ReceivedResponse | null>((resolve) => this.#waiting.set(id, resolve));
    this.send(message);
    return answered;
  }

  #receive(received: Received): void {
    const { method, params = {} } = received;
    if (method === undefined) {
      this.#waiting.get(received.id)?.(received);
      this.#waiting.delete(received.id);
    } else if (method === 'notifications/progress') this.#progress.get(params['progressToken'])?.({ method, params });
    else this.#announce({ method, params });
  }

  async *#input(): AsyncGenerator<Uint8Array> {
    while (!this.#isClosed) {
      for (const line of this.#lines.splice(0)) yield Buffer.from(line);
      if (this.#lines.length === 0 && !this.#isClosed) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
