import { CurrentApp, isKebabError, type App, type Caller, type OpenAppOptions } from '@kebab/core/app';

/** Opens an App; with `despiteConfig`, an unusable configuration is replaced by the defaults. */
export type OpenApp = (how: Pick<OpenAppOptions, 'despiteConfig' | 'isLasting'>) => Promise<App>;

/** How and where an App is opened. */
export interface LiveAppInit {
  readonly open: OpenApp;
  readonly cwd: string;
  readonly readonly: boolean;
}

/** The last state that listeners were notified of: a corpus revision, null for no database, `other` for a database that was replaced. */
type Announced = number | null | 'other';

/** An open App with its settings and watcher. */
interface Opened extends Pick<App, 'openedFiles' | 'close'> {
  readonly app: App;
  readonly settings: Settings;
  /** Ends the watcher of its folders. */
  readonly stop: AbortController;
  watching: Promise<void>;
  isWatching: boolean;
  following: Promise<void>;
  isFollowing: boolean;
}

/** The current App of a server, which watches its folders and reports what changes in its database. */
export class LiveApp {
  readonly readonly: boolean;
  readonly #init: LiveAppInit;
  readonly #current = new CurrentApp(() => this.#open());
  readonly #listeners: (() => void)[] = [];
  #lastAnnounced: Announced | undefined;
  #latest: Opened | undefined;
  #isClosed = false;

  constructor(init: LiveAppInit) {
    this.#init = init;
    this.readonly = init.readonly;
  }

  /** Runs with the current App, which stays open until the run ends. */
  use<T>(run: (app: App, settings: Settings) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the server has ended'));
    return this.#current.use(async (opened) => {
      try {
        return await run(opened.app, opened.settings);
      } finally {
        this.#keepWatching(opened);
        void this.#keepFollowing(opened);
      }
    });
  }

  /** Like {@link use}; if the configuration is unusable, runs with a temporary App with the defaults. */
  async useDespiteConfig<T>(run: (app: App, settings: Settings) => Promise<T>): Promise<T> {
    try {
      await this.use(() => Promise.resolve());
    } catch (error) {
      if (!isKebabError(error, 'config_invalid')) throw error;
      const app = await this.#init.open({ despiteConfig: true });
      try {
        return await run(app, await readSettings(app, this.#init.cwd));
      } finally {
        await app.close();
      }
    }
    return this.use(run);
  }

  /**
   * Calls a listener whenever documents were added, changed or removed, by the watcher, a call or another process. Changes before the first
   * call are not reported.
   */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Notifies listeners now of what has been written, rather than within a second. */
  async announce(): Promise<void> {
    const opened = this.#latest;
    if (opened === undefined || this.#listeners.length === 0) return;
    try {
      for await (const revision of opened.app.followCorpus()) return this.#announce(revision, opened);
    } catch {
      // following the corpus tries again
    }
  }

  /** Closes the App; to be called when nothing is running. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#current.close();
  }

  async #open(): Promise<Opened> {
    const isReplaced = this.#latest?.openedFiles.outdated === 'database';
    if (isReplaced && this.#lastAnnounced !== undefined) this.#lastAnnounced = 'other';
    this.#latest = undefined;
    const app = await this.#init.open({ isLasting: true });
    const opened: Opened = {
      app,
      settings: await readSettings(app, this.#init.cwd),
      openedFiles: app.openedFiles,
      close: () => closeWatched(opened),
      stop: new AbortController(),
      watching: Promise.resolve(),
      isWatching: false,
      following: Promise.resolve(),
      isFollowing: false,
    };
    this.#latest = opened;
    this.#keepWatching(opened);
    await this.#keepFollowing(opened);
    return opened;
  }

  /** When a service ends, so does its watcher; the next call finds or starts another service. */
  #keepWatching(opened: Opened): void {
    if (opened.isWatching || this.#isRetired(opened) || !opened.settings.watches || this.readonly) return;
    opened.isWatching = true;
    opened.watching = this.#watch(opened);
  }

  /** Keeps the index up to date while the App is open. */
  async #watch(opened: Opened): Promise<void> {
    const { app, stop } = opened;
    try {
      for await (const event of app.watch({ signal: stop.signal })) {
        if (event.kind === 'ingested') void this.announce();
      }
      opened.isWatching = false;
    } catch {
      // without a watcher, each search checks the files first
    }
  }

  /** Resolves when the first revision is known, with which later ones are compared, so that no change after it is missed. */
  async #keepFollowing(opened: Opened): Promise<void> {
    if (opened.isFollowing || this.#isRetired(opened) || this.#listeners.length === 0) return;
    opened.isFollowing = true;
    await new Promise<void>((resolve) => {
      opened.following = this.#follow(opened, resolve).finally(resolve);
    });
  }

  /** Ends when the database or the configuration is replaced: the next App then takes over, without waiting for a call. */
  async #follow(opened: Opened, onFirst: () => void): Promise<void> {
    const { app, stop } = opened;
    try {
      for await (const revision of app.followCorpus({ signal: stop.signal })) {
        this.#announce(revision, opened);
        onFirst();
      }
      const { outdated } = app.openedFiles;
      if (!this.#isRetired(opened) && outdated !== null && outdated !== 'service') this.#openAgain();
    } catch {
      // the next call starts over
    }
    opened.isFollowing = false;
  }

  #announce(revision: number | null, opened: Opened): void {
    if (this.#isRetired(opened) || revision === this.#lastAnnounced) return;
    const isFirst = this.#lastAnnounced === undefined;
    this.#lastAnnounced = revision;
    if (isFirst) return;
    for (const listen of this.#listeners) listen();
  }

  /** Whether another App has taken over, or the server has ended. */
  #isRetired(opened: Opened): boolean {
    return this.#isClosed || opened !== this.#latest;
  }

  #openAgain(): void {
    setImmediate(() => {
      this.use(() => Promise.resolve()).catch(() => {}); // the next call reports the error
    });
  }
}

async function closeWatched({ app, stop, watching, following }: Opened): Promise<void> {
  stop.abort();
  await Promise.all([watching, following]);
  await app.close();
}

/** What tools need of a {@link LiveApp}. */
export type ServedApp = Pick<LiveApp, 'readonly' | 'use' | 'useDespiteConfig' | 'onChange' | 'announce'>;

/** The App for a caller with a token of its own, whichever is current. */
export function appOf(live: LiveApp, caller: Caller): ServedApp {
  const use: ServedApp['use'] = (run) => live.use(async (app, settings) => run(await app.as(caller), settings));
  return {
    readonly: live.readonly,
    use,
    useDespiteConfig: use,
    onChange: (listener) => live.onChange(listener),
    announce: () => live.announce(),
  };
}

/** The part of the configuration that serving depends on. All paths are absolute. */
export interface Settings {
  /** Default budget of a response, in output tokens. */
  readonly defaultMaxTokens: number;
  readonly sourceRoots: readonly string[];
  /** Folders, besides source roots and the working directory, from which files may be ingested. */
  readonly ingestRoots: readonly string[];
  readonly cwd: string;
  /** Whether the folders are watched while the server runs. */
  readonly watches: boolean;
}

async function readSettings(app: App, cwd: string): Promise<Settings> {
  const { entries } = await app.configView();
  const value = (key: string): unknown => entries.find((entry) => entry.key === key)?.value;
  const sources = value('workspace.sources') as readonly { readonly root: string; readonly connector: string }[];
  return {
    defaultMaxTokens: value('mcp.default_max_tokens') as number,
    sourceRoots: [
      value('workspace.root') as string,
      ...sources.filter(({ connector }) => connector === 'fs').map(({ root }) => root),
    ],
    ingestRoots: value('mcp.ingest_roots') as readonly string[],
    cwd,
    watches: value('indexing.watch_filesystem') === true && value('search.refresh') !== 'off',
  };
}
