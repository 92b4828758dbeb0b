import { isAbort, withDeadline } from '../../errors/abort.ts';
import type { PluginContext } from '../define-plugin.ts';
import { LimitedProcess, type ProcessInit } from './limited-process.ts';
import {
  type Outcome,
  type PluginMessage,
  type PluginReport,
  type PluginStart,
  type Question,
  outcomeOf,
  receivedFrom,
} from './plugin-messages.ts';

/** Options of {@link PluginProcess}. */
export interface PluginProcessInit {
  /** How to start it; called before each start. */
  readonly start: () => { readonly process: ProcessInit; readonly start: PluginStart };
  /** The services that it may use. */
  readonly world: () => Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;
  /** After how many consecutive crashes or hangs it is not started again. */
  readonly maxCrashes: number;
}

/** Options of a request. */
export interface AskOptions {
  /** Time limit; null means no limit. */
  readonly ms: number | null;
  /** How the timeout message begins: `it did not finish within`. */
  readonly late?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The request whose signal to fire, if it is another one: the request that opened the stream. */
  readonly abortId?: number | undefined;
  /** Called when the plugin calls a callback of an argument. */
  readonly onCallback?: ((listener: string, args: readonly unknown[]) => void) | undefined;
  /** Whether the process may keep running when the request times out. */
  readonly isCall?: boolean | undefined;
  /** Called with the id of the request. */
  readonly onSent?: ((id: number) => void) | undefined;
}

const START_TIMEOUT_MS = 60_000;
/** How long a call may continue after its signal has fired. */
const GRACE_MS = 1000;
/** A process that does not answer a ping within this time is stuck. */
const PING_MS = 1000;

/**
 * A process that hosts one plugin, started on the first request. When it exits, is killed, or blocks past a time limit, its pending
 * requests fail with the reason, and the next request starts it again.
 */
export class PluginProcess {
  readonly #init: PluginProcessInit;
  #running: Running | null = null;
  #lastId = 0;
  #crashes = 0;
  #lastCause = '';

  constructor(init: PluginProcessInit) {
    this.#init = init;
  }

  /** Incremented on each start: objects created by an earlier process are gone. */
  generation = 0;

  /**
   * Sends a request and returns its answer. Throws what the plugin threw, `cancelled`, and a plain error when the process ends or the
   * request times out.
   */
  async ask(
    question: Question,
    { ms, late = 'it did not finish within', signal, ...options }: AskOptions,
  ): Promise<unknown> {
    const running = await this.#started(signal);
    const id = ++this.#lastId;
    options.onSent?.(id);
    const onLate = (): Error => new Error(`${late} ${(ms ?? 0) / 1000} s`);
    try {
      const limits = { operation: 'the call', signal, timeoutMs: ms, late: onLate, abortGraceMs: GRACE_MS };
      const outcome = await withDeadline((stop) => this.#outcome(running, { id, question, stop, ...options }), limits);
      if (options.isCall === true) this.#crashes = 0;
      return receivedFrom(outcome);
    } catch (error) {
      if (running.waiting.delete(id)) void this.#onGivenUp(running, error, options.isCall === true);
      throw error;
    } finally {
      this.#restIfIdle(running);
    }
  }

  /** Tells the plugin that a stream is no longer read. */
  stop(stream: number): void {
    if (this.#running !== null) send(this.#running, { kind: 'stop', stream });
  }

  /** Waits for pending requests, up to a time limit and unless the plugin is stuck, and ends the process. */
  async end(ms: number): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    if (running.waiting.size > 0) {
      const isDone = Promise.all([...running.waiting.values()].map(({ done }) => done));
      const isOver = async (): Promise<unknown> => (await this.#isStuck(running)) || isDone;
      await withDeadline(() => Promise.race([isDone, isOver()]), { operation: 'closing', timeoutMs: ms }).catch(
        () => {},
      );
    }
    this.#running = null;
    this.#fail(running, new Error('it had not finished when kebab closed'));
    await running.process.end();
  }

  /**
   * Resolves to the process once it has started. Throws `cancelled`; the process then continues to start, since others may be waiting for
   * it.
   */
  async #started(signal: AbortSignal | undefined): Promise<Running> {
    const { maxCrashes } = this.#init;
    if (this.#crashes >= maxCrashes)
      throw new Error(`it is switched off after ${maxCrashes} crashes: ${this.#lastCause}`);
    const running = (this.#running ??= this.#start());
    running.process.keepAlive();
    try {
      await withDeadline(() => running.ready, { operation: 'the call', signal });
    } catch (error) {
      this.#restIfIdle(running);
      throw error;
    }
    return running;
  }

  #start(): Running {
    const { process: init, start } = this.#init.start();
    this.generation++;
    let succeed: (() => void) | undefined;
    let fail: ((cause: Error) => void) | undefined;
    const started = new Promise<void>((resolve, reject) => {
      succeed = resolve;
      fail = reject;
    });
    const process: LimitedProcess<PluginReport> = new LimitedProcess(init, {
      onReport: (report) => (report.kind === 'ready' ? succeed?.() : this.#onReport(running, report)),
      onEnd: (cause) => this.#crashed(running, cause),
    });
    const late = (): Error => new Error(`its process did not start within ${START_TIMEOUT_MS / 1000} s`);
    const ready = withDeadline(() => started, { operation: 'starting', timeoutMs: START_TIMEOUT_MS, late });
    const running: Running = { process, ready, failStart: (cause) => fail?.(cause), waiting: new Map() };
    ready.catch((error: unknown) => this.#crashed(running, error as Error));
    send(running, { kind: 'start', start });
    return running;
  }

  #outcome(running: Running, { id, question, stop, abortId, onCallback }: Sent): Promise<Outcome> {
    if (this.#running !== running) return Promise.reject(new Error(this.#lastCause));
    return new Promise((resolve, reject) => {
      let settled: (() => void) | undefined;
      const done = new Promise<void>((over) => (settled = over));
      const settle = (outcome: Outcome | Error): void => {
        running.waiting.delete(id);
        settled?.();
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      running.waiting.set(id, { settle, done, onCallback });
      const onStop = (): void => {
        settled?.(); // no caller is waiting, so closing does not wait either
        send(running, { kind: 'abort', id: abortId ?? id });
      };
      stop.addEventListener('abort', onStop, { once: true });
      running.process.keepAlive();
      send(running, { kind: 'ask', id, question });
    });
  }

  #onReport(running: Running, report: Exclude<PluginReport, { readonly kind: 'ready' }>): void {
    const { log, cache } = this.#init.world();
    switch (report.kind) {
      case 'answer':
        return running.waiting.get(report.id)?.settle(report.outcome);
      case 'callback':
        return running.waiting.get(report.id)?.onCallback?.(report.listener, report.args);
      case 'log':
        return log[report.level](report.message, report.fields);
      case 'cached':
        return cache.set(report.key, report.payload);
      case 'look-up':
        return void this.#found(running, report);
      default:
        report satisfies never;
    }
  }

  async #found(
    running: Running,
    { id, method, args }: Extract<PluginReport, { readonly kind: 'look-up' }>,
  ): Promise<void> {
    const { documents, knowledgeBase } = this.#init.world();
    const outcome = await outcomeOf(async () => {
      if (method === 'knowledgeBase') return knowledgeBase?.();
      const opened = await documents?.();
      if (method === 'documents' || opened === undefined) return null;
      if (!Object.hasOwn(opened, method)) throw new TypeError(`documents have no ${method}`);
      return (opened as unknown as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>)[method]?.(
        ...args,
      );
    });
    send(running, { kind: 'found', id, outcome });
  }

  /** The caller no longer waits for the answer. If the process is stuck, it cannot answer other requests either. */
  async #onGivenUp(running: Running, error: unknown, isCall: boolean): Promise<void> {
    const cause = error instanceof Error ? error : new Error(String(error));
    if (!isCall && !isAbort(error)) return this.#crashed(running, cause);
    if (await this.#isStuck(running)) this.#crashed(running, new Error('its process stopped responding'));
    else this.#restIfIdle(running);
  }

  async #isStuck(running: Running): Promise<boolean> {
    const id = ++this.#lastId;
    const stop = new AbortController().signal;
    try {
      await withDeadline(() => this.#outcome(running, { id, question: { kind: 'ping' }, stop }), {
        operation: 'ping',
        timeoutMs: PING_MS,
      });
      return false;
    } catch {
      return true;
    } finally {
      running.waiting.delete(id);
    }
  }

  #crashed(running: Running, cause: Error): void {
    if (this.#running !== running) return;
    this.#running = null;
    this.#crashes++;
    this.#lastCause = cause.message;
    running.process.kill();
    this.#fail(running, cause);
  }

  #fail(running: Running, cause: Error): void {
    running.failStart(cause);
    for (const { settle } of running.waiting.values()) settle(cause);
  }

  #restIfIdle(running: Running): void {
    if (running.waiting.size === 0 && this.#running === running) running.process.rest();
  }
}

interface Running {
  readonly process: LimitedProcess<PluginReport>;
  /** Settles when the process has started or has failed to. */
  readonly ready: Promise<void>;
  /** Rejects `ready`, unless it has settled. */
  readonly failStart: (cause: Error) => void;
  readonly waiting: Map<number, Waiting>;
}

interface Waiting {
  readonly settle: (outcome: Outcome | Error) => void;
  readonly done: Promise<void>;
  readonly onCallback: AskOptions['onCallback'];
}

interface Sent extends Pick<AskOptions, 'abortId' | 'onCallback'> {
  readonly id: number;
  readonly question: Question;
  /** Fires when the caller no longer waits for the answer. */
  readonly stop: AbortSignal;
}

function send({ process }: Running, message: PluginMessage): void {
  process.send(message);
}
