import { randomInt } from 'node:crypto';
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { FakeCollection, Refusal, type Json, type Point } from './fake-collection.ts';

/** A fault in a request: a status, a broken socket, no response, or a different response. */
export type Fault =
  | number
  | 'cut'
  | 'hang'
  | { readonly text: string }
  | { readonly status: 429; readonly retryAfter: string };

/** How the double behaves. */
export interface FakeOptions {
  readonly port?: number;
  readonly version?: string;
  readonly apiKey?: string;
  /** Enables TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** What it stores for each confirmed point; null for nothing. */
  readonly keep?: ((sent: Point) => Point | null) | undefined;
  readonly fault?: (method: string, path: string, body: Json) => Fault | undefined;
}

/** A running double. */
export interface FakeQdrant {
  readonly url: string;
  readonly port: number;
  /** `METHOD path?query` of each request. */
  readonly log: readonly string[];
  /** Bodies of the requests, in the order of the log. */
  readonly bodies: readonly Json[];
  readonly collections: Map<string, FakeCollection>;
  readonly aliases: Map<string, string>;
  readonly close: () => Promise<void>;
}

/**
 * A double of Qdrant's REST API, in memory, with the envelopes and messages of Qdrant 1.16 to 1.19 for the calls of a vector
 * store. Search is exact.
 */
export async function startFakeQdrant(options: FakeOptions = {}): Promise<FakeQdrant> {
  const state = {
    collections: new Map<string, FakeCollection>(),
    aliases: new Map<string, string>(),
    keep: options.keep,
  };
  const log: string[] = [];
  const bodies: Json[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    log.push(`${method} ${url.pathname}${url.search}`);
    let text = '';
    for await (const data of request) text += String(data);
    const body: Json = text === '' ? {} : JSON.parse(text);
    bodies.push(body);
    const send = (status: number, value: unknown, headers = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    const fault = options.fault?.(method, url.pathname, body);
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'hang') return;
    if (typeof fault === 'object' && 'text' in fault) return void response.writeHead(200).end(fault.text);
    if (typeof fault === 'object')
      return send(429, { status: { error: 'Too many requests' } }, { 'retry-after': fault.retryAfter });
    if (fault !== undefined) return send(fault, { status: { error: 'Service internal error: asked for by the test' } });
    if (options.apiKey !== undefined && request.headers['api-key'] !== options.apiKey)
      return void response.writeHead(401).end('Must provide an API key or an Authorization bearer token');
    if (url.pathname === '/')
      return send(200, { title: 'qdrant - vector search engine', version: options.version ?? '1.18.0' });
    try {
      send(200, { result: answer(state, `${method} ${url.pathname}`, body), status: 'ok', time: 0 });
    } catch (error) {
      const refusal = error as Refusal;
      send(refusal.status ?? 500, { status: { error: refusal.message }, time: 0 });
    }
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => void handle(request, response);
  const server: Server = options.tls === undefined ? createHttp(listener) : createHttps(options.tls, listener);
  server.keepAliveTimeout = 600_000; // a test that computes for long shares its thread
  const port = options.port === undefined ? await listenAnywhere(server) : await listen(server, options.port);
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    log,
    bodies,
    ...state,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Listens on a free port below the ephemeral range (from 32768 on; `ip_local_port_range`), so that a server that is closed and restarted
 * finds its port free, however many connections others open in between.
 */
async function listenAnywhere(server: Server): Promise<number> {
  for (;;) {
    const found = await listen(server, randomInt(20_000, 30_000)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
    });
    if (found !== undefined) return found;
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(port));
  });
}

type State = Pick<FakeQdrant, 'collections' | 'aliases'> & Pick<FakeOptions, 'keep'>;

function answer({ collections, aliases, keep }: State, call: string, body: Json): unknown {
  const [, method = '', name = '', rest = ''] = /^(\w+) \/collections\/([^/]+)(.*)$/.exec(call) ?? [];
  if (call === 'GET /aliases')
    return { aliases: [...aliases].map(([alias_name, collection_name]) => ({ alias_name, collection_name })) };
  if (call === 'GET /collections') return { collections: [...collections.keys()].map((own) => ({ name: own })) };
  if (call === 'POST /collections/aliases') return switchAliases({ collections, aliases }, body);
  const found = collections.get(aliases.get(name) ?? name);
  if (`${method}${rest}` === 'PUT') {
    if (found !== undefined) throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
    collections.set(name, new FakeCollection(body, keep));
    return true;
  }
  if (`${method}${rest}` === 'DELETE') {
    for (const [alias, target] of aliases) if (target === name) aliases.delete(alias);
    return collections.delete(name);
  }
  if (found === undefined) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
  return found.answer(`${method} ${rest}`, body);
}

function switchAliases({ collections, aliases }: State, body: Json): boolean {
  for (const { create_alias: made, delete_alias: gone } of body.actions as readonly Json[]) {
    if (gone !== undefined && !aliases.delete(gone.alias_name))
      throw new Refusal(404, `Not found: Alias ${gone.alias_name} does not exists!`);
    if (made === undefined) continue;
    if (!collections.has(made.collection_name))
      throw new Refusal(404, `Not found: Collection \`${made.collection_name}\` doesn't exist!`);
    aliases.set(made.alias_name, made.collection_name);
  }
  return true;
}
