import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { openEngine, type Engine, type OpenAppOptions } from '../composition/open-app.ts';
import { resolveConfig, type ConfigResolution } from '../config/resolve-config.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { identityOf } from '../files/read-regular-file.ts';
import type { App } from '../app/app.ts';
import { proxiesIn } from '../plugin/proxy-settings.ts';
import { BUILD, type Hello, type Refusal, type ServiceState } from './messages.ts';
import { addressOf, AUTOSTART_VARIABLE, makeServiceFolder, socketOf, withdrawStart } from './service-place.ts';
import { ServiceSession, type SessionHost } from './service-session.ts';

/** Options of a service. */
export interface ServeAppOptions extends OpenAppOptions {
  /** Ends the service: calls in progress are finished, if that does not take long. */
  readonly signal: AbortSignal;
  /** Called once it accepts connections. */
  readonly onListening?: ((state: ServiceState) => void) | undefined;
}

const MS_PER_MINUTE = 60_000;
/** How long calls in progress may continue when a service is to end, and how long it then waits for them. */
const GRACE_MS = 5000;
const LAST_MS = 1000;
const CHECK_MS = 2000;

/**
 * Serves the App of one knowledge base to other processes of the user, until it is idle for a while, the signal fires, the database or the
 * settings it was opened with change, or another service takes its place. Returns why it ended. Throws `locked` when one is already
 * running, `not_indexed` without a database.
 */
export async function serveApp(options: ServeAppOptions): Promise<string> {
  const engine = await openEngine({ ...options, isLasting: true });
  let service: Service | undefined;
  try {
    const { sqlite } = engine.resolution.config.storage;
    const knowledgeBase = await (await engine.ports.documents.read()).knowledgeBase();
    const socket = await socketOf(options.environment, sqlite);
    service = new Service(engine, { options, knowledgeBase, socket });
    return await service.run();
  } finally {
    await engine.app.close();
    await service?.disconnect(); // a client that waits for the end of the service knows that everything is closed
  }
}

interface ServiceInit {
  readonly options: ServeAppOptions;
  readonly knowledgeBase: string;
  /** The path of its socket. */
  readonly socket: string;
}

/** One running service. */
class Service implements SessionHost {
  readonly #engine: Engine;
  readonly #init: ServiceInit;
  readonly #settings: string;
  readonly #startedAt: Date;
  readonly #sessions = new Set<ServiceSession>();
  readonly #end: Promise<string>;
  #finish: (why: string) => void = () => {};
  #ending: string | null = null;
  #socket: string | null = null;
  #server: Server | undefined;
  #idle: NodeJS.Timeout | undefined;
  #running = 0;
  #answered = 0;

  constructor(engine: Engine, init: ServiceInit) {
    this.#engine = engine;
    this.#init = init;
    this.#settings = JSON.stringify(engine.resolution.config);
    this.#startedAt = engine.ports.clock.now();
    this.#end = new Promise((resolve) => (this.#finish = resolve));
  }

  async run(): Promise<string> {
    const { options, socket } = this.#init;
    const { log } = this.#engine.ports;
    const server = await claim(socket, (connection) => this.#sessions.add(new ServiceSession(connection, this)));
    this.#server = server;
    this.#socket = identityOf(socket);
    // Only what another command started can have been stopped before it listened.
    const isRequested = withdrawStart(socket) || options.environment.env[AUTOSTART_VARIABLE] === undefined;
    this.#rest();
    const stop = (): void => this.stop();
    options.signal.addEventListener('abort', stop, { once: true });
    if (options.signal.aborted || !isRequested) stop();
    const checking = setInterval(() => this.#check(), CHECK_MS);
    log.info('service started', { pid: process.pid, database: this.#engine.resolution.config.storage.sqlite });
    if (this.#ending === null) {
      options.onListening?.(this.state());
      void this.#warmUp();
    }
    const watch = new AbortController();
    const watching = this.#watch(watch.signal);
    const why = await this.#end;
    clearInterval(checking);
    clearTimeout(this.#idle);
    options.signal.removeEventListener('abort', stop);
    for (const session of this.#sessions) session.cancel();
    watch.abort();
    await watching;
    log.info('service ended', { pid: process.pid, why, answered: this.#answered });
    return why;
  }

  /** Closes all connections once everything sent has left. */
  async disconnect(): Promise<void> {
    await Promise.all([...this.#sessions].map((session) => session.close()));
  }

  /** The App of a client whose current settings are those of the service. */
  async hello({ version, build, caller }: Hello): Promise<App | Refusal> {
    if (version !== KEBAB_VERSION || build !== BUILD) return this.#yieldToNewVersion();
    const { config: named, user, ...from } = caller;
    const own = this.#engine.resolution;
    let resolution: ConfigResolution;
    try {
      const flags = { config: named ?? undefined, user: user ? true : undefined };
      resolution = await resolveConfig({ ...from, flags, builtins: this.#engine.builtins });
    } catch {
      return 'settings'; // the client discovers the problem itself, and reports it
    }
    const { config, folders } = resolution;
    const { environment } = this.#init.options;
    if (config.storage.sqlite !== own.config.storage.sqlite) return 'database';
    const isSame =
      JSON.stringify(config) === this.#settings &&
      JSON.stringify(folders) === JSON.stringify(own.folders) &&
      (caller.env['TZ'] ?? '') === (environment.env['TZ'] ?? '') &&
      JSON.stringify(proxiesIn(caller.env)) === JSON.stringify(proxiesIn(environment.env));
    if (!this.#isCurrent() || !isSame || config.serve.mode === 'off') return 'settings';
    return this.#engine.appFor({ ...from, resolution });
  }

  /** After an upgrade, the next service has the new version, as soon as this one is idle. */
  #yieldToNewVersion(): Refusal {
    const isInUse = [...this.#sessions].some(({ isWelcome }) => isWelcome);
    if (!isInUse && this.#running === 0) this.#retire('another version of kebab asked');
    return 'version';
  }

  /** Whether a call may start. A call that is not a question does not count: it is not waited for once the caller has gone. */
  begin(isQuestion: boolean): boolean {
    if (!this.#isCurrent()) return false;
    if (!isQuestion) return true;
    this.#running++;
    clearTimeout(this.#idle);
    return true;
  }

  end(isQuestion: boolean): void {
    if (!isQuestion) return;
    this.#running--;
    this.#answered++;
    this.#rest();
    if (this.#ending !== null && this.#running === 0) this.#finish(this.#ending);
  }

  stop(): void {
    this.#retire('stopped');
  }

  closed(session: ServiceSession): void {
    this.#sessions.delete(session);
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#running > 0 || this.#ending !== null) return;
    const ms = this.#engine.resolution.config.serve.idleMinutes * MS_PER_MINUTE;
    this.#idle = setTimeout(() => this.#retire('idle'), ms);
  }

  /** Ends the service when its database or the settings it was opened with have been replaced: programs with the current ones need another. */
  #isCurrent(): boolean {
    const { outdated } = this.#engine.app.openedFiles;
    if (outdated !== null) this.#retire(outdated === 'database' ? 'the database was replaced' : 'settings changed');
    return this.#ending === null;
  }

  /** Checks whether the service is still reachable at its address; removing its socket ends it. */
  #check(): void {
    if (identityOf(this.#init.socket) !== this.#socket) this.#retire('its socket was removed');
    else this.#isCurrent();
  }

  /** Accepts no more connections, and ends when no call is in progress; long calls are cancelled. */
  #retire(why: string): void {
    if (this.#ending !== null) return;
    this.#ending = why;
    const { socket } = this.#init;
    if (identityOf(socket) === this.#socket) rmSync(socket, { force: true });
    this.#server?.close();
    if (this.#running === 0) return setImmediate(() => this.#finish(why)) as unknown as undefined;
    const cancel = (): void => {
      for (const session of this.#sessions) session.cancel();
      setTimeout(() => this.#finish(why), LAST_MS).unref();
    };
    setTimeout(cancel, GRACE_MS).unref();
  }

  /** Keeps the index up to date for all clients: searches need not check, and watching clients share this watcher. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { indexing, search } = this.#engine.resolution.config;
    if (!indexing.watchFilesystem || search.refresh === 'off') return;
    try {
      for await (const { kind } of this.#engine.app.watch({ signal })) if (kind === 'replaced') this.#isCurrent();
    } catch (error) {
      // Unwatched folders are checked before each search, and nothing at all in read-only mode.
      if (!isKebabError(error, 'readonly_mode'))
        this.#engine.ports.log.warn('the folders are not followed', { cause: String(error) });
    }
  }

  /** The first search loads most of what is needed, above all the model. */
  async #warmUp(): Promise<void> {
    try {
      await this.#engine.app.search({ text: 'kebab' }, { cache: false, refresh: false });
    } catch {
      // the next search reports it
    }
  }

  state(): ServiceState {
    return {
      pid: process.pid,
      kebab_version: KEBAB_VERSION,
      build: BUILD,
      knowledge_base: this.#init.knowledgeBase,
      started_at: this.#startedAt.toISOString(),
      idle_minutes: this.#engine.resolution.config.serve.idleMinutes,
      clients: [...this.#sessions].filter(({ isWelcome }) => isWelcome).length,
      answered: this.#answered,
      running: this.#running,
      memory_bytes: process.memoryUsage.rss(),
    };
  }
}

/** Listens at an address unless another service answers there. Throws `locked` when one does. */
async function claim(socket: string, onConnection: (connection: Socket) => void): Promise<Server> {
  makeServiceFolder(socket);
  const address = addressOf(socket);
  let server = await listen(address, onConnection);
  if (server === null && !(await answers(address))) {
    rmSync(socket, { force: true }); // left behind by a killed service
    server = await listen(address, onConnection);
  }
  if (server === null) throw taken(address);
  if (process.platform === 'win32') writeFileSync(socket, '');
  else chmodSync(socket, 0o600);
  return server;
}

function taken(address: string): KebabError<'locked'> {
  return new KebabError('locked', 'a kebab service answers for this knowledge base already', {
    details: { path: address, pid: null },
    hint: 'see `kebab serve --status`, or end it with `kebab serve --stop`',
  });
}

/** Whether a service is listening. Only a definitely stale address counts as no. */
function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT' && code !== 'ENOTSOCK'),
    );
  });
}

/** Null when the address is in use. */
function listen(address: string, onConnection: (connection: Socket) => void): Promise<Server | null> {
  const server = createServer(onConnection);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}
