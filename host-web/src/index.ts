import { CurrentApp, openHttpGate, type App } from '@kebab/core/app';
import { Answers } from './answers.ts';
import { DrawnPictures } from './drawn-pictures.ts';
import type { ServeOptions, UiServer } from './http/serve-http.ts';
import { Indexing } from './indexing.ts';
import type { Site } from './routes.ts';

export { answerView, type AnswerView } from './answer-view.ts';
export type { UiServer } from './http/serve-http.ts';
export type { PastSearches } from './pages/search.ts';

/** Options of the pages. */
export interface UiOptions extends Pick<Site, 'edit' | 'pastSearches'>, Pick<ServeOptions, 'idle'> {
  /** Opens the App; called for the first request, and again when the database or the configuration has been replaced. */
  readonly open: () => Promise<App>;
  /** 0 takes any free port. */
  readonly port: number;
  /** Whether conversations and files may be written and indexed; `open` opens an App that may write. */
  readonly mayWrite?: boolean | undefined;
}

/** Serves the pages of a knowledge base on this machine to one browser, until the server is closed. */
export async function serveUi(options: UiOptions): Promise<UiServer> {
  const { open, port, mayWrite = false, edit, pastSearches, idle } = options;
  let pictures = new DrawnPictures();
  // Other readers may have other rules, and another database other documents: nothing is shown that was read before.
  const current = new CurrentApp(() => {
    answers.forgetAll();
    pictures = new DrawnPictures();
    return open();
  });
  const answers = new Answers((caller, run) =>
    current.use(async (app) => run(caller === null ? app : await app.as(caller))),
  );
  const indexing = new Indexing((run) => current.use(run));
  const [{ serveHttp }, { answerPage }] = await Promise.all([import('./http/serve-http.ts'), import('./routes.ts')]);
  const gate = await openHttpGate({ use: (run) => current.use(run), server: 'ui', endpoint: '/', ownToken: null });
  // Only whoever sits at this machine has its editor and its searches, and indexes its files.
  const ofThisMachine = { edit, pastSearches, indexing };
  // The App stays open until all parts of a page are sent.
  const server = await serveHttp({ port, gate, idle }, (request, send) =>
    current.use(async (app) => {
      const { caller } = request;
      const own = caller === null ? { app, ...ofThisMachine } : { app: await app.as(caller) };
      await send(await answerPage(request, { answers, pictures, mayWrite, ...own }));
    }),
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
