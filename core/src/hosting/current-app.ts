import type { App } from '../app/app.ts';

/** What a server opens: an App, or something that contains one. */
type Openable = Pick<App, 'openedFiles' | 'close'>;

/** An open App, with the number of requests that use it; being the current one counts as one more. */
interface Opened<A> {
  readonly app: A;
  users: number;
}

/**
 * One App for the life of a server, opened for the first request. When the database or the configuration has been replaced (by a reset in
 * another process, a restored copy, `kebab add`), the next request opens another, and the old one is closed as soon as it is unused. Changes
 * inside the database need no new App.
 */
export class CurrentApp<A extends Openable = App> {
  readonly #open: () => Promise<A>;
  #opening: Promise<Opened<A>> | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(open: () => Promise<A>) {
    this.#open = open;
  }

  /** Runs with the current App, which stays open until the run ends. */
  async use<T>(run: (app: A) => Promise<T>): Promise<T> {
    const opened = await this.#acquire();
    try {
      return await run(opened.app);
    } finally {
      this.#release(opened);
    }
  }

  /** Closes the App; to be called when nothing is running. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    await Promise.all([this.#closing, opened?.app.close()]);
  }

  /** Counts the user before anything else can run, so that nobody closes what was just acquired. */
  async #acquire(): Promise<Opened<A>> {
    for (;;) {
      const opening = (this.#opening ??= this.#openNew());
      const opened = await opening;
      if (opened.app.openedFiles.outdated === null) {
        opened.users++;
        return opened;
      }
      if (this.#opening !== opening) continue; // another request has opened a new one
      this.#opening = undefined;
      this.#release(opened);
    }
  }

  #openNew(): Promise<Opened<A>> {
    const opening = this.#open().then((app) => ({ app, users: 1 }));
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined; // the next request tries again
    });
    return opening;
  }

  #release(opened: Opened<A>): void {
    if (--opened.users === 0) this.#closing = Promise.all([this.#closing, opened.app.close()]).catch(() => undefined);
  }
}
