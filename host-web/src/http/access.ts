import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Host names that always mean this machine. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Why a request is not answered. */
export interface Refusal {
  readonly status: 403 | 405;
  readonly message: string;
}

/**
 * Refuses requests that another page could have sent: a `Host` other than this machine at this port (DNS rebinding), an `Origin` other than
 * this server, and whatever the browser says began elsewhere; and methods that no page uses. A browser hides the `Origin` of a form of a page
 * that sends no referrer, and then says itself where the request began.
 */
export function refusalOf({ headers, method }: IncomingMessage, port: number): Refusal | null {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (!isOurs(host, port)) return { status: 403, message: 'the Host of this request is not this server' };
  const isForm = method === 'POST' && origin === 'null' && site === 'same-origin';
  if (origin !== undefined && origin !== `http://${host}` && !isForm)
    return { status: 403, message: 'the Origin of this request is not this server' };
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, message: 'another page began this request: type the address, or follow a link of kebab' };
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return { status: 405, message: 'these pages are read, and their forms are sent' };
  return null;
}

function isOurs(host: string | undefined, port: number): boolean {
  const [, name, number = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host ?? '') ?? [];
  return name !== undefined && LOOPBACK.has(name.toLowerCase()) && Number(number) === port;
}

/**
 * Lets one browser in: the token of the address that is opened is valid once, and is exchanged for a cookie, which ends with the server.
 * Browsers send a cookie to every port of a machine, so its name has the port.
 */
export class Entrance {
  readonly token = randomBytes(24).toString('base64url');
  /** In the forms of the pages, so that only they can be sent. */
  readonly formToken = randomBytes(24).toString('base64url');
  readonly #secret = randomBytes(32).toString('base64url');
  #isUsed = false;

  /** Takes the token; false if it is another one, or was taken before. */
  take(token: string): boolean {
    if (this.#isUsed || !equal(token, this.token)) return false;
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
    return sent.some(([name, value = '']) => name === cookieName(port) && equal(value, this.#secret));
  }

  /** Whether what was sent comes from a script of ours, which sets a header that no other page may set, or from a form of ours. */
  isOwn({ headers }: IncomingMessage, form: URLSearchParams): boolean {
    return headers[FORM_HEADER] !== undefined || equal(form.get('token') ?? '', this.formToken);
  }
}

/** Another page cannot set it without asking first, which is refused. */
const FORM_HEADER = 'x-kebab-ui';

function cookieName(port: number): string {
  return `kebab-ui-${port}`;
}

/** Compares digests, so that the duration does not reveal where two strings differ. */
function equal(sent: string, own: string): boolean {
  return timingSafeEqual(digest(sent), digest(own));
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
