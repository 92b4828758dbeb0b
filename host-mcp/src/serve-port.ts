import { kebabSurface } from './kebab-surface.ts';
import { LiveApp } from './live-app.ts';
import type { ServeOptions } from './serve-pipe.ts';
import { serveHttp, type HttpServer } from './transport/serve-http.ts';

/** What a server on a port needs besides. */
export interface PortOptions extends ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** What clients must bear; null asks for nothing. */
  readonly token: string | null;
}

/** Serves many clients over HTTP, on this machine only, until it is closed. */
export async function servePort({ port, token, ...options }: PortOptions): Promise<HttpServer> {
  const live = new LiveApp(options);
  const server = await serveHttp({ surface: kebabSurface(live), port, token });
  return {
    ...server,
    close: async () => {
      await server.close();
      await live.close();
    },
  };
}
