import { openHttpGate, type App, type Caller, type Open } from '@kebab/core/app';
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
  pastSearches,
  idle,
}: UiOptions): Promise<UiServer> {
  const current = new CurrentApp(open);
  const answersOf = new CallersAnswers(current);
  const indexing = new Indexing((run) => current.use(run));
  const [{ serveHttp }, { answerPage }] = await Promise.all([import('./http/serve-http.ts'), import('./routes.ts')]);
  const gate = await openHttpGate({ use: (run) => current.use(run), server: 'ui', endpoint: '/', ownToken: null });
  // Only whoever sits at this machine has its editor and its searches, and indexes its files.
  const ofThisMachine = { edit, pastSearches, indexing };
  const server = await serveHttp({ port, gate, idle }, (request) =>
    current.use(async (app) => {
      const { caller } = request;
      const answers = answersOf.of(caller);
      return caller === null
        ? answerPage(request, { app, answers, mayWrite, ...ofThisMachine })
        : answerPage(request, { app: await app.as(caller), answers, mayWrite });
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
      await Promise.all([opening, answersOf.close(), indexing.close()]);
      await current.close();
    },
  };
}

/** How many callers come back to the answers that they had. */
const MAX_CALLERS = 64;

/** The answers of everyone who uses a server: nobody gets those that somebody else had. */
class CallersAnswers {
  readonly #current: CurrentApp;
  readonly #answers = new Map<string, Answers>();

  constructor(current: CurrentApp) {
    this.#current = current;
  }

  of(caller: Caller | null): Answers {
    const key = JSON.stringify(caller);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const own = new Answers((run) =>
      this.#current.use(async (app) => run(caller === null ? app : await app.as(caller))),
    );
    const oldest = [...this.#answers.keys()].find((other) => other !== OF_THIS_MACHINE);
    if (this.#answers.size >= MAX_CALLERS && oldest !== undefined) {
      void this.#answers.get(oldest)?.close();
      this.#answers.delete(oldest);
    }
    this.#answers.set(key, own);
    return own;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#answers.values()].map((answers) => answers.close()));
  }
}

const OF_THIS_MACHINE = JSON.stringify(null);
