import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server for tests, on a free port of this machine. */
export interface LoopbackServer {
  readonly url: string;
  readonly server: Server;
  /** Resolves as soon as no request is in progress: every response is complete, or its client has gone. */
  readonly idle: () => Promise<void>;
  /** Ends the connections too. */
  readonly close: () => Promise<void>;
}

/** Starts a server; if `answer` fails, the connection breaks. */
export async function startLoopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LoopbackServer> {
  const answering = new Set<ServerResponse>();
  let whenIdle: (() => void)[] = [];
  const server = createServer((request, response) => {
    answering.add(response);
    response.on('close', () => {
      answering.delete(response);
      if (answering.size > 0) return;
      for (const resolve of whenIdle) resolve();
      whenIdle = [];
    });
    new Promise((resolve) => resolve(answer(request, response))).catch(() => response.destroy()); // a test's function threw
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    idle: () => (answering.size === 0 ? Promise.resolve() : new Promise((resolve) => whenIdle.push(resolve))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
