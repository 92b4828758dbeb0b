import { openHttpGate, type App } from '@kebab/core/app';
import type { Surface } from '../../src/protocol/surface.ts';
import { serveHttp, type HttpOptions, type HttpServer } from '../../src/transport/serve-http.ts';

/** Serves a surface to whoever sends a token, or with null to everyone, on any free port of this machine. */
export async function serveFake(
  surface: Surface,
  { token = null, ...more }: { readonly token?: string | null } & Partial<Pick<HttpOptions, 'port' | 'limits'>> = {},
): Promise<HttpServer> {
  const app = {
    configView: async () => ({ entries: [{ key: 'access.listen', value: '127.0.0.1' }] }),
    identify: async () => ({ kind: 'anyone' }),
    async *followCorpus() {},
  } as unknown as App;
  const gate = await openHttpGate({ use: (run) => run(app), server: 'mcp', endpoint: '/mcp', ownToken: token });
  return serveHttp({ surface, surfaceFor: () => surface, port: 0, ...more, gate });
}
