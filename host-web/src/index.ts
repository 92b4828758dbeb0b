import type { App } from '@kebab/core/app';
import { CurrentApp } from './current-app.ts';
import type { UiServer } from './http/serve-http.ts';

export type { UiServer } from './http/serve-http.ts';

/** Options of the pages. */
export interface UiOptions {
  /** Opens the App; called for the first request, and again when the database or the configuration has been replaced. */
  readonly open: () => Promise<App>;
  /** 0 takes any free port. */
  readonly port: number;
}

/** Serves the pages of a knowledge base on this machine to one browser, until the server is closed; nothing is written by a page. */
export async function serveUi({ open, port }: UiOptions): Promise<UiServer> {
  const current = new CurrentApp(open);
  const [{ serveHttp }, { answerPage }] = await Promise.all([import('./http/serve-http.ts'), import('./routes.ts')]);
  const server = await serveHttp(port, (request) => current.use((app) => answerPage(request, app)));
  return {
    ...server,
    close: async () => {
      await server.close();
      await current.close();
    },
  };
}
