import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  isLoopbackHost,
  listenAt,
  LOOPBACK_ADDRESS,
  type Admission,
  type Caller,
  type GateReply,
  type HttpGate,
} from '@kebab/core/app';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
  type Server as McpServer,
} from '@modelcontextprotocol/server';
import { createMcpServer, errorResponse, idOf, isNotification, clientMessage } from '../protocol/mcp-server.ts';
import { isObject, type Surface } from '../protocol/surface.ts';
import { MAX_MESSAGE_BYTES } from './serve-stdio.ts';

/** The one path that is served. */
const ENDPOINT = '/mcp';

/** How a server listens. */
export interface HttpOptions {
  readonly surface: Surface;
  /** 0 takes any free port. */
  readonly port: number;
  /** Identifies clients, and knows the addresses of the server. */
  readonly gate: HttpGate;
  /** What a client with a token of its own is offered. */
  readonly surfaceFor: (caller: Caller) => Surface;
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
export async function serveHttp({ surface, surfaceFor, port, gate, limits }: HttpOptions): Promise<HttpServer> {
  const running = new Set<Promise<unknown>>();
  const exchanges = exchangesOf({ surface, surfaceFor }, running);
  const shared = { calls: new Map(), bodies: new HeldBodies() };
  let bound = port;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    gate.track(request, response);
    const reply = await gate.answer(request, bound);
    if (reply !== null) return send(response, responseOf(reply));
    const foreign = foreignOf(request, { port: bound, gate });
    if (foreign !== null) return send(response, foreign);
    const admission = await gate.admit(request);
    if (admission.kind === 'refused') return send(response, refusedBy(admission));
    const unsuitable = unsuitableOf(request);
    if (unsuitable !== null) return send(response, unsuitable);
    return answer(request, response, { ...shared, ...exchanges(admission.caller), gate, caller: admission.caller });
  };
  const server = createServer({ ...LIMITS, ...limits }, (request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  bound = await listenAt(server, { port, address: gate.address, hint: ANY_PORT });
  return {
    port: bound,
    url: `http://${LOOPBACK_ADDRESS}:${bound}${ENDPOINT}`,
    close: async () => {
      gate.drain();
      const impatient = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      clearTimeout(impatient);
      await Promise.all(running); // cancelled calls end a moment later
    },
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

/**
 * Refuses, before the body is read, requests that a web page could have sent: a `Host` other than this machine at this port (DNS rebinding),
 * or its public address, and an `Origin` other than this server.
 */
function foreignOf(
  { headers: { host, origin } }: IncomingMessage,
  { port, gate }: { readonly port: number; readonly gate: HttpGate },
): Response | null {
  if (!gate.isOwnHost(host, port)) return refused(403, `the Host ${quoted(host)} is not this server`);
  const isOwn = origin === undefined || isLoopbackHost(hostOf(origin), port) || gate.isPublicOrigin(origin);
  return isOwn ? null : refused(403, `the Origin ${quoted(origin)} is not this server`);
}

function refusedBy({ status, message, headers }: Extract<Admission, { readonly kind: 'refused' }>): Response {
  return refused(status, message, headers);
}

function responseOf({ status, type, body, headers }: GateReply): Response {
  return new Response(body, { status, headers: { 'content-type': type, ...headers } });
}

/** Refuses everything that is not a message, before its body is read. */
function unsuitableOf({ url, method, headers: { 'content-type': type } }: IncomingMessage): Response | null {
  if (url?.split('?', 1)[0]?.replace(/\/$/, '') !== ENDPOINT) return refused(404, `only ${ENDPOINT} is served here`);
  if (method !== 'POST') return refused(405, 'send messages with POST', { allow: 'POST' });
  return /^application\/json\s*(;|$)/i.test(type ?? '') ? null : refused(415, 'the body is application/json');
}

function hostOf(origin: string): string | undefined {
  return /^http:\/\/([^/]+)$/.exec(origin)?.[1];
}

function quoted(value: string | undefined): string {
  return JSON.stringify((value ?? '').slice(0, 200));
}

/** An error without an id; the rest of the body is not read. */
function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const error = new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
  return Response.json(errorResponse(error), { status, headers: { ...headers, connection: 'close' } });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { exchange, surface, calls, bodies, gate, caller }: Serving,
): Promise<void> {
  const body = await bodies.read(request);
  const message = body instanceof Response ? body : parse(body);
  if (message instanceof Response) return send(response, message);
  const scope = caller === null ? null : await missingScope(message, surface);
  if (scope !== null) return send(response, refusedBy(gate.lacking(scope)));
  // A caller cannot cancel the calls of another.
  const sent = request.headers['mcp-session-id'];
  const call = beginCall(message, caller === null || sent === undefined ? sent : [caller.id, sent], calls);
  response.once('close', () => {
    if (!response.writableFinished)
      call.controller.abort(new DOMException('the client has disconnected', 'AbortError'));
    calls.delete(call.key);
  });
  const { signal } = call.controller;
  const answered = await exchange(message, webRequestOf(request, signal), expectsProgress(message, request.headers));
  if (isObject(message) && message['method'] === 'initialize') answered.headers.set('mcp-session-id', randomUUID());
  const isUnanswered = signal.aborted || isNotification(message);
  await send(response, isUnanswered ? new Response(null, { status: 202 }) : answered);
}

/** The scope that a message needs and the caller of a surface does not have; null for any other. */
async function missingScope(message: unknown, surface: Surface): Promise<string | null> {
  if (!isObject(message) || typeof message['method'] !== 'string') return null;
  const { params } = message;
  return (await surface.missingScope?.(message['method'], isObject(params) ? params['name'] : undefined)) ?? null;
}

/** What the requests of a server share, and who sends one. */
interface Serving {
  readonly exchange: Exchange;
  readonly surface: Surface;
  readonly gate: HttpGate;
  /** Null for the user of this machine. */
  readonly caller: Caller | null;
  readonly calls: RunningCalls;
  readonly bodies: HeldBodies;
}

/** Answers one message, as a stream or not; when the signal of the request fires, the call is cancelled, and any response will do. */
type Exchange = (message: unknown, request: Request, streamed: boolean) => Promise<Response>;

/** How many callers are kept at hand. */
const MAX_CALLERS = 256;

/** What callers are offered, and how their messages are answered: made for each when it comes first. */
function exchangesOf(
  { surface: own, surfaceFor }: Pick<HttpOptions, 'surface' | 'surfaceFor'>,
  running: Set<Promise<unknown>>,
): (caller: Caller | null) => Pick<Serving, 'exchange' | 'surface'> {
  const made = (surface: Surface) => ({ surface, exchange: exchangeWith(surface, running) });
  const ofOwn = made(own);
  const callers = new Map<string, typeof ofOwn>();
  return (caller) => {
    if (caller === null) return ofOwn;
    const key = JSON.stringify(caller);
    const known = callers.get(key);
    if (known !== undefined) return known;
    if (callers.size === MAX_CALLERS) callers.clear();
    const ofCaller = made(surfaceFor(caller));
    callers.set(key, ofCaller);
    return ofCaller;
  };
}

/** Each message gets a server of its own, so nothing is remembered between requests. */
function exchangeWith(surface: Surface, running: Set<Promise<unknown>>): Exchange {
  const create = (era: 'legacy' | 'modern'): McpServer => createMcpServer({ surface, era, canNotify: false, running });
  const modern = createMcpHandler(() => create('modern'), { legacy: 'reject' });
  return async (message, request, streamed) => {
    if (!(await isLegacyRequest(request, message))) return modern.fetch(request, { parsedBody: message });
    const revision = request.headers.get(REVISION_HEADER);
    if (revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision))
      return Response.json(errorResponse(unsupported(revision), idOf(message)), { status: 400 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: !streamed,
    });
    await create('legacy').connect(transport);
    const cancelled = new Promise<Response>((resolve) => {
      const cancel = (): void => void transport.close().then(() => resolve(new Response(null)));
      if (request.signal.aborted) cancel();
      else request.signal.addEventListener('abort', cancel, { once: true });
    });
    return Promise.race([transport.handleRequest(request, { parsedBody: message }), cancelled]);
  };
}

const REVISION_HEADER = 'mcp-protocol-version';

/** The package has this error for clients of 2026-07-28 only. */
function unsupported(requested: string): ProtocolError {
  const supported = ['2026-07-28', ...SUPPORTED_PROTOCOL_VERSIONS];
  return new ProtocolError(ProtocolErrorCode.UnsupportedProtocolVersion, 'unsupported protocol version', {
    supported,
    requested,
  });
}

/** Whether notifications may come before the response, so that it has to be a stream. */
function expectsProgress(message: unknown, { accept = '' }: IncomingHttpHeaders): boolean {
  const params = isObject(message) ? message['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) && 'progressToken' in meta && accept.includes(STREAM);
}

/** The running calls by session and id: the package serves each request on its own, so that none could cancel another. */
type RunningCalls = Map<string, AbortController>;

/** Begins a call; a cancellation ends the call that it names. */
function beginCall(
  message: unknown,
  session: unknown,
  calls: RunningCalls,
): { readonly key: string; readonly controller: AbortController } {
  const keyOf = (id: unknown): string => JSON.stringify([session ?? randomUUID(), id]);
  const { method, params } = isObject(message) ? message : {};
  if (method === 'notifications/cancelled' && isObject(params))
    calls.get(keyOf(params['requestId']))?.abort(new DOMException('cancelled by the client', 'AbortError'));
  const call = { key: keyOf(idOf(message)), controller: new AbortController() };
  calls.set(call.key, call.controller);
  return call;
}

/** Maximum bytes of all incomplete messages together. */
const MAX_HELD_BYTES = 4 * MAX_MESSAGE_BYTES;

/** Reads bodies, each and all together up to a limit, because incomplete messages cost their senders nothing. */
class HeldBodies {
  #bytes = 0;

  async read(request: IncomingMessage): Promise<string | Response> {
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      for await (const part of request as AsyncIterable<Uint8Array>) {
        length += part.length;
        this.#bytes += part.length;
        if (length > MAX_MESSAGE_BYTES) return refused(413, 'the message is larger than 32 MiB');
        if (this.#bytes > MAX_HELD_BYTES) return refused(503, 'too many messages arrive at once: try again');
        parts.push(part);
      }
      return Buffer.concat(parts).toString('utf8');
    } finally {
      this.#bytes -= length;
    }
  }
}

/** The message, or why it is none: the package would serve a batch. */
function parse(body: string): unknown {
  let error = new ProtocolError(
    ProtocolErrorCode.InvalidRequest,
    'batches are not supported: send one message at a time',
  );
  try {
    const message: unknown = JSON.parse(body);
    if (!Array.isArray(message)) return clientMessage(message);
  } catch {
    error = new ProtocolError(ProtocolErrorCode.ParseError, 'the body is not JSON');
  }
  return Response.json(errorResponse(error), { status: 400 });
}

const ANY_PORT = 'choose another port, or 0 for any that is free: `kebab mcp --port 0`';

const STREAM = 'text/event-stream';

/** The request as the package reads it, without its body. */
function webRequestOf({ headers }: IncomingMessage, signal: AbortSignal): Request {
  const copied = new Headers({ accept: `application/json, ${STREAM}` });
  for (const [name, value] of Object.entries(headers))
    if (name === 'content-type' || name.startsWith('mcp-')) copied.set(name, String(value));
  return new Request(`http://${LOOPBACK_ADDRESS}${ENDPOINT}`, { method: 'POST', headers: copied, signal });
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.statusCode = status;
  response.setHeaders(headers).setHeader('cache-control', 'no-store');
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body), response).catch(() => undefined); // the client is gone
}
