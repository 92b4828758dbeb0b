import { createHash } from 'node:crypto';
import { chmodSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { openEngine, type Engine, type OpenAppOptions } from '../composition/open-app.ts';
import { resolveConfig, type ConfigResolution } from '../config/resolve-config.ts';
import { blake3Id } from '../domain/blake3.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { identityOf } from '../files/file-identity.ts';
import { BUILD, PROTOCOL, type Hello, type Refusal, type ServiceState } from './messages.ts';
import { ServiceSession } from './service-session.ts';
import {
  addressOf,
  ASKED_VARIABLE,
  makeServiceFolder,
  serviceFolder,
  serviceNameOf,
  type ServicePlace,
} from './service-place.ts';
import { isStoppedSince, removeMark, whileNoneStarts } from './stopped-mark.ts';

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
/** Why a service ended that was told to. */
const STOPPED = 'stopped';

/**
 * Serves the App of one knowledge base to other processes of the user, until it is idle for a while, the signal fires, the database or the
 * settings it was opened with change, or another service takes its place. Returns why it ended. Throws `locked` when one is already
 * running, `not_indexed` without a database.
 */
export async function serveApp(options: ServeAppOptions): Promise<string> {
  const engine = await openEngine(options);
  try {
    const { sqlite } = engine.resolution.config.storage;
    const knowledgeBase = await (await engine.ports.documents.read()).knowledgeBase();
    const place = placeOf(options, sqlite);
    const service = new Service(engine, { options, knowledgeBase, ...place });
    return await service.run();
  } finally {
    await engine.app.close();
  }
}

/** The address of the service of a database. Throws `io_error` when no address is short enough. */
export function placeOf({ environment }: Pick<OpenAppOptions, 'environment'>, sqlite: string): ServicePlace {
  const folder = serviceFolder(environment);
  if (folder === null) {
    const cause = 'the state folder has too long a name for the address of a service';
    throw new KebabError('io_error', cause, {
      details: { kind: 'ENAMETOOLONG', path: null, cause },
      hint: 'set XDG_RUNTIME_DIR, or do without a service: KEBAB_SERVICE=off',
    });
  }
  return { folder, name: serviceNameOf(blake3Id(realPath(sqlite))) };
}

interface ServiceInit extends ServicePlace {
  readonly options: ServeAppOptions;
  readonly knowledgeBase: string;
}

/** One running service. */
class Service {
  readonly #engine: Engine;
  readonly #init: ServiceInit;
  readonly #settings: string;
  readonly #database: string | null;
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
    this.#database = identityOf(engine.resolution.config.storage.sqlite);
    this.#end = new Promise((resolve) => (this.#finish = resolve));
  }

  async run(): Promise<string> {
    const { options, folder, name } = this.#init;
    const { log } = this.#engine.ports;
    const asked = options.environment.env[ASKED_VARIABLE];
    const server = await claim({ folder, name }, asked, (socket) => this.#welcome(socket));
    if (server === null) return STOPPED;
    this.#server = server;
    this.#socket = identityOf(`${folder}/${name}`);
    this.#rest();
    const retire = (): void => this.#retire(STOPPED);
    options.signal.addEventListener('abort', retire, { once: true });
    if (options.signal.aborted) retire();
    const checking = setInterval(() => this.#check(), CHECK_MS);
    log.info('service started', { pid: process.pid, database: this.#engine.resolution.config.storage.sqlite });
    options.onListening?.(this.#state());
    void this.#warmUp();
    const stop = new AbortController();
    const watching = this.#watch(stop.signal);
    const why = await this.#end;
    clearInterval(checking);
    clearTimeout(this.#idle);
    options.signal.removeEventListener('abort', retire);
    await Promise.all([...this.#sessions].map((session) => session.close()));
    stop.abort();
    await watching;
    log.info('service ended', { pid: process.pid, why, answered: this.#answered });
    return why;
  }

  #welcome(socket: Socket): void {
    const session = new ServiceSession(socket, {
      hello: (hello) => this.#hello(hello),
      status: () => this.#state(),
      stop: () => this.#retire(STOPPED),
      begin: (isQuestion) => this.#begin(isQuestion),
      end: (isQuestion) => this.#ended(isQuestion),
      closed: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
  }

  /** Whether a client is accepted, depending on its current settings. */
  async #hello({ protocol, version, build, asker }: Hello): ReturnType<ServiceSession['init']['hello']> {
    if (protocol !== PROTOCOL || version !== KEBAB_VERSION || build !== BUILD) return this.#yieldToNewVersion();
    const { config: named, user, ...from } = asker;
    let resolution: ConfigResolution;
    try {
      const flags = { config: named ?? undefined, user: user ? true : undefined };
      resolution = await resolveConfig({ ...from, flags, builtins: this.#engine.builtins });
    } catch {
      return { why: 'settings' }; // the client discovers the problem itself, and reports it
    }
    const refusal = this.#refusal(resolution, asker.env['TZ']);
    if (refusal !== null) return refusal;
    const app = this.#engine.appFor({ ...from, resolution });
    const settings = createHash('sha256').update(this.#settings).digest('hex').slice(0, 12);
    return { app, settings, knowledgeBase: this.#init.knowledgeBase };
  }

  /** After an upgrade, the next service has the new version, as soon as this one is idle. */
  #yieldToNewVersion(): Refusal {
    const isInUse = [...this.#sessions].some(({ isWelcome }) => isWelcome);
    if (!isInUse && this.#running === 0) this.#retire('another version of kebab asked');
    return { why: 'version' };
  }

  #refusal({ config, folders }: ConfigResolution, zone: string | undefined): Refusal | null {
    const own = this.#engine.resolution;
    if (config.serve.mode === 'off') return { why: 'off' };
    if (config.storage.sqlite !== own.config.storage.sqlite)
      return { why: 'elsewhere', name: placeOf(this.#init.options, config.storage.sqlite).name };
    const isSame =
      JSON.stringify(config) === this.#settings &&
      JSON.stringify(folders) === JSON.stringify(own.folders) &&
      (zone ?? '') === (this.#init.options.environment.env['TZ'] ?? '');
    if (!isSame) void this.#checkSettings();
    return isSame && this.#ending === null && this.#isInPlace() ? null : { why: 'settings' };
  }

  /** Ends the service when the settings it was opened with have changed: programs with the current settings would no longer be accepted. */
  async #checkSettings(): Promise<void> {
    const { environment, flags = {} } = this.#init.options;
    const { builtins } = this.#engine;
    try {
      const { config } = await resolveConfig({ ...environment, flags, builtins });
      if (JSON.stringify(config) === this.#settings) return;
    } catch {
      // invalid settings differ from those it was opened with, too
    }
    this.#retire('settings changed');
  }

  /** Whether a call may start. A call that is not a question does not count: it is not waited for once the caller has gone. */
  #begin(isQuestion: boolean): boolean {
    if (this.#ending !== null || !this.#isInPlace()) return false;
    if (!isQuestion) return true;
    this.#running++;
    clearTimeout(this.#idle);
    return true;
  }

  #ended(isQuestion: boolean): void {
    if (!isQuestion) return;
    this.#running--;
    this.#answered++;
    this.#rest();
    if (this.#ending !== null && this.#running === 0) this.#finish(this.#ending);
  }

  #rest(): void {
    clearTimeout(this.#idle);
    if (this.#running > 0 || this.#ending !== null) return;
    const ms = this.#engine.resolution.config.serve.idleMinutes * MS_PER_MINUTE;
    this.#idle = setTimeout(() => this.#retire('idle'), ms);
  }

  #isInPlace(): boolean {
    if (identityOf(this.#engine.resolution.config.storage.sqlite) === this.#database) return true;
    this.#retire('the database was replaced');
    return false;
  }

  /** Checks whether the service is still reachable at its address; removing its socket ends it. */
  #check(): void {
    const { folder, name } = this.#init;
    if (identityOf(`${folder}/${name}`) !== this.#socket) this.#retire('its socket was removed');
    else this.#isInPlace();
  }

  /** Accepts no more connections, and ends when no call is in progress; long calls are cancelled. */
  #retire(why: string): void {
    if (this.#ending !== null) return;
    this.#ending = why;
    const { folder, name } = this.#init;
    if (identityOf(`${folder}/${name}`) === this.#socket) rmSync(`${folder}/${name}`, { force: true });
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
      for await (const { kind } of this.#engine.app.watch({ signal })) if (kind === 'replaced') this.#isInPlace();
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

  #state(): ServiceState {
    const { config } = this.#engine.resolution;
    return {
      pid: process.pid,
      version: KEBAB_VERSION,
      build: BUILD,
      knowledgeBase: this.#init.knowledgeBase,
      database: config.storage.sqlite,
      startedAt: this.#startedAt,
      idleMinutes: config.serve.idleMinutes,
      clients: [...this.#sessions].filter(({ isWelcome }) => isWelcome).length,
      answered: this.#answered,
      running: this.#running,
      memoryBytes: process.memoryUsage.rss(),
    };
  }
}

/**
 * Listens at an address unless another service answers there; of several concurrent attempts, one succeeds. Null when the services there
 * have been stopped since this one was asked for. Throws `locked` when another one answers.
 */
function claim(
  place: ServicePlace,
  asked: string | undefined,
  onConnection: (socket: Socket) => void,
): Promise<Server | null> {
  makeServiceFolder(place.folder);
  const address = addressOf(place.folder, place.name);
  const file = `${place.folder}/${place.name}`;
  return whileNoneStarts(place, async () => {
    if (await answers(address)) throw taken(address);
    if (isStoppedSince(asked, place)) return null;
    rmSync(file, { force: true }); // left behind by a killed service
    const server = await listen(address, onConnection);
    removeMark(place);
    if (process.platform === 'win32') writeFileSync(file, '');
    else chmodSync(file, 0o600);
    return server;
  });
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

function listen(address: string, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}

function realPath(file: string): string {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return file; // a missing folder has no other name
  }
}
