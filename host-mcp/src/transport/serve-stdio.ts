import type { Connection } from '../protocol/connection.ts';
import { errorResponse, RPC_CODES, RpcError } from '../protocol/json-rpc.ts';
import { splitLines } from './split-lines.ts';

/** The two ends of a pipe. */
export interface StdioOptions {
  /** Bytes from the client; ends when the client closes its end. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes a line for the client. */
  readonly write: (line: string) => void;
  readonly connection: Connection;
  /** Fires when nobody reads the answers any more: what is running is cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves one client over a pipe, a JSON message a line, until the input ends; then what is still running is finished and
 * answered. A line that is no JSON gets an error response, and the next line is read as if nothing had happened.
 */
export async function serveStdio({ input, write, connection, signal }: StdioOptions): Promise<void> {
  const running = new Set<Promise<void>>();
  const send = (message: object): void => write(`${JSON.stringify(message)}\n`);
  const answer = async (message: unknown): Promise<void> => {
    const { response } = await connection.handle(message, {
      notify: send,
      ...(signal === undefined ? {} : { signal }),
    });
    if (response !== null) send(response);
  };
  for await (const line of splitLines(input)) {
    const message = parse(line);
    if (message instanceof RpcError) {
      send(errorResponse(message));
      continue;
    }
    const work = answer(message);
    running.add(work);
    void work.finally(() => running.delete(work));
  }
  await Promise.all(running);
}

function parse(line: string | null): unknown {
  if (line === null) return new RpcError(RPC_CODES.invalidRequest, 'the message is larger than 32 MiB');
  try {
    return JSON.parse(line);
  } catch {
    return new RpcError(RPC_CODES.parseError, 'the line is not JSON');
  }
}
