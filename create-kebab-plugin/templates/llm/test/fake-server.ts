import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly text: string }[];
  readonly stop: readonly string[];
  readonly max_tokens: number;
}

/** A server on a free local port whose models fail in the way their names say. */
export interface FakeServer {
  readonly url: string;
  /** Resolves when the client has closed a stream. */
  readonly stopped: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a server that answers the last message of a request with `reply`, word by word. */
export async function startServer(reply: (prompt: string) => string): Promise<FakeServer> {
  let wasStopped = (): void => {};
  const stopped = new Promise<void>((resolve) => (wasStopped = resolve));
  const closing = new AbortController();
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.method !== 'POST') return response.end();
      response.on('close', () => response.writableFinished || wasStopped());
      return respond(JSON.parse(body) as Asked, response, reply).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopped: () => stopped,
    close: async () => {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function respond(asked: Asked, response: ServerResponse, answer: (prompt: string) => string): Promise<void> {
    const say = (line: object): boolean => response.write(`${JSON.stringify(line)}\n`);
    if (asked.model === 'missing') return void response.writeHead(404).end();
    if (asked.model === 'slow') await sleep(60_000, undefined, { signal: closing.signal });
    if (asked.model === 'endless')
      for (; !response.destroyed; await sleep(1, undefined, { signal: closing.signal })) say({ token: 'and so on ' });
    const prompt = asked.messages.at(-1)?.text ?? '';
    const { tokens, done } = bounded(answer(prompt), asked);
    for (const [at, token] of tokens.entries()) {
      say({ token });
      if (asked.model === 'breaking' && at === 1) return void setImmediate(() => response.destroy());
      await sleep(0);
    }
    say({ done, prompt_tokens: prompt.split(/\s+/).length, completion_tokens: tokens.length });
    response.end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** The tokens of a text, up to a stop text or the limit, whichever comes first. */
function bounded(
  text: string,
  { stop, max_tokens }: Asked,
): { readonly tokens: readonly string[]; readonly done: 'stop' | 'length' } {
  const ends = stop.map((one) => text.indexOf(one)).filter((at) => at !== -1);
  const tokens = text.slice(0, Math.min(text.length, ...ends)).match(/\s*\S+/gu) ?? [];
  return { tokens: tokens.slice(0, max_tokens), done: tokens.length > max_tokens ? 'length' : 'stop' };
}
