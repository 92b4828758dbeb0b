import { kebabSurface, type AnswerView } from './kebab-surface.ts';
import { openHttpGate, type Caller } from '@kebab/core/app';
import { appOf, LiveApp, type OpenApp } from './live-app.ts';
import type { Surface } from './protocol/surface.ts';
import type { HttpServer } from './transport/serve-http.ts';

export type { AnswerView } from './kebab-surface.ts';
export type { HttpServer } from './transport/serve-http.ts';

/** Options of a server, whatever the transport. */
export interface ServeOptions {
  /** Opens the App; called for the first request, and again when the database has been replaced. */
  readonly open: OpenApp;
  /** The working directory, absolute: relative paths start here, and files in it may be ingested. */
  readonly cwd: string;
  /** Hides and rejects the tools that write. */
  readonly readonly: boolean;
  /** Loads what shows answers in clients that have MCP Apps. */
  readonly answerView?: (() => Promise<AnswerView>) | undefined;
}

/** Options of a server on a pipe. */
export interface PipeOptions extends ServeOptions {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (line: string) => void;
  /** Fires when the answers can no longer be read: running requests are cancelled. */
  readonly signal?: AbortSignal | undefined;
}

/** Serves one client over a pipe until it closes its end; then running requests are finished and answered, and the App is closed. */
export async function servePipe({ input, write, signal, ...options }: PipeOptions): Promise<void> {
  const live = new LiveApp(options);
  try {
    const { serveStdio } = await import('./transport/serve-stdio.ts');
    await serveStdio({ surface: kebabSurface(live, options.answerView), input, write, signal });
  } finally {
    await live.close();
  }
}

/** Options of a server on a port. */
export interface PortOptions extends ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The bearer token that clients must send; null asks for none. */
  readonly token: string | null;
}

/**
 * Serves many clients over HTTP until it is closed: on this machine only, unless `access.listen` says otherwise. A client with a token of
 * `kebab token` or of an issuer gets what that allows.
 */
export async function servePort({ port, token, ...options }: PortOptions): Promise<HttpServer> {
  const live = new LiveApp(options);
  const { serveHttp } = await import('./transport/serve-http.ts');
  const gate = await openHttpGate({
    use: (run) => live.use(run),
    server: 'mcp',
    endpoint: '/mcp',
    ownToken: token,
  });
  const surface = kebabSurface(live, options.answerView);
  const surfaceFor = (caller: Caller): Surface => kebabSurface(appOf(live, caller), options.answerView, caller);
  const server = await serveHttp({ surface, surfaceFor, port, gate });
  return {
    ...server,
    close: async () => {
      await server.close();
      await live.close();
    },
  };
}
