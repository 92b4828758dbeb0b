import type { App, Open } from '@kebab/core/app';
import { Answers } from './answers.ts';
import { CurrentApp } from './current-app.ts';
import type { UiServer } from './http/serve-http.ts';
import { Indexing } from './indexing.ts';
import type { PastSearches } from './pages/search.ts';

export { answerView, type AnswerView } from './answer-view.ts';
export type { UiServer } from './http/serve-http.ts';
export type { PastSearches } from './pages/search.ts';

/** Options of the pages. */
export interface UiOptions {
  /** Opens the App; called for the first request, and again when the database or the configuration has been replaced. */
  readonly open: () => Promise<App>;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether conversations and files may be written and indexed; `open` opens an App that may write. */
  readonly mayWrite?: boolean | undefined;
  /** Shows a place in an editor on this machine; absent where the pages may not start programs. */
  readonly edit?: ((place: Open) => Promise<void>) | undefined;
  /** The searches that the user ran and saved elsewhere. */
  readonly pastSearches?: (() => PastSearches) | undefined;
  /** Calls `onIdle` when no page was requested for so long. */
  readonly idle?: { readonly afterMs: number; readonly onIdle: () => void } | undefined;
}

/** Serves the pages of a knowledge base on this machine to one browser, until the server is closed. */
export async function serveUi({
  open,
  port,
  mayWrite = false,
  edit,
  pastSearches = () => ({ saved: [], searches: [] }),
  idle,
}: UiOptions): Promise<UiServer> {
  const current = new CurrentApp(open);
  const answers = new Answers((run) => current.use(run));
  const indexing = new Indexing((run) => current.use(run));
  const [{ serveHttp }, { answerPage }] = await Promise.all([import('./http/serve-http.ts'), import('./routes.ts')]);
  const server = await serveHttp({ port, idle }, (request) =>
    current.use((app) => answerPage(request, { app, answers, indexing, mayWrite, edit, pastSearches })),
  );
  const stop = new AbortController();
  // While the browser starts, everything is opened that its first search needs.
  const opening = current
    .use((app) => app.search({ text: 'kebab', k: 1 }, { refresh: false, signal: stop.signal }))
    .catch(() => undefined); // the page says it
  return {
    ...server,
    close: async () => {
      stop.abort(new DOMException('the server ends', 'AbortError'));
      await server.close();
      await Promise.all([opening, answers.close(), indexing.close()]);
      await current.close();
    },
  };
}
