import type { Connection } from '../../src/protocol/connection.ts';
import type { JsonObject, OutgoingNotification, RpcResponse } from '../../src/protocol/json-rpc.ts';

let nextId = 0;

/** Sends a request and returns its response; a test that expects none uses `send`. */
export async function request(
  connection: Connection,
  method: string,
  params: JsonObject = {},
  notify: (notification: OutgoingNotification) => void = () => undefined,
): Promise<RpcResponse> {
  const { response } = await connection.handle({ jsonrpc: '2.0', id: nextId++, method, params }, { notify });
  if (response === null) throw new Error(`${method} was not answered`);
  return response;
}

/** The result of a tool. */
export interface Called {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: JsonObject;
  readonly isError?: boolean;
}

/** Calls a tool and returns its result. */
export async function call(connection: Connection, name: string, args: JsonObject = {}): Promise<Called> {
  const { result, error } = await request(connection, 'tools/call', { name, arguments: args });
  if (result === undefined) throw new Error(error?.message ?? 'neither result nor error');
  return result as unknown as Called;
}
