import { setMaxListeners } from 'node:events';
import type { Connection } from '../protocol/connection.ts';
import { errorResponse, RPC_CODES, RpcError } from '../protocol/json-rpc.ts';

/** The two ends of a pipe. */
export interface StdioOptions {
  /** Bytes from the client; ends when the client closes its end. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes a line for the client. */
  readonly write: (line: string) => void;
  readonly connection: Connection;
  /** Fires when the answers can no longer be read: running requests are cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves one client over a pipe, one JSON message per line, until the input ends; then running requests are finished and answered. A line
 * that is not JSON gets an error response, and reading continues with the next line.
 */
export async function serveStdio({ input, write, connection, signal }: StdioOptions): Promise<void> {
  if (signal !== undefined) setMaxListeners(0, signal); // one listener per running request, and a client may have any number of requests
  const running = new Set<Promise<void>>();
  const send = (message: object): void => write(`${JSON.stringify(message)}\n`);
  const answer = async (message: unknown): Promise<void> => {
    const { response } = await connection.handle(message, { notify: send, signal });
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

/** The largest message that is read, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Yields the lines of a stream of UTF-8 bytes, except blank lines. A line longer than `maxBytes` is yielded as null: its bytes are dropped
 * as they arrive, so that memory stays bounded.
 */
export async function* splitLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_MESSAGE_BYTES,
): AsyncGenerator<string | null, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of input) {
    let from = 0;
    for (let to = piece.indexOf(NEWLINE); to !== -1; to = piece.indexOf(NEWLINE, from)) {
      const line = take(piece.subarray(from, to));
      if (line !== '') yield line;
      from = to + 1;
    }
    keep(piece.subarray(from));
  }
  const last = take(new Uint8Array());
  if (last !== '') yield last;

  function keep(bytes: Uint8Array): void {
    length += bytes.length;
    if (length > maxBytes) parts = [];
    else if (bytes.length > 0) parts.push(bytes);
  }

  function take(bytes: Uint8Array): string | null {
    keep(bytes);
    const line = length > maxBytes ? null : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    length = 0;
    return line;
  }
}
