import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalidInput } from '@kebab/core/app';
import { Entrance, refusalOf } from './access.ts';

const ADDRESS = '127.0.0.1';

/** What a page is answered with. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** A request that may be answered. */
export interface PageRequest {
  readonly url: URL;
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

/**
 * Serves pages on the loopback address to the one browser that brings the token. Rejects with `invalid_input` when the port is out of range,
 * taken, or not for this user.
 */
export async function serveHttp(port: number, answer: (request: PageRequest) => Promise<Reply>): Promise<UiServer> {
  const entrance = new Entrance();
  let bound = port;
  const server = createServer(LIMITS, (request, response) => {
    respond(request, response, { port: bound, entrance, answer }).catch(() => response.destroy());
  });
  await listening(server, port);
  bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    entrance: `http://${ADDRESS}:${bound}/?t=${entrance.token}`,
    close: async () => {
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
  const send = ({ status, type, body }: Reply): void => {
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
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
  const gone = new AbortController();
  response.once('close', () => gone.abort(new DOMException('the browser no longer waits', 'AbortError')));
  const languages = request.headers['accept-language'] ?? '';
  const reply = await answer({ url, languages, signal: gone.signal });
  if (!gone.signal.aborted) send(reply);
}

const USED = 'this address was opened before, and is valid once: run `kebab ui` again';
const UNKNOWN = 'open the address that `kebab ui` prints: it lets one browser in';

function plain(status: number, message: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: `${message}\n` };
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
