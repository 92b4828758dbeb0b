import { openHttpGate, type App, type Caller } from '@kebab/core/app';
import { Answers } from './answers.ts';
import { CurrentApp } from './current-app.ts';
import type { UiServer } from './http/serve-http.ts';

export { answerView, type AnswerView } from './answer-view.ts';
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
  const answersOf = new CallersAnswers(current);
  const [{ serveHttp }, { answerPage }] = await Promise.all([import('./http/serve-http.ts'), import('./routes.ts')]);
  const gate = await openHttpGate({ use: (run) => current.use(run), server: 'ui', endpoint: '/', ownToken: null });
  const server = await serveHttp({ port, gate, idle }, (request) =>
    current.use(async (app) => {
      const { caller } = request;
      const own = caller === null ? app : await app.as(caller);
      return answerPage(request, { app: own, answers: answersOf.of(caller), mayWrite });
    }),
  );
  return {
    ...server,
    close: async () => {
      await server.close();
      await answersOf.close();
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
