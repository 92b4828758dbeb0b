import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { equalsSecret, listenAt, LOOPBACK_ADDRESS, type Admission, type Caller, type HttpGate } from '@kebab/core/app';
import { BrowserLogins, cookieIn, isOwnForm, LOGOUT } from './browser-logins.ts';
import { plain, seeOther, type Reply } from './reply.ts';

/** A request that may be answered. */
export interface PageRequest {
  readonly url: URL;
  /** What a form sends; null for a read. */
  readonly form: URLSearchParams | null;
  /** To be put into every form. */
  readonly formToken: string;
  /** Where the browser is logged out, if it was logged in. */
  readonly logOutHref?: string | undefined;
  /** Of the `Accept-Language` header. */
  readonly languages: string;
  /** Who sends it with a token of its own; null for the browser of the user of this machine. */
  readonly caller: Caller | null;
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
  /** Identifies clients that send a token instead of the cookie of the one browser. */
  readonly gate: HttpGate;
  /** Calls `onIdle` when nothing was requested for so long. */
  readonly idle?: { readonly afterMs: number; readonly onIdle: () => void } | undefined;
}

/** Answers a request by sending one reply. */
type Answer = (request: PageRequest, send: (reply: Reply) => Promise<void>) => Promise<void>;

/**
 * Serves pages on the loopback address to the one browser that brings the token. Rejects with `invalid_input` when the port is out of range,
 * taken, or not for this user.
 */
export async function serveHttp({ port, gate, idle }: ServeOptions, answer: Answer): Promise<UiServer> {
  const entrance = new Entrance();
  const logins = new BrowserLogins(gate);
  let bound = port;
  let running = 0;
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    if (idle !== undefined && running === 0 && !isClosing) timer = setTimeout(idle.onIdle, idle.afterMs);
  };
  const server = createServer(LIMITS, (request, response) => {
    clearTimeout(timer);
    gate.track(request, response);
    running++;
    response.once('close', () => {
      running--;
      rest();
    });
    respond(request, response, { port: bound, entrance, logins, gate, answer }).catch(() => response.destroy());
  });
  rest();
  bound = await listenAt(server, { port, address: gate.address, hint: ANY_PORT });
  return {
    port: bound,
    entrance: `http://${LOOPBACK_ADDRESS}:${bound}/?t=${entrance.token}`,
    close: async () => {
      isClosing = true;
      clearTimeout(timer);
      gate.drain();
      // The one browser of a person is not waited for; the clients of a team are.
      const impatient = setTimeout(() => server.closeAllConnections(), gate.isShared ? LAST_ANSWERS_MS : 0);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      clearTimeout(impatient);
    },
  };
}

const LAST_ANSWERS_MS = 5000;

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
  readonly logins: BrowserLogins;
  readonly gate: HttpGate;
  readonly answer: Answer;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { port, entrance, logins, gate, answer }: Serving,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const send = async ({ status, type, body, headers, cookies = [] }: Reply): Promise<void> => {
    if (response.destroyed) return; // the browser has left
    const isWhole = typeof body === 'string' || body instanceof Uint8Array;
    const length = isWhole ? { 'content-length': Buffer.byteLength(body) } : {};
    if (cookies.length > 0) response.setHeader('set-cookie', cookies);
    response.writeHead(status, { 'content-type': type, ...length, ...headers });
    if (request.method === 'HEAD') response.end();
    else if (isWhole) response.end(body);
    else await pipeline(body, sending, response);
  };
  const reply = await gate.answer(request, port);
  if (reply !== null) return send(reply);
  const refusal = refusalOf(request, { port, gate });
  if (refusal !== null) return send(refusal);
  const { url: target = '' } = request;
  const address = `http://${LOOPBACK_ADDRESS}${target}`;
  const url = target.startsWith('/') && URL.canParse(address) ? new URL(address) : null;
  if (url === null) return send(plain(400, 'this is not the address of a page'));
  const login = await logins.answer({ request, url, port, form: () => formOf(request) });
  if (login !== null) return send(login);
  const token = url.searchParams.get('t');
  const isKnown = entrance.isKnown(request, port);
  if (token !== null && url.pathname === '/' && request.method === 'GET') {
    if (!isKnown && !entrance.take(token)) return send(plain(403, USED));
    return send({ ...seeOther('/'), cookies: isKnown ? [] : [entrance.cookieFor(port)] });
  }
  const session = isKnown ? null : logins.sessionOf(request, port);
  const admission = await admit(request, { isKnown, session, gate });
  const toLogin = admission.kind === 'refused' && admission.status === 401 ? logins.loginFor(request, url) : null;
  if (toLogin !== null) return send(toLogin);
  if (admission.kind === 'refused')
    return send({ ...plain(admission.status, admission.message), headers: admission.headers });
  const asset = ASSETS[url.pathname];
  if (asset !== undefined)
    return send({ status: 200, type: asset.type, body: assetText(asset.file), headers: OF_ONE_VERSION });
  const form = request.method === 'POST' ? await formOf(request) : null;
  const { caller } = admission;
  const formToken = caller === null ? entrance.formToken : session === null ? '' : logins.formTokenOf(session);
  // No other page can send a token in a header.
  const bringsToken = request.headers.authorization !== undefined;
  if (form !== null && !bringsToken && !isOwnForm(request, form, formToken))
    return send(plain(403, 'this was not sent by a page of kebab'));
  const gone = new AbortController();
  response.once('close', () => gone.abort(new DOMException('the browser no longer waits', 'AbortError')));
  const languages = request.headers['accept-language'] ?? '';
  const logOutHref = session === null ? undefined : LOGOUT;
  await answer({ url, form, formToken, logOutHref, languages, caller, signal: gone.signal }, send);
}

/** Lets each part be sent before the work on the next one, which may block this thread. */
async function* sending(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) {
    yield part;
    await setImmediate();
  }
}

/** Admits whoever sends a token of their own, and otherwise the one browser that has the cookie. */
async function admit(
  request: IncomingMessage,
  { isKnown, session, gate }: { readonly isKnown: boolean; readonly session: string | null; readonly gate: HttpGate },
): Promise<Admission> {
  const sendsToken = request.headers.authorization !== undefined;
  if (isKnown && !sendsToken) return { kind: 'admitted', caller: null };
  const admission = await gate.admit(request, session);
  if (admission.kind === 'admitted') return admission.caller === null && !isKnown ? UNKNOWN_BROWSER : admission;
  return sendsToken || session !== null || admission.status === 401 ? admission : UNKNOWN_BROWSER;
}

const USED = 'this address was opened before, and is valid once: run `kebab ui` again';
const UNKNOWN = 'open the address that `kebab ui` prints: it lets one browser in';
const UNKNOWN_BROWSER: Admission = { kind: 'refused', status: 403, message: UNKNOWN, headers: {} };

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

const ASSETS: Readonly<Partial<Record<string, { readonly file: string; readonly type: string }>>> = {
  '/style.css': { file: 'style.css', type: 'text/css; charset=utf-8' },
  '/script.js': { file: 'script.js', type: 'text/javascript; charset=utf-8' },
  '/icon.svg': { file: 'icon.svg', type: 'image/svg+xml' },
};

/** The pages name the version of kebab in the addresses of these files. */
const OF_ONE_VERSION = { 'cache-control': 'private, max-age=3600' };

/** Beside the bundle, or in the package. */
const FOLDERS = [new URL('./web/', import.meta.url), new URL('../../assets/', import.meta.url)] as const;

/** A file of `assets/`. */
export function assetText(file: string): string {
  const [installed, inPackage] = [new URL(file, FOLDERS[0]), new URL(file, FOLDERS[1])];
  return readFileSync(existsSync(installed) ? installed : inPackage, 'utf8');
}

const ANY_PORT = 'choose another port, or leave --port out for any that is free';

/**
 * Refuses requests that another page could have sent: a `Host` other than this machine at this port (DNS rebinding) or its public address, an `Origin` other than
 * this server, and whatever the browser says began elsewhere; and methods that no page uses. A browser hides the `Origin` of a form of a page
 * that sends no referrer, and then says itself where the request began.
 */
function refusalOf(
  { headers, method }: IncomingMessage,
  { port, gate }: { readonly port: number; readonly gate: HttpGate },
): Reply | null {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  if (!gate.isOwnHost(host, port)) return plain(403, 'the Host of this request is not this server');
  const isForm = method === 'POST' && origin === 'null' && site === 'same-origin';
  const isOwn = origin === `http://${host}` || (origin !== undefined && gate.isPublicOrigin(origin));
  if (origin !== undefined && !isOwn && !isForm) return plain(403, 'the Origin of this request is not this server');
  // A link in a message, and the issuer: the browser then sends no strict cookie, and is logged in first.
  const isArriving = gate.hasLogin && method === 'GET' && mode === 'navigate' && dest === 'document';
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isArriving)
    return plain(403, 'another page began this request: type the address, or follow a link of kebab');
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return plain(405, 'these pages are read, and their forms are sent');
  return null;
}

/**
 * Lets one browser in: the token of the address that is opened is valid once, and is exchanged for a cookie, which ends with the server.
 * Browsers send a cookie to every port of a machine, so its name has the port.
 */
class Entrance {
  readonly token = randomBytes(24).toString('base64url');
  /** In the forms of the pages, so that only they can be sent. */
  readonly formToken = randomBytes(24).toString('base64url');
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
  isKnown(request: IncomingMessage, port: number): boolean {
    return equalsSecret(cookieIn(request, cookieName(port)) ?? '', this.#secret);
  }
}

function cookieName(port: number): string {
  return `kebab-ui-${port}`;
}
