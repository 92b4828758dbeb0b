import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  ProtocolError,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio as serveOnTransport } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, errorResponse, idOf, isNotification, clientMessage } from '../protocol/mcp-server.ts';
import type { Surface } from '../protocol/surface.ts';

/** The two ends of a pipe. */
export interface StdioOptions {
  readonly surface: Surface;
  /** Bytes from the client; ends when the client closes its end. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes a line for the client. */
  readonly write: (line: string) => void;
  /** Fires when the answers can no longer be read: running requests are cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves one client over a pipe, one JSON message per line, until the input ends; then running requests are finished and answered. A line
 * that is not a message gets an error response, and reading continues with the next line.
 */
export async function serveStdio({ surface, input, write, signal }: StdioOptions): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const transport = new PipeTransport(write);
  const server = serveOnTransport(({ era }) => createMcpServer({ surface, era, canNotify: true, running }), {
    transport,
  });
  const abandon = (): void => void transport.close();
  signal?.addEventListener('abort', abandon, { once: true });
  if (signal?.aborted === true) abandon();
  try {
    for await (const line of splitLines(input)) transport.receive(line);
    await transport.whenAnswered();
  } finally {
    signal?.removeEventListener('abort', abandon);
    await server.close();
    await Promise.all(running);
  }
}

/**
 * The pipe as the package sees it. The package's own transport cancels running requests at the end of the input, and ends the connection
 * when a message is too long; this one waits for the answers, and rejects only that message.
 */
class PipeTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #write: (line: string) => void;
  /** The ids of requests that have neither been answered nor cancelled. */
  readonly #unanswered = new Set<string | number>();
  #isClosed = false;
  #whenAnswered: () => void = () => undefined;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.#send(message);
    if (!('method' in message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unanswered.clear();
    this.#whenAnswered();
    this.onclose?.();
  }

  /** Passes a line on, if it is a message; null stands for a line that is too long. */
  receive(line: string | null): void {
    if (this.#isClosed) return;
    const message = line === null ? TOO_LONG : clientMessage(parse(line));
    if (message instanceof ProtocolError) return this.#send(errorResponse(message));
    if (isJSONRPCRequest(message)) {
      if (this.#unanswered.has(message.id)) return this.#send(errorResponse(REUSED_ID, message.id));
      if (message.method !== ENDLESS) this.#unanswered.add(message.id);
    } else if (!isJSONRPCNotification(message) && !isJSONRPCResponse(message))
      return isNotification(message) ? undefined : this.#send(errorResponse(NO_MESSAGE, idOf(message)));
    this.onmessage?.(message);
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#settle(message.params?.['requestId']);
  }

  /** Resolves once every request has been answered or cancelled, or the pipe is closed. */
  async whenAnswered(): Promise<void> {
    if (this.#unanswered.size > 0) await new Promise<void>((resolve) => (this.#whenAnswered = resolve));
  }

  #settle(id: unknown): void {
    this.#unanswered.delete(id as string | number);
    if (this.#unanswered.size === 0) this.#whenAnswered();
  }

  #send(message: object): void {
    this.#write(`${JSON.stringify(message)}\n`);
  }
}

/** A request of 2026-07-28 that is answered when the connection ends. */
const ENDLESS = 'subscriptions/listen';

const TOO_LONG = new ProtocolError(ProtocolErrorCode.InvalidRequest, 'the message is larger than 32 MiB');
/** The package would serve both requests, and cancel the wrong one. */
const REUSED_ID = new ProtocolError(ProtocolErrorCode.InvalidRequest, 'the id is that of a request still running');
const NO_MESSAGE = new ProtocolError(
  ProtocolErrorCode.InvalidRequest,
  'a line is one request, notification or response of JSON-RPC 2.0',
);

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return new ProtocolError(ProtocolErrorCode.ParseError, 'the line is not JSON');
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
