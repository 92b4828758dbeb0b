import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Readable } from 'node:stream';

/** What {@link httpFetch} needs of a `fetch` call. */
export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Called once the server has accepted the connection. */
  readonly onConnect: () => void;
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` over Node's own HTTP client, which has no limits of its own: the global `fetch` gives up when the first byte takes
 * longer than 300 seconds, and a large model on a small machine takes longer. One connection a call, so that breaking off a
 * call closes it and the server notices. Redirects are answers like any other.
 */
export async function httpFetch(url: string, request: HttpRequest): Promise<Response> {
  const { method, headers, body, signal, onConnect } = request;
  const secure = url.startsWith('https:');
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = (secure ? secureRequest : plainRequest)(url, { method, headers, signal, agent: false });
    sent.on('response', resolve).on('error', reject);
    sent.on('socket', (socket) => socket.once(secure ? 'secureConnect' : 'connect', onConnect));
    sent.end(body);
  });
  const status = answer.statusCode ?? 0;
  const told = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const stream = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(WITHOUT_BODY.has(status) ? null : stream, {
    status,
    statusText: answer.statusMessage ?? '',
    headers: told,
  });
}
