/** An object as received over the wire. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The id that a request and its response share. */
export type RequestId = string | number;

/** A request: it gets exactly one response, unless it is cancelled. */
export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
}

/** A message that gets no response. */
export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

/** A response as sent over the wire. Its id is absent if the request could not be parsed. */
export interface RpcResponse {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A notification as sent over the wire. */
export interface OutgoingNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params: JsonObject;
}

/** The error codes of JSON-RPC and of the protocol. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedProtocolVersion: -32022,
} as const;

/** Details of an error of the protocol. */
export interface RpcErrorOptions {
  readonly data?: unknown;
  /** The HTTP status to send it with; 200 by default, as for a result. */
  readonly httpStatus?: number;
}

/** A failure of the protocol, not of a tool: the request gets an error response instead of a result. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  readonly httpStatus: number;

  constructor(code: number, message: string, { data, httpStatus = 200 }: RpcErrorOptions = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
    this.httpStatus = httpStatus;
  }
}

/** Parses one message. Throws {@link RpcError} for a batch and for everything that is not JSON-RPC 2.0. */
export function readMessage(value: unknown): RpcRequest | RpcNotification | { readonly kind: 'response' } {
  if (Array.isArray(value)) throw invalidRequest('batches are not supported: send one message at a time');
  if (!isObject(value) || value['jsonrpc'] !== '2.0')
    throw invalidRequest('a message is an object with "jsonrpc": "2.0"');
  const { id, method, params = {} } = value;
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' };
  if (typeof method !== 'string') throw invalidRequest('a message has a method, which is a text');
  if (!isObject(params)) throw invalidRequest('params is an object');
  if (!('id' in value)) return { kind: 'notification', method, params };
  if (!isRequestId(id)) throw invalidRequest('id is a text or a whole number');
  return { kind: 'request', id, method, params };
}

/** The id of a message that may otherwise be malformed. */
export function idOf(value: unknown): RequestId | undefined {
  const id = isObject(value) ? value['id'] : undefined;
  return isRequestId(id) ? id : undefined;
}

/** The error response for whatever was thrown. */
export function errorResponse(error: unknown, id?: RequestId): RpcResponse {
  const { code, message, data } =
    error instanceof RpcError ? error : { code: RPC_CODES.internalError, message: 'internal error', data: undefined };
  return {
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

/** Whether a value is an object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
}

function invalidRequest(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidRequest, message, { httpStatus: 400 });
}

/** Revisions that open with `initialize`, preferred first. */
export const LEGACY_REVISIONS: readonly [string, ...string[]] = ['2025-11-25', '2025-06-18'];
/** Stateless revisions, whose requests are self-contained, preferred first. */
export const STATELESS_REVISIONS: readonly [string, ...string[]] = ['2026-07-28'];

/** The reserved keys of `_meta`. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** The two variants of the protocol. */
export type Era = 'legacy' | 'stateless';

/** The `_meta` of a request, empty when it has none. */
export function metaOf(params: JsonObject): JsonObject {
  const meta = params['_meta'];
  return isObject(meta) ? meta : {};
}

/** The era of a request: determined by its contents, otherwise by the revision named by the transport. */
export function eraOf(
  { method, params }: { readonly method: string; readonly params: JsonObject },
  announced?: string,
): Era {
  const meta = metaOf(params);
  if (META.protocolVersion in meta || META.clientCapabilities in meta) return 'stateless';
  if (method === 'server/discover') return 'stateless';
  return announced !== undefined && STATELESS_REVISIONS.includes(announced) ? 'stateless' : 'legacy';
}

/** Checks the metadata of a stateless request. Throws {@link RpcError} for a missing key and an unknown revision. */
export function checkStatelessMeta(params: JsonObject): void {
  const meta = metaOf(params);
  const requested = meta[META.protocolVersion];
  if (typeof requested !== 'string') throw malformed(`_meta lacks ${META.protocolVersion}, a text`);
  if (!isObject(meta[META.clientCapabilities])) throw malformed(`_meta lacks ${META.clientCapabilities}, an object`);
  if (STATELESS_REVISIONS.includes(requested)) return;
  throw unsupportedRevision(requested, STATELESS_REVISIONS);
}

/** The error for a revision that this server does not support. */
export function unsupportedRevision(requested: string, supported: readonly string[]): RpcError {
  return new RpcError(RPC_CODES.unsupportedProtocolVersion, 'unsupported protocol version', {
    data: { supported, requested },
    httpStatus: 400,
  });
}

function malformed(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message, { httpStatus: 400 });
}
