import type { JsonObject } from '../../src/protocol/surface.ts';
import type { Connection, ReceivedNotification, ReceivedResponse } from './connection.ts';

let nextId = 0;

/** Sends a request and returns its response; a test that expects none uses the connection. */
export async function request(
  connection: Connection,
  method: string,
  params: JsonObject = {},
  notify?: (notification: ReceivedNotification) => void,
): Promise<ReceivedResponse> {
  const response = await connection.request({ jsonrpc: '2.0', id: nextId++, method, params }, notify);
  if (response === null) throw new Error(`${method} was not answered`);
  return response;
}

/** Opens a session of an older revision, as clients do. */
export async function initialize(connection: Connection, protocolVersion = '2025-11-25'): Promise<void> {
  const clientInfo = { name: 'test', version: '1' };
  await request(connection, 'initialize', { protocolVersion, capabilities: {}, clientInfo });
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
