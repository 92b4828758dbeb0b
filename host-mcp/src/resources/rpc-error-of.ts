import { isKebabError, toErrorV1 } from '@kebab/core/app';
import { RPC_CODES, RpcError } from '../protocol/json-rpc.ts';

/** Codes of failures that the request is to blame for. */
const BAD_REQUEST = ['invalid_input', 'stale_cursor'] as const;

/** Throws a failure of the facade as an error of the protocol: for what is no tool, and has no result to put it in. */
export function rpcErrorOf(error: unknown): never {
  const data = toErrorV1(error);
  const code = hasCode(error, ...BAD_REQUEST) ? RPC_CODES.invalidParams : RPC_CODES.internalError;
  throw new RpcError(code, data.message, { data });
}

/** Whether a caught value is a failure with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isKebabError(error) && codes.includes(error.code);
}
