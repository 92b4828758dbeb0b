import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from '../protocol/connection.ts';
import { errorResponse, RPC_CODES, RpcError, type OutgoingNotification } from '../protocol/json-rpc.ts';

/**
 * The answer to one POST: a JSON object, or a stream of events once a notification has to be sent before the response
 * and the client takes streams.
 */
export class HttpReply {
  readonly #response: ServerResponse;
  readonly #takesStream: boolean;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#response = response;
    this.#takesStream = (request.headers.accept ?? '').includes('text/event-stream');
  }

  /** Sends a notification, if the client can take one before the response. */
  notify(notification: OutgoingNotification): void {
    if (!this.#takesStream || this.#response.writableEnded) return;
    if (!this.#response.headersSent)
      this.#response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
    this.#event(notification);
  }

  /** Sends what became of the message; nothing can be sent afterwards. */
  end({ response, httpStatus }: Outcome, headers: Readonly<Record<string, string>> = {}): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#response.headersSent) {
      if (response !== null) this.#event(response);
      this.#response.end();
    } else if (response === null) {
      this.#response.writeHead(httpStatus, headers).end();
    } else {
      const body = Buffer.from(JSON.stringify(response), 'utf8');
      this.#response
        .writeHead(httpStatus, {
          ...headers,
          'content-type': 'application/json',
          'content-length': body.length,
          'cache-control': 'no-store',
        })
        .end(body);
    }
  }

  /** Turns the request away with an error that belongs to no id. */
  refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): void {
    const error = new RpcError(RPC_CODES.invalidRequest, message);
    // Whatever of the body is still on its way is not read.
    this.end({ response: errorResponse(error), httpStatus: status }, { ...headers, connection: 'close' });
  }

  #event(message: object): void {
    this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
}
