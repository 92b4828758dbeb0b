import type { App } from '@kebab/core/app';
import { Answers } from './answers.ts';
import { CurrentApp } from './current-app.ts';
import type { UiServer } from './http/serve-http.ts';

export type { UiServer } from './http/serve-http.ts';

/** Options of the pages. */
export interface UiOptions {
  /** Opens the App; called for the first request, and again when the database or the configuration has been replaced. */
  readonly open: () => Promise<App>;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether conversations may be continued and deleted; `open` opens an App that may write. */
  readonly mayWrite?: boolean | undefined;
  /** Calls `onIdle` when no page was requested for so long. */
  readonly idle?: { readonly afterMs: number; readonly onIdle: () => void } | undefined;
}

/** Serves the pages of a knowledge base on this machine to one browser, until the server is closed. */
export async function serveUi({ open, port, mayWrite = false, idle }: UiOptions): Promise<UiServer> {
  const current = new CurrentApp(open);
  const answers = new Answers((run) => current.use(run));
  const [{ serveHttp }, { answerPage }] = await Promise.all([import('./http/serve-http.ts'), import('./routes.ts')]);
  const server = await serveHttp({ port, idle }, (request) =>
    current.use((app) => answerPage(request, { app, answers, mayWrite })),
  );
  return {
    ...server,
    close: async () => {
      await server.close();
      await answers.close();
      await current.close();
    },
  };
}
