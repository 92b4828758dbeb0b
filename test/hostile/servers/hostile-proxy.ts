import { createServer, request as send, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the sound server. */
interface Sound {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request that a server answers badly. */
export interface Asked {
  readonly response: ServerResponse;
  /** The body of the request. */
  readonly body: string;
  /** The answer of the sound server behind the proxy. */
  readonly sound: Sound;
  /** Another server, which must never receive the request. */
  readonly elsewhere: string;
}

/** A bad answer. */
export type Misbehaviour = (asked: Asked) => void;

/** A loopback proxy in front of a sound server that answers some of its requests badly. */
export class HostileProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #elsewhere: Elsewhere;
  #bad: { readonly route: RegExp; readonly answer: Misbehaviour } | null = null;
  #hits = 0;

  private constructor(server: Server, url: string, elsewhere: Elsewhere) {
    this.#server = server;
    this.url = url;
    this.#elsewhere = elsewhere;
  }

  static async before(upstream: string): Promise<HostileProxy> {
    const elsewhere = await startElsewhere();
    const server = createServer((request, response) => {
      void (async () => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        const body = Buffer.concat(parts);
        const { method = 'GET', url = '/', headers } = request;
        const sound = await ask(upstream, { method, path: url, headers, body });
        const bad = proxy.#bad;
        if (bad?.route.test(`${method} ${url}`) === true) {
          proxy.#hits++;
          bad.answer({ response, body: body.toString('utf8'), sound, elsewhere: elsewhere.url });
        } else response.writeHead(sound.status, sound.headers).end(sound.body);
      })().catch(() => response.destroy()); // the client has disconnected
    });
    const proxy = new HostileProxy(server, await listening(server), elsewhere);
    return proxy;
  }

  /** From now on, answers requests whose method and path match `route` badly; null restores the sound server. */
  misbehave(route: RegExp, answer: Misbehaviour | null): void {
    this.#hits = 0;
    this.#bad = answer === null ? null : { route, answer };
  }

  /** A request that went elsewhere, or null. */
  strayed(): string | null {
    const strayed = this.#elsewhere.visits();
    return strayed === '' ? null : `a redirect was followed: ${strayed}`;
  }

  /** Whether a request was answered badly since the last call of `misbehave`. */
  get wasAsked(): boolean {
    return this.#hits > 0;
  }

  /** A problem when a request went elsewhere or the bad answer was never requested; else null. */
  problem(): string | null {
    const strayed = this.strayed();
    if (strayed !== null) return strayed;
    return this.#bad !== null && this.#hits === 0 ? 'the bad answer was never asked for' : null;
  }

  close(): void {
    for (const server of [this.#server, this.#elsewhere.server]) {
      server.close();
      server.closeAllConnections();
    }
  }
}

interface Elsewhere {
  readonly url: string;
  readonly server: Server;
  visits(): string;
}

async function startElsewhere(): Promise<Elsewhere> {
  let visits = '';
  const server = createServer((request, response) => {
    visits = `${request.method} ${request.url} ${JSON.stringify(request.headers)}`;
    response.end('{}');
  });
  const url = await listening(server);
  return {
    url,
    server,
    visits: () => {
      const seen = visits;
      visits = '';
      return seen;
    },
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Forwarded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(upstream: string, { method, path, headers, body }: Forwarded): Promise<Sound> {
  return new Promise((resolve, reject) => {
    const sent = send(`${upstream}${path}`, { method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const { 'transfer-encoding': _, ...rest } = answer.headers;
        resolve({ status: answer.statusCode ?? 500, headers: rest, body: Buffer.concat(parts) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
