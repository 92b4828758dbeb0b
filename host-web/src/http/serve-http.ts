import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalidInput } from '@kebab/core/app';
import { Entrance, refusalOf } from './access.ts';

const ADDRESS = '127.0.0.1';

/** What a page is answered with. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  /** Parts are sent as they come. */
  readonly body: string | Uint8Array | AsyncIterable<string>;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request that may be answered. */
export interface PageRequest {
  readonly url: URL;
  /** What a form sends; null for a read. */
  readonly form: URLSearchParams | null;
  /** To be put into every form. */
  readonly formToken: string;
  /** Of the `Accept-Language` header. */
  readonly languages: string;
  /** Fires when the browser no longer waits. */
  readonly signal: AbortSignal;
}

/** A listening server. */
export interface UiServer {
  readonly port: number;
  /** The address to open, with a token that is valid once. */
  readonly entrance: string;
  /** Accepts no new requests and ends the running ones. */
  close(): Promise<void>;
}

/** How pages are served. */
export interface ServeOptions {
  readonly port: number;
  /** Calls `onIdle` when nothing was requested for so long. */
  readonly idle?: { readonly afterMs: number; readonly onIdle: () => void } | undefined;
}

/**
 * Serves pages on the loopback address to the one browser that brings the token. Rejects with `invalid_input` when the port is out of range,
 * taken, or not for this user.
 */
export async function serveHttp(
  { port, idle }: ServeOptions,
  answer: (request: PageRequest) => Promise<Reply>,
): Promise<UiServer> {
  const entrance = new Entrance();
  let bound = port;
  let running = 0;
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    if (idle !== undefined && running === 0 && !isClosing) timer = setTimeout(idle.onIdle, idle.afterMs);
  };
  const server = createServer(LIMITS, (request, response) => {
    clearTimeout(timer);
    running++;
    response.once('close', () => {
      running--;
      rest();
    });
    respond(request, response, { port: bound, entrance, answer }).catch(() => response.destroy());
  });
  rest();
  await listening(server, port);
  bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    entrance: `http://${ADDRESS}:${bound}/?t=${entrance.token}`,
    close: async () => {
      isClosing = true;
      clearTimeout(timer);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Limits for clients. */
const LIMITS = { keepAliveTimeout: 30_000, headersTimeout: 10_000, requestTimeout: 30_000 };

/** The headers of every response: nothing is loaded but from this server, and no other page may show or read one of these. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

interface Serving {
  readonly port: number;
  readonly entrance: Entrance;
  readonly answer: (request: PageRequest) => Promise<Reply>;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { port, entrance, answer }: Serving,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const send = async ({ status, type, body, headers }: Reply): Promise<void> => {
    const isWhole = typeof body === 'string' || body instanceof Uint8Array;
    const length = isWhole ? { 'content-length': Buffer.byteLength(body) } : {};
    response.writeHead(status, { 'content-type': type, ...length, ...headers });
    if (request.method === 'HEAD') response.end();
    else if (isWhole) response.end(body);
    else await pipeline(Readable.from(body), response);
  };
  const refusal = refusalOf(request, port);
  if (refusal !== null) return send(plain(refusal.status, refusal.message));
  const url = urlOf(request.url);
  if (url === null) return send(plain(400, 'this is not the address of a page'));
  const token = url.searchParams.get('t');
  const isKnown = entrance.isKnown(request, port);
  if (token !== null && url.pathname === '/' && request.method === 'GET') {
    if (!isKnown && !entrance.take(token)) return send(plain(403, USED));
    if (!isKnown) response.setHeader('set-cookie', entrance.cookieFor(port));
    response.writeHead(303, { location: '/' }).end();
    return;
  }
  if (!isKnown) return send(plain(403, UNKNOWN));
  const asset = ASSETS[url.pathname];
  if (asset !== undefined) return send({ status: 200, type: asset.type, body: assetText(asset.file) });
  const form = request.method === 'POST' ? await formOf(request) : null;
  if (form !== null && !entrance.isOwn(request, form)) return send(plain(403, 'this was not sent by a page of kebab'));
  const gone = new AbortController();
  response.once('close', () => gone.abort(new DOMException('the browser no longer waits', 'AbortError')));
  const languages = request.headers['accept-language'] ?? '';
  const reply = await answer({ url, form, formToken: entrance.formToken, languages, signal: gone.signal });
  if (!gone.signal.aborted) await send(reply);
}

const USED = 'this address was opened before, and is valid once: run `kebab ui` again';
const UNKNOWN = 'open the address that `kebab ui` prints: it lets one browser in';

function plain(status: number, message: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: `${message}\n` };
}

const MAX_FORM_BYTES = 64 * 1024;

/** The members of a form; without any when it is too long, or none. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size <= MAX_FORM_BYTES) parts.push(part);
  }
  return new URLSearchParams(size > MAX_FORM_BYTES ? '' : Buffer.concat(parts).toString('utf8'));
}

function urlOf(target = ''): URL | null {
  const address = `http://${ADDRESS}${target}`;
  return target.startsWith('/') && URL.canParse(address) ? new URL(address) : null;
}

const ASSETS: Readonly<Partial<Record<string, { readonly file: string; readonly type: string }>>> = {
  '/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
  '/script.js': { file: 'script.js', type: 'text/javascript; charset=utf-8' },
  '/icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
};

/** Beside the bundle, or in the package. */
const FOLDERS = ['./web/', '../../assets/'].map((path) => new URL(path, import.meta.url));

function assetText(file: string): string {
  for (const folder of FOLDERS) {
    try {
      return readFileSync(new URL(file, folder), 'utf8');
    } catch {
      // it is in the other folder
    }
  }
  throw new Error(`${file} is missing from this installation`);
}

const MAX_PORT = 65_535;
const ANY_PORT = 'choose another port, or leave --port out for any that is free';

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
