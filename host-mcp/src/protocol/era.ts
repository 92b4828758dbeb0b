import { isObject, RPC_CODES, RpcError, type JsonObject } from './json-rpc.ts';

/** Revisions that open with `initialize`, preferred first. */
export const LEGACY_REVISIONS: readonly [string, ...string[]] = ['2025-11-25', '2025-06-18'];
/** Revisions whose requests carry everything themselves, preferred first. */
export const STATELESS_REVISIONS: readonly [string, ...string[]] = ['2026-07-28'];

/** The reserved keys of `_meta`. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** The two ways of speaking the protocol. */
export type Era = 'legacy' | 'stateless';

/** The `_meta` of a request, empty when it has none. */
export function metaOf(params: JsonObject): JsonObject {
  const meta = params['_meta'];
  return isObject(meta) ? meta : {};
}

/** The era a request belongs to: what it carries decides, else the revision named by the transport. */
export function eraOf(
  { method, params }: { readonly method: string; readonly params: JsonObject },
  announced?: string,
): Era {
  const meta = metaOf(params);
  if (META.protocolVersion in meta || META.clientCapabilities in meta) return 'stateless';
  if (method === 'server/discover') return 'stateless';
  return announced !== undefined && STATELESS_REVISIONS.includes(announced) ? 'stateless' : 'legacy';
}

/** Checks what every stateless request carries. Throws {@link RpcError} for a missing key and an unknown revision. */
export function checkStatelessMeta(params: JsonObject): void {
  const meta = metaOf(params);
  const requested = meta[META.protocolVersion];
  if (typeof requested !== 'string') throw malformed(`_meta lacks ${META.protocolVersion}, a text`);
  if (!isObject(meta[META.clientCapabilities])) throw malformed(`_meta lacks ${META.clientCapabilities}, an object`);
  if (STATELESS_REVISIONS.includes(requested)) return;
  throw unsupportedRevision(requested, STATELESS_REVISIONS);
}

/** The error for a revision that this server does not speak. */
export function unsupportedRevision(requested: string, supported: readonly string[]): RpcError {
  return new RpcError(RPC_CODES.unsupportedProtocolVersion, 'unsupported protocol version', {
    data: { supported, requested },
    httpStatus: 400,
  });
}

function malformed(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message, { httpStatus: 400 });
}
