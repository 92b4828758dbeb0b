import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LEGACY_REVISIONS, META, metaOf, STATELESS_REVISIONS, unsupportedRevision } from '../protocol/era.ts';
import { isObject, RPC_CODES, RpcError, type JsonObject } from '../protocol/json-rpc.ts';

/** Why a request is turned away before its body is read. */
export interface Rejection {
  readonly status: 401 | 403;
  readonly message: string;
}

/** Host names that only this machine resolves to itself. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Turns away what a web page could have sent: a `Host` that is not this machine at this port (a name that resolves to it),
 * and an `Origin` that is not this server. With a token, also a request without it.
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

/** The member of `params` that `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
/** The revision that a missing header stands for; it may be written out as well. */
const ASSUMED = '2025-03-26';
const ENCODED = /^=\?base64\?(.*)\?=$/;

/**
 * Checks the headers that repeat parts of the body: a stateless request must have them and they must agree, since others
 * may have acted on them already. A legacy request need only name a supported revision. Throws
 * {@link RpcError}.
 */
export function checkHeaders(message: unknown, headers: IncomingHttpHeaders): void {
  const announced = headerOf(headers, 'mcp-protocol-version');
  const params = isObject(message) && isObject(message['params']) ? message['params'] : {};
  const inBody = metaOf(params)[META.protocolVersion];
  if (typeof inBody !== 'string') return checkRevision(announced);
  if (announced === undefined) throw mismatch('the header MCP-Protocol-Version is missing');
  if (announced !== inBody) throw mismatch(`MCP-Protocol-Version is ${announced}, the body says ${inBody}`);
  if (STATELESS_REVISIONS.includes(inBody)) checkNames(message as JsonObject, params, headers);
}

function checkRevision(announced: string | undefined): void {
  const spoken = [...STATELESS_REVISIONS, ...LEGACY_REVISIONS];
  if (announced === undefined || announced === ASSUMED || spoken.includes(announced)) return;
  throw unsupportedRevision(announced, spoken);
}

function checkNames({ method }: JsonObject, params: JsonObject, headers: IncomingHttpHeaders): void {
  if (typeof method !== 'string') return; // refused where messages are read
  agree('Mcp-Method', headerOf(headers, 'mcp-method'), method);
  const key = NAMED_BY[method];
  if (key !== undefined) agree('Mcp-Name', decoded(headerOf(headers, 'mcp-name')), params[key]);
}

function agree(name: string, inHeader: string | undefined, inBody: unknown): void {
  if (inHeader === undefined) throw mismatch(`the header ${name} is missing`);
  if (inHeader !== inBody) throw mismatch(`${name} is not what the body says`);
}

/** A value that headers cannot carry comes as base64 of its UTF-8. */
function decoded(value: string | undefined): string | undefined {
  const [, encoded] = ENCODED.exec(value ?? '') ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function mismatch(message: string): RpcError {
  return new RpcError(RPC_CODES.headerMismatch, `header mismatch: ${message}`, { httpStatus: 400 });
}
