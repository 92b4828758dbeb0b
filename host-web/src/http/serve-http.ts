import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { equalsSecret, isLoopbackHost, listenOnLoopback, LOOPBACK_ADDRESS } from '@kebab/core/app';

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
  bound = await listenOnLoopback(server, port, ANY_PORT);
  return {
    port: bound,
    entrance: `http://${LOOPBACK_ADDRESS}:${bound}/?t=${entrance.token}`,
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
  const address = `http://${LOOPBACK_ADDRESS}${target}`;
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

const ANY_PORT = 'choose another port, or leave --port out for any that is free';

/** Why a request is not answered. */
interface Refusal {
  readonly status: 403 | 405;
  readonly message: string;
}

/**
 * Refuses requests that another page could have sent: a `Host` other than this machine at this port (DNS rebinding), an `Origin` other than
 * this server, and whatever the browser says began elsewhere; and everything that is not a read.
 */
function refusalOf({ headers, method }: IncomingMessage, port: number): Refusal | null {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (!isLoopbackHost(host, port)) return { status: 403, message: 'the Host of this request is not this server' };
  if (origin !== undefined && origin !== `http://${host}`)
    return { status: 403, message: 'the Origin of this request is not this server' };
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, message: 'another page began this request: type the address, or follow a link of kebab' };
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, message: 'these pages are only read' };
  return null;
}

/**
 * Lets one browser in: the token of the address that is opened is valid once, and is exchanged for a cookie, which ends with the server.
 * Browsers send a cookie to every port of a machine, so its name has the port.
 */
class Entrance {
  readonly token = randomBytes(24).toString('base64url');
  readonly #secret = randomBytes(32).toString('base64url');
  #isUsed = false;

  /** Takes the token; false if it is another one, or was taken before. */
  take(token: string): boolean {
    if (this.#isUsed || !equalsSecret(token, this.token)) return false;
    this.#isUsed = true;
    return true;
  }

  /** The cookie for whoever brought the token. */
  cookieFor(port: number): string {
    return `${cookieName(port)}=${this.#secret}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Whether a request brings the cookie. */
  isKnown({ headers: { cookie = '' } }: IncomingMessage, port: number): boolean {
    const sent = cookie.split(';').map((one) => one.trim().split('='));
    return sent.some(([name, value = '']) => name === cookieName(port) && equalsSecret(value, this.#secret));
  }
}

function cookieName(port: number): string {
  return `kebab-ui-${port}`;
}
