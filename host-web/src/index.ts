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
  pastSearches = () => NO_SEARCHES,
  idle,
}: UiOptions): Promise<UiServer> {
  const current = new CurrentApp(open);
  const visitors = new Visitors(current);
  const [{ serveHttp }, { answerPage }] = await Promise.all([import('./http/serve-http.ts'), import('./routes.ts')]);
  const gate = await openHttpGate({ use: (run) => current.use(run), server: 'ui', endpoint: '/', ownToken: null });
  const server = await serveHttp({ port, gate, idle }, (request) => {
    const { use, ...own } = visitors.of(request.caller);
    // The editor and the searches are those of the user of this machine.
    const isHere = request.caller === null;
    const ofThisMachine = isHere ? { edit, pastSearches } : { edit: undefined, pastSearches: () => NO_SEARCHES };
    return use((app) => answerPage(request, { app, ...own, ...ofThisMachine, mayWrite }));
  });
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
      await Promise.all([opening, visitors.close()]);
      await current.close();
    },
  };
}

const NO_SEARCHES: PastSearches = { saved: [], searches: [] };

/** How many callers come back to the answers that they had. */
const MAX_CALLERS = 64;

/** What a server keeps of one who uses it. */
interface Visitor {
  readonly use: <T>(run: (app: App) => Promise<T>) => Promise<T>;
  readonly answers: Answers;
  readonly indexing: Indexing;
}

/** Everyone who uses a server: nobody gets the answers that somebody else had. */
class Visitors {
  readonly #current: CurrentApp;
  readonly #visitors = new Map<string, Visitor>();

  constructor(current: CurrentApp) {
    this.#current = current;
  }

  of(caller: Caller | null): Visitor {
    const key = JSON.stringify(caller);
    const known = this.#visitors.get(key);
    if (known !== undefined) return known;
    const use: Visitor['use'] = (run) =>
      this.#current.use(async (app) => run(caller === null ? app : await app.as(caller)));
    const visitor = { use, answers: new Answers(use), indexing: new Indexing(use) };
    const oldest = [...this.#visitors.keys()].find((other) => other !== OF_THIS_MACHINE);
    if (this.#visitors.size >= MAX_CALLERS && oldest !== undefined) void this.#leave(oldest);
    this.#visitors.set(key, visitor);
    return visitor;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#visitors.keys()].map((key) => this.#leave(key)));
  }

  async #leave(key: string): Promise<void> {
    const visitor = this.#visitors.get(key);
    this.#visitors.delete(key);
    await Promise.all([visitor?.answers.close(), visitor?.indexing.close()]);
  }
}

const OF_THIS_MACHINE = JSON.stringify(null);
