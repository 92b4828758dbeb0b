import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is turned away before its body is read. */
export interface Rejection {
  readonly status: 401 | 403;
  readonly message: string;
}

/** Names under which this machine alone can reach the server. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Turns away what a web page could have sent: a `Host` that is not this machine at this port (a name that was pointed
 * here), and an `Origin` that is not this server. With a token, also whoever does not bear it.
 */
export function rejectionOf(
  headers: IncomingHttpHeaders,
  { port, token }: { readonly port: number; readonly token: string | null },
): Rejection | null {
  const { host, origin, authorization } = headers;
  if (!isOurs(host, port)) return { status: 403, message: `the Host ${quoted(host)} is not this server` };
  if (origin !== undefined && !isOurs(hostOf(origin), port))
    return { status: 403, message: `the Origin ${quoted(origin)} is not this server` };
  if (token !== null && !equal(authorization ?? '', `Bearer ${token}`))
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

/** Compares digests, so that the time it takes says nothing about where two texts differ. */
function equal(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function quoted(value: string | undefined): string {
  return JSON.stringify((value ?? '').slice(0, 200));
}
