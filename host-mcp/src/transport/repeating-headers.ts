import type { IncomingHttpHeaders } from 'node:http';
import {
  isObject,
  LEGACY_REVISIONS,
  META,
  metaOf,
  RPC_CODES,
  RpcError,
  STATELESS_REVISIONS,
  unsupportedRevision,
  type JsonObject,
} from '../protocol/json-rpc.ts';

/** The member of `params` that `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
/** The revision that a missing header implies; clients may also state it. */
const ASSUMED = '2025-03-26';
const ENCODED = /^=\?base64\?(.*)\?=$/;

/**
 * Checks the headers that repeat parts of the body. In a stateless request they are required and must match the body, because a proxy may
 * have acted on them already. A legacy request must only name a supported revision, if it names one. Throws {@link RpcError}.
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
  if (typeof method !== 'string') return; // rejected where messages are parsed
  agree('Mcp-Method', headerOf(headers, 'mcp-method'), method);
  const key = NAMED_BY[method];
  if (key !== undefined) agree('Mcp-Name', decoded(headerOf(headers, 'mcp-name')), params[key]);
}

function agree(name: string, inHeader: string | undefined, inBody: unknown): void {
  if (inHeader === undefined) throw mismatch(`the header ${name} is missing`);
  if (inHeader !== inBody) throw mismatch(`${name} does not match the body`);
}

/** Decodes a value that headers cannot carry, which clients send as base64 of its UTF-8 bytes. */
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
