/** An object as received over the wire. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The error codes of JSON-RPC and of the protocol that kebab itself answers with. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  unsupportedProtocolVersion: -32022,
} as const;

/** A failure of the protocol, not of a tool: the request gets an error response instead of a result. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** Whether a value is an object, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The id of a message that may otherwise be malformed. */
export function idOf(message: unknown): string | number | undefined {
  const id = isObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : undefined;
}

/** An error response; without an id if the request could not be read. */
export function errorResponse({ code, message, data }: RpcError, id?: string | number): JsonObject {
  return {
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

/** The error for parameters that a method cannot use. */
export function invalidParams(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message);
}
