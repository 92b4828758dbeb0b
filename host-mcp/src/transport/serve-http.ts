import { randomUUID, createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalidInput } from '@kebab/core/app';
import { Connection, type Outcome } from '../protocol/connection.ts';
import { errorResponse, idOf, isObject, RPC_CODES, RpcError, type OutgoingNotification } from '../protocol/json-rpc.ts';
import type { Surface } from '../protocol/surface.ts';
import { checkHeaders } from './repeating-headers.ts';
import { MAX_MESSAGE_BYTES } from './serve-stdio.ts';

/** The one path that is served. */
const ENDPOINT = '/mcp';
const ADDRESS = '127.0.0.1';

/** How a server listens. */
export interface HttpOptions {
  readonly surface: Surface;
  /** 0 takes any free port. */
  readonly port: number;
  /** The bearer token that clients must send; null asks for none. */
  readonly token: string | null;
  /** Limits for clients, for tests. */
  readonly limits?: Partial<typeof LIMITS>;
}

/** A listening server. */
export interface HttpServer {
  readonly port: number;
  readonly url: string;
  /** Accepts no new requests, finishes the running ones, and stops; after five seconds even if a client does not read. */
  close(): Promise<void>;
}

/**
 * Serves many clients over Streamable HTTP on the loopback address. Every request is independent; a legacy client gets a session id, used
 * only to find the request that a cancellation refers to. Rejects with `invalid_input` when the port is out of range, taken, or not for
 * this user.
 */
export async function serveHttp({ surface, port, token, limits }: HttpOptions): Promise<HttpServer> {
  const sessions = new Sessions(surface);
  const bodies = new HeldBodies();
  let bound = port;
  const server = createServer({ ...LIMITS, ...limits }, (request, response) => {
    const reply = new HttpReply(request, response);
    if (isAcceptable(request, reply, { port: bound, token }))
      answer(request, response, reply, { sessions, bodies }).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listening(server, port);
  bound = portOf(server); // a message may still arrive when the server no longer has an address
  return {
    port: bound,
    url: `http://${ADDRESS}:${bound}${ENDPOINT}`,
    close: () =>
      new Promise((resolve) => {
        const impatient = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
        server.close(() => {
          clearTimeout(impatient);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Limits for clients: ten seconds for the headers, thirty for the whole message. */
const LIMITS = {
  keepAliveTimeout: 30_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
};
/** More than the number of agents on one machine; a further connection is closed immediately. */
const MAX_CONNECTIONS = 1000;
const LAST_ANSWERS_MS = 5000;

function isAcceptable(
  request: IncomingMessage,
  reply: HttpReply,
  options: { readonly port: number; readonly token: string | null },
): boolean {
  const rejection = rejectionOf(request.headers, options);
  if (rejection !== null) {
    const challenge: Readonly<Record<string, string>> =
      rejection.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    reply.refuse(rejection.status, rejection.message, challenge);
  } else if (request.url?.split('?', 1)[0] !== ENDPOINT) reply.refuse(404, `only ${ENDPOINT} is served here`);
  else if (request.method !== 'POST') reply.refuse(405, 'send messages with POST', { allow: 'POST' });
  else if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    reply.refuse(415, 'the body is application/json');
  else return true;
  return false;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  reply: HttpReply,
  { sessions, bodies }: { readonly sessions: Sessions; readonly bodies: HeldBodies },
): Promise<void> {
  const body = await bodies.read(request);
  if (body === 'too large') return reply.refuse(413, 'the message is larger than 32 MiB');
  if (body === 'too many') return reply.refuse(503, 'too many messages arrive at once: try again');
  const message = parse(body.text);
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new DOMException('the client has disconnected', 'AbortError'));
  });
  const { id, connection } = sessions.of(request);
  const outcome = await outcomeOf(message, request, () =>
    connection.handle(message, {
      notify: (notification) => reply.notify(notification),
      signal: gone.signal,
      announced: request.headers['mcp-protocol-version'] as string | undefined,
    }),
  );
  sessions.forgetIfIdle(id);
  const opensSession =
    isObject(message) && message['method'] === 'initialize' && outcome.response?.result !== undefined;
  reply.end(outcome, opensSession ? { 'mcp-session-id': randomUUID() } : {});
}

async function outcomeOf(
  message: unknown,
  { headers }: IncomingMessage,
  handle: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    if (message instanceof RpcError) throw message;
    checkHeaders(message, headers);
  } catch (error) {
    const { httpStatus } = error as RpcError;
    return { response: errorResponse(error, idOf(message)), httpStatus };
  }
  return handle();
}

/** The running requests of each session; a session without any is dropped. */
class Sessions {
  readonly #surface: Surface;
  readonly #running = new Map<string, Connection>();

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  /** The connection of a request; a new one if it names no session. */
  of({ headers }: IncomingMessage): { readonly id: string; readonly connection: Connection } {
    const id = headers['mcp-session-id'];
    if (typeof id !== 'string') return { id: '', connection: new Connection(this.#surface) };
    const connection = this.#running.get(id) ?? new Connection(this.#surface);
    this.#running.set(id, connection);
    return { id, connection };
  }

  forgetIfIdle(id: string): void {
    if (this.#running.get(id)?.running === 0) this.#running.delete(id);
  }
}

/** Maximum bytes of all incomplete messages together. */
const MAX_HELD_BYTES = 4 * MAX_MESSAGE_BYTES;

/** Reads bodies, each and all together up to a limit, because incomplete messages cost their senders nothing. */
class HeldBodies {
  #bytes = 0;

  async read(request: IncomingMessage): Promise<{ readonly text: string } | 'too large' | 'too many'> {
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const part of request as AsyncIterable<Uint8Array>) {
        length += part.length;
        this.#bytes += part.length;
        if (length > MAX_MESSAGE_BYTES) return 'too large';
        if (this.#bytes > MAX_HELD_BYTES) return 'too many';
        parts.push(part);
      }
      return { text: Buffer.concat(parts).toString('utf8') };
    } finally {
      this.#bytes -= length;
    }
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return new RpcError(RPC_CODES.parseError, 'the body is not JSON', { httpStatus: 400 });
  }
}

const MAX_PORT = 65_535;
const ANY_PORT = 'choose another port, or 0 for any that is free: `kebab mcp --port 0`';

async function listening(server: Server, port: number): Promise<void> {
  const refusal = (reason: string): Error =>
    invalidInput(`port ${port} ${reason}`, { field: 'port', value: String(port), hint: ANY_PORT });
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT)
    throw refusal(`does not exist: ports go from 0 to ${MAX_PORT}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(refusal('is in use: another program listens there'));
      else if (error.code === 'EACCES') reject(refusal('is reserved for the administrator of this machine'));
      else reject(error);
    });
    server.listen(port, ADDRESS, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/**
 * The response to one POST: a JSON object, or an event stream if a notification has to be sent before the response and the client accepts
 * streams.
 */
class HttpReply {
  readonly #response: ServerResponse;
  readonly #takesStream: boolean;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#response = response;
    this.#takesStream = (request.headers.accept ?? '').includes('text/event-stream');
  }

  /** Sends a notification, if the client accepts one before the response. */
  notify(notification: OutgoingNotification): void {
    if (!this.#takesStream || this.#response.writableEnded) return;
    if (!this.#response.headersSent)
      this.#response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
    this.#event(notification);
  }

  /** Sends the outcome of the message and ends the response. */
  end({ response, httpStatus }: Outcome, headers: Readonly<Record<string, string>> = {}): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#response.headersSent) {
      if (response !== null) this.#event(response);
      this.#response.end();
    } else if (response === null) {
      this.#response.writeHead(httpStatus, headers).end();
    } else {
      const body = Buffer.from(JSON.stringify(response), 'utf8');
      this.#response
        .writeHead(httpStatus, {
          ...headers,
          'content-type': 'application/json',
          'content-length': body.length,
          'cache-control': 'no-store',
        })
        .end(body);
    }
  }

  /** Rejects the request with an error without an id. */
  refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
    const error = new RpcError(RPC_CODES.invalidRequest, message);
    // The rest of the body is not read.
    this.end({ response: errorResponse(error), httpStatus: status }, { ...headers, connection: 'close' });
  }

  #event(message: object): void {
    this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
}

/** Why a request is rejected before its body is read. */
interface Rejection {
  readonly status: 401 | 403;
  readonly message: string;
}

/** Host names that always mean this machine. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Rejects requests that a web page could have sent: a `Host` other than this machine at this port (DNS rebinding), and an `Origin` other
 * than this server. With a token, also requests without it.
 */
function rejectionOf(
  headers: IncomingHttpHeaders,
  { port, token }: { readonly port: number; readonly token: string | null },
): Rejection | null {
  const { host, origin, authorization } = headers;
  if (!isOurs(host, port)) return { status: 403, message: `the Host ${quoted(host)} is not this server` };
  if (origin !== undefined && !isOurs(hostOf(origin), port))
    return { status: 403, message: `the Origin ${quoted(origin)} is not this server` };
  // Scheme names are case-insensitive (RFC 9110, section 11.1).
  if (token !== null && !equal(/^bearer +(.*)$/i.exec(authorization ?? '')?.[1] ?? '', token))
    return { status: 401, message: 'this server asks for a bearer token' };
  return null;
}

function isOurs(host: string | undefined, port: number): boolean {
  const [, name, number = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host ?? '') ?? [];
  return name !== undefined && LOOPBACK.has(name.toLowerCase()) && Number(number) === port;
}

function hostOf(origin: string): string | undefined {
  return /^http:\/\/([^/]+)$/.exec(origin)?.[1];
}

/** Compares digests, so that the duration does not reveal where two strings differ. */
function equal(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function quoted(value: string | undefined): string {
  return JSON.stringify((value ?? '').slice(0, 200));
}
