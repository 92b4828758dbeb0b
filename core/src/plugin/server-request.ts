import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { networkCause } from '../errors/network-cause.ts';
import { proxyFor } from './proxies.ts';
import type { ProxySettings } from './proxy-settings.ts';

/** A request to a model server. */
export interface ServerRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the request, and the answer while it is read. */
  readonly signal: AbortSignal;
  readonly proxies?: ProxySettings | undefined;
}

/** The answer of a model server. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decompressed. The reader bounds its size. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** An answer as Node has it; plugins see no types of Node. */
interface StreamedAnswer extends ServerAnswer {
  readonly body: Readable;
}

/** A busy server that wants to be asked again within this time is asked again, once. */
const MAX_WAIT_MS = 10_000;
/** A running server accepts a connection within this time, however long its answer takes. */
const CONNECT_MS = 5000;

/**
 * Sends a request to a model server, through the proxy of its address if there is one. Only the connection has a timeout: the global `fetch` fails
 * if the first byte takes longer than 300 seconds, which a large model on a small machine does. Each request has its own connection, so that
 * aborting it closes the connection and the server notices. A redirect, which would take the API key elsewhere, is an error. A 429, 503 or
 * 529 with a short `Retry-After` is waited for, once.
 */
export async function serverRequest(url: string, request: ServerRequest): Promise<ServerAnswer> {
  const first = await sent(new URL(url), request);
  const waitMs = [429, 503, 529].includes(first.status) ? retryAfterMs(first) : null;
  if (waitMs === null || waitMs > MAX_WAIT_MS) return first;
  first.body.on('error', () => {}).destroy();
  await sleep(waitMs, undefined, { signal: request.signal });
  return sent(new URL(url), request);
}

/** How long a busy server asks to wait, by the headers in use; null if it does not say. */
export function retryAfterMs({ headers }: Pick<ServerAnswer, 'headers'>): number | null {
  const valueOf = (name: string): string => String(headers[name] ?? '').trim();
  const written = valueOf('retry-after');
  const exact = durationMs(`${valueOf('retry-after-ms')}ms`) ?? durationMs(`${written}s`);
  if (exact !== null) return exact;
  const date = Date.parse(written);
  if (!Number.isNaN(date)) return Math.max(0, date - (Date.parse(valueOf('date')) || date));
  const resets = ['x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens'].map((name) => durationMs(valueOf(name)));
  const known = resets.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.max(...known);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses a duration such as `6m0s` or `20ms`; null for anything else. */
function durationMs(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smh]))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smh])/g)];
  return Math.ceil(parts.reduce((sum, [, value, unit = 's']) => sum + Number(value) * (UNIT_MS[unit] ?? 0), 0));
}

async function sent(url: URL, request: ServerRequest): Promise<StreamedAnswer> {
  const proxy = proxyFor(url, request.proxies);
  const { user, password } = loginIn(url);
  const basic = user === '' ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  const authorized = { ...request, headers: { ...basic, ...request.headers } };
  const place = Object.assign(new URL(url), { username: '', password: '' }); // Node throws for a bare % in them
  const answer = await (proxy === null ? direct(place, authorized) : throughProxy(place, proxy, authorized));
  const { location } = answer.headers;
  if (answer.status >= 300 && answer.status < 400 && typeof location === 'string') {
    answer.body.on('error', () => {}).destroy();
    throw new Error(
      `it redirects to ${URL.canParse(location, url.href) ? new URL(location, url).href.split('?', 1)[0] : location}`,
    );
  }
  return { ...answer, body: await decompressed(answer) };
}

/** User and password of an address, as people type them: a `%` that encodes nothing stands for itself. */
export function loginIn({ username, password }: URL): { readonly user: string; readonly password: string } {
  return { user: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function direct(url: URL, { method, headers, body, signal }: ServerRequest): Promise<StreamedAnswer> {
  const isSecure = url.protocol === 'https:';
  const { request } = await (isSecure ? import('node:https') : import('node:http'));
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, { method, headers, signal, agent: false });
    outgoing.on('response', resolve).on('error', reject);
    const tooSlow = new Error(`it accepted no connection within ${CONNECT_MS} ms`);
    const connecting = setTimeout(() => outgoing.destroy(tooSlow), CONNECT_MS);
    outgoing.on('close', () => clearTimeout(connecting));
    outgoing.on('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    outgoing.end(body);
  });
  return { status: message.statusCode ?? 0, headers: message.headers, body: message };
}

/** The connection to the proxy has a timeout of its own, ten seconds. */
async function throughProxy(url: URL, proxy: URL, request: ServerRequest): Promise<StreamedAnswer> {
  const { method, headers, body: text, signal } = request;
  const { ProxyAgent, request: send } = await import('undici');
  // Proxies for plain HTTP often allow tunnels to port 443 only.
  const options = { uri: proxy.href, proxyTunnel: url.protocol === 'https:', headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher = new ProxyAgent(options);
  try {
    const answer = await send(url, { method: method as 'GET', headers, body: text ?? null, signal, dispatcher });
    answer.body.once('close', () => void dispatcher.destroy());
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  } catch (error) {
    void dispatcher.destroy();
    // oxlint-disable-next-line preserve-caught-error -- the cause that is shown is the innermost one, which names no proxy
    throw new Error(`through the proxy ${proxy.protocol}//${proxy.host}: ${networkCause(error)}`);
  }
}

const COMPRESSION = /zip|deflate|br|zstd|compress|lz|^dc[bz]$/;

/** Some servers and proxies compress an answer though nobody asked for it; others name a character set where the compression belongs. */
async function decompressed({ headers, body }: StreamedAnswer): Promise<Readable> {
  const encoding = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .replaceAll(/\bidentity\b|[\s,]/g, '');
  if (!COMPRESSION.test(encoding)) return body;
  if (!/^(?:x-)?gzip$|^deflate$|^br$/.test(encoding)) {
    body.on('error', () => {}).destroy();
    throw new Error(`it compresses its answers with ${encoding}, which was not asked for`);
  }
  const [zlib, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  const decoder = encoding === 'br' ? zlib.createBrotliDecompress() : zlib.createUnzip();
  return pipeline(body, decoder, () => {}); // an error reaches the reader through the decoder
}
