import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { App } from '../app/app.ts';
import { isLasting, isStream, type UseCase } from '../app/facade.ts';
import { OPERATIONS } from '../app/operations.ts';
import { openEngine, type Engine, type OpenAppOptions } from '../composition/open-app.ts';
import { resolveConfig, type ConfigResolution } from '../config/resolve-config.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { classifyError } from '../errors/classify-error.ts';
import { isKebabError, KebabError, sendError } from '../errors/kebab-error.ts';
import { identityOf } from '../files/read-regular-file.ts';
import type { Channel, RequestCourse } from '../plugin/process/channel.ts';
import { revivedArgument } from '../plugin/process/sent-arguments.ts';
import { proxiesIn } from '../plugin/proxy-settings.ts';
import {
  BUILD,
  channelOver,
  type Hello,
  type HelloAnswer,
  type OperationCall,
  type Refusal,
  type ServiceRequest,
  type ServiceState,
} from './messages.ts';
import { addressOf, AUTOSTART_VARIABLE, makeServiceFolder, socketOf, withdrawStart } from './service-place.ts';

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
/** How long a client may take to read what was sent to it before its connection is closed. */
const FAREWELL_MS = 500;
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

/** One connection. */
interface Session {
  readonly socket: Socket;
  readonly channel: Channel<never, ServiceRequest>;
  /** The App in the context of the client; null before it was welcomed. */
  app: App | null;
}

/** One running service. */
class Service {
  readonly #engine: Engine;
  readonly #init: ServiceInit;
  readonly #settings: string;
  readonly #startedAt: Date;
  readonly #sessions = new Set<Session>();
  readonly #end: Promise<string>;
  #finish: (why: string) => void = () => {};
  #ending: string | null = null;
  #socket: string | null = null;
  #server: Server | undefined;
  #running = 0;
  #answered = 0;
  #usedAt = performance.now();

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
    this.#server = await claim(socket, (connection) => this.#accept(connection));
    this.#socket = identityOf(socket);
    // Only what another command started can have been stopped before it listened.
    const isRequested = withdrawStart(socket) || options.environment.env[AUTOSTART_VARIABLE] === undefined;
    const stop = (): void => this.#retire('stopped');
    options.signal.addEventListener('abort', stop, { once: true });
    if (options.signal.aborted || !isRequested) stop();
    const checking = setInterval(() => this.#check(), CHECK_MS);
    log.info('service started', { pid: process.pid, database: this.#engine.resolution.config.storage.sqlite });
    if (this.#ending === null) {
      options.onListening?.(this.#state());
      void this.#warmUp();
    }
    const watch = new AbortController();
    const watching = this.#watch(watch.signal);
    const why = await this.#end;
    clearInterval(checking);
    options.signal.removeEventListener('abort', stop);
    this.#cancelCalls();
    watch.abort();
    await watching;
    log.info('service ended', { pid: process.pid, why, answered: this.#answered });
    return why;
  }

  /** Closes all connections once everything sent has left. */
  async disconnect(): Promise<void> {
    const open = [...this.#sessions].map(({ socket }) => socket).filter(({ destroyed }) => !destroyed);
    const timer = setTimeout(() => open.forEach((socket) => socket.destroy()), FAREWELL_MS);
    const closed = open.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of open) socket.destroySoon();
    await Promise.all(closed);
    clearTimeout(timer);
  }

  #accept(socket: Socket): void {
    const channel: Session['channel'] = channelOver<never, ServiceRequest>(socket, {
      answer: (request, course) => this.#answer(session, request, course),
      explain: (error) => sendError(classifyError(error)),
      onEnd: () => {
        this.#sessions.delete(session);
        channel.end(new Error('the client is gone'));
        void session.app?.close();
      },
    });
    const session: Session = { socket, channel, app: null };
    this.#sessions.add(session);
  }

  #answer(session: Session, request: ServiceRequest, course: RequestCourse): unknown {
    switch (request.kind) {
      case 'hello':
        return this.#welcome(session, request);
      case 'call':
        return this.#perform(session, request, course);
      case 'status':
        return this.#state();
      case 'stop':
        return this.#retire('stopped');
      default:
        return request satisfies never;
    }
  }

  async #welcome(session: Session, hello: Hello): Promise<HelloAnswer> {
    const answer = await this.#appFor(hello);
    if (typeof answer === 'string') return { kind: 'refused', why: answer };
    session.app = answer;
    return { kind: 'welcome', files: answer.openedFiles.names, notices: answer.notices };
  }

  /** The value of an operation, or its stream. One that lasts until its caller ends it is not waited for, and keeps no service alive. */
  async #perform(
    { app, socket }: Session,
    { operation, args }: OperationCall,
    course: RequestCourse,
  ): Promise<unknown> {
    const isServed = Object.hasOwn(OPERATIONS, operation) && OPERATIONS[operation].runsLocally !== true;
    if (app === null || !isServed || !this.#isCurrent()) return void socket.destroy();
    const lasts = isLasting(operation);
    if (!lasts) this.#running++;
    const end = (): void => {
      course.event('notices', app.notices);
      if (!lasts) this.#finishCall();
    };
    const revived = args.map((arg) => revivedArgument(arg, course));
    // The client may disconnect without having passed a signal.
    const ownArgs = lasts ? [{ ...(revived[0] as object | undefined), signal: course.signal }] : revived;
    const answer = (app[operation] as UseCase)(...ownArgs);
    if (isStream(operation)) return itemsOf(answer as AsyncIterable<unknown>, end);
    return (answer as Promise<unknown>).finally(end);
  }

  #finishCall(): void {
    this.#running--;
    this.#answered++;
    this.#usedAt = performance.now();
    if (this.#ending !== null && this.#running === 0) this.#finish(this.#ending);
  }

  #cancelCalls(): void {
    for (const { channel } of this.#sessions) channel.cancel();
  }

  /** The App of a client whose current settings are those of the service. */
  async #appFor({ version, build, caller }: Hello): Promise<App | Refusal> {
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
    const isInUse = [...this.#sessions].some(({ app }) => app !== null);
    if (!isInUse && this.#running === 0) this.#retire('another version of kebab asked');
    return 'version';
  }

  /** Ends the service when its database or the settings it was opened with have been replaced: programs with the current ones need another. */
  #isCurrent(): boolean {
    const { outdated } = this.#engine.app.openedFiles;
    if (outdated !== null) this.#retire(outdated === 'database' ? 'the database was replaced' : 'settings changed');
    return this.#ending === null;
  }

  /** Ends the service when it is idle, or no longer reachable at its address because its socket was removed. */
  #check(): void {
    const isIdle = performance.now() - this.#usedAt > this.#engine.resolution.config.serve.idleMinutes * MS_PER_MINUTE;
    if (identityOf(this.#init.socket) !== this.#socket) this.#retire('its socket was removed');
    else if (this.#running === 0 && isIdle) this.#retire('idle');
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
      this.#cancelCalls();
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

  #state(): ServiceState {
    return {
      pid: process.pid,
      kebab_version: KEBAB_VERSION,
      build: BUILD,
      knowledge_base: this.#init.knowledgeBase,
      started_at: this.#startedAt.toISOString(),
      idle_minutes: this.#engine.resolution.config.serve.idleMinutes,
      clients: [...this.#sessions].filter(({ app }) => app !== null).length,
      answered: this.#answered,
      running: this.#running,
      memory_bytes: process.memoryUsage.rss(),
    };
  }
}

async function* itemsOf(items: AsyncIterable<unknown>, end: () => void): AsyncGenerator {
  try {
    yield* items;
  } finally {
    end();
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
