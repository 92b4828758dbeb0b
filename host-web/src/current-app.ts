import type { App } from '@kebab/core/app';

/** An open App, with the number of requests that use it. */
interface Opened {
  readonly app: App;
  users: number;
  isRetired: boolean;
  isClosed: boolean;
}

/**
 * One App for the life of a server, opened for the first request. When the database or the configuration has been replaced, the next request
 * opens another, and the old one is closed as soon as it is unused.
 */
export class CurrentApp {
  readonly #open: () => Promise<App>;
  #opening: Promise<Opened> | undefined;
  #closing: Promise<unknown> = Promise.resolve();

  constructor(open: () => Promise<App>) {
    this.#open = open;
  }

  /** Runs with the current App, which stays open until the run ends. */
  async use<T>(run: (app: App) => Promise<T>): Promise<T> {
    const opened = await this.#acquire();
    try {
      return await run(opened.app);
    } finally {
      opened.users--;
      this.#closeIfUnused(opened);
    }
  }

  /** Closes the App; to be called when nothing is running. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    await Promise.all([this.#closing, opened?.app.close()]);
  }

  /** Counts the user before anything else can run, so that nobody closes what was just acquired. */
  async #acquire(): Promise<Opened> {
    for (;;) {
      const opening = (this.#opening ??= this.#openNew());
      const opened = await opening;
      if (opened.app.openedFiles.outdated === null) {
        opened.users++;
        return opened;
      }
      if (this.#opening === opening) this.#opening = undefined; // else another request has opened a new one
      this.#retire(opened);
    }
  }

  #openNew(): Promise<Opened> {
    const opening = this.#open().then((app) => ({ app, users: 0, isRetired: false, isClosed: false }));
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined; // the next request tries again
    });
    return opening;
  }

  #retire(opened: Opened): void {
    opened.isRetired = true;
    this.#closeIfUnused(opened);
  }

  #closeIfUnused(opened: Opened): void {
    if (opened.users > 0 || !opened.isRetired || opened.isClosed) return;
    opened.isClosed = true;
    this.#closing = Promise.all([this.#closing, opened.app.close()]).catch(() => undefined);
  }
}
