import { isAbort, withDeadline } from '../../errors/abort.ts';
import { type Outcome, type ProcessStart, type StreamItems, type ToProcess, outcomeOf, valueOf } from './channel.ts';
import { LimitedProcess, type ProcessInit, type ProcessReport } from './limited-process.ts';

/** Options of {@link HostProcess}. */
export interface HostProcessInit<Start extends ProcessStart> {
  /** How to start it; called before each start. */
  readonly start: () => { readonly process: ProcessInit; readonly start: Start };
  /** Answers the calls of the process. */
  readonly onCall?: (name: string, args: readonly unknown[]) => unknown;
  /** After how many consecutive crashes or hangs it is not started again; unlimited by default. */
  readonly maxCrashes?: number;
}

/** Options of a request. */
export interface AskOptions {
  /** Time limit for the answer, or for the next items of a stream; null means no limit. */
  readonly ms: number | null;
  /** Names the work in the message of `cancelled`. */
  readonly operation?: string | undefined;
  /** How the timeout message begins: `it did not finish within`. */
  readonly late?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each event of the request. */
  readonly onEvent?: ((name: string, args: readonly unknown[]) => void) | undefined;
  /** Whether a process that still responds keeps running when nobody waits for the answer any more. */
  readonly mayGoOn?: boolean | undefined;
}

const START_TIMEOUT_MS = 60_000;
/** How long a request may continue after its signal has fired. */
const GRACE_MS = 1000;
/** A process that does not answer a ping within this time is stuck. */
const PING_MS = 1000;

/**
 * A process that runs plugins and answers requests, started on the first one. When it exits, is killed, or blocks past a time limit, its
 * pending requests fail with the reason, and the next request starts it again.
 */
export class HostProcess<Start extends ProcessStart, Request> {
  readonly #init: HostProcessInit<Start>;
  #running: Running | null = null;
  #lastId = 0;
  #crashes = 0;
  #lastCause = '';

  constructor(init: HostProcessInit<Start>) {
    this.#init = init;
  }

  /** Incremented on each start: objects created by an earlier process are gone. */
  generation = 0;

  /**
   * Sends a request and returns its answer. Throws what the process threw, `cancelled`, and a plain error when the process ends or the
   * request times out.
   */
  async ask(request: Request, options: AskOptions): Promise<unknown> {
    const running = await this.#started(options);
    const id = ++this.#lastId;
    return this.#answer(running, { ...options, id, message: { kind: 'ask', id, request, isStream: false } });
  }

  /** Sends a request and yields the items of its answer. Throws like {@link HostProcess.ask}. */
  async *stream(request: Request, options: AskOptions): AsyncGenerator {
    const running = await this.#started(options);
    const stream = ++this.#lastId;
    try {
      let message: Message<Request> = { kind: 'ask', id: stream, request, isStream: true };
      for (let isOver = false; !isOver;) {
        const answer = await this.#answer(running, { ...options, id: message.id, abortId: stream, message });
        yield* (answer as StreamItems).items;
        ({ isOver } = answer as StreamItems);
        message = { kind: 'next', id: ++this.#lastId, stream };
      }
    } finally {
      if (this.#running === running) this.#send(running, { kind: 'stop', stream });
    }
  }

  /** Waits for pending requests, up to a time limit and unless the process is stuck, and ends it. */
  async end(ms: number): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    if (running.waiting.size > 0 && ms > 0) {
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
  async #started({ operation = 'the call', signal }: AskOptions): Promise<Running> {
    const { maxCrashes = Infinity } = this.#init;
    if (this.#crashes >= maxCrashes)
      throw new Error(`it is switched off after ${maxCrashes} crashes: ${this.#lastCause}`);
    const running = (this.#running ??= this.#start());
    running.process.keepAlive();
    try {
      await withDeadline(() => running.ready, { operation, signal });
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
    const process: LimitedProcess = new LimitedProcess(init, {
      onReport: (report) => (report.kind === 'ready' ? succeed?.() : this.#onReport(running, report)),
      onEnd: (cause) => this.#crashed(running, cause),
    });
    const late = (): Error => new Error(`its process did not start within ${START_TIMEOUT_MS / 1000} s`);
    const ready = withDeadline(() => started, { operation: 'starting', timeoutMs: START_TIMEOUT_MS, late });
    const running: Running = { process, ready, failStart: (cause) => fail?.(cause), waiting: new Map() };
    ready.catch((error: unknown) => this.#crashed(running, error as Error));
    this.#send(running, { kind: 'start', start });
    return running;
  }

  async #answer(running: Running, sent: Sent<Request>): Promise<unknown> {
    const { ms, operation = 'the call', late = 'it did not finish within', signal, mayGoOn = false, id } = sent;
    const onLate = (): Error => new Error(`${late} ${(ms ?? 0) / 1000} s`);
    try {
      const limits = { operation, signal, timeoutMs: ms, late: onLate, abortGraceMs: GRACE_MS };
      const outcome = await withDeadline((stop) => this.#outcome(running, sent, stop), limits);
      if (mayGoOn) this.#crashes = 0;
      return valueOf(outcome);
    } catch (error) {
      if (running.waiting.delete(id)) void this.#onGivenUp(running, error, mayGoOn);
      throw error;
    } finally {
      this.#restIfIdle(running);
    }
  }

  /** `stop` fires when the caller no longer waits for the answer. */
  #outcome(
    running: Running,
    { id, message, abortId = id, onEvent }: Sent<Request>,
    stop: AbortSignal,
  ): Promise<Outcome> {
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
      running.waiting.set(id, { settle, done, eventId: abortId, onEvent });
      const onStop = (): void => {
        settled?.(); // no caller is waiting, so closing does not wait either
        this.#send(running, { kind: 'abort', id: abortId });
      };
      stop.addEventListener('abort', onStop, { once: true });
      running.process.keepAlive();
      this.#send(running, message);
    });
  }

  #onReport(running: Running, report: Exclude<ProcessReport, { readonly kind: 'ready' }>): void {
    switch (report.kind) {
      case 'answer':
        return running.waiting.get(report.id)?.settle(report.outcome);
      case 'event':
        for (const { eventId, onEvent } of running.waiting.values())
          if (eventId === report.id) onEvent?.(report.name, report.args);
        return;
      case 'call':
        return void this.#onCall(running, report);
      default:
        report satisfies never;
    }
  }

  async #onCall(running: Running, call: Extract<ProcessReport, { readonly kind: 'call' }>): Promise<void> {
    const { id, name, args } = call;
    const outcome = await outcomeOf(() => this.#init.onCall?.(name, args));
    if (id !== null) this.#send(running, { kind: 'answer', id, outcome });
  }

  /** The caller no longer waits for the answer. If the process is stuck, it cannot answer other requests either. */
  async #onGivenUp(running: Running, error: unknown, mayGoOn: boolean): Promise<void> {
    const cause = error instanceof Error ? error : new Error(String(error));
    if (!mayGoOn && !isAbort(error)) return this.#crashed(running, cause);
    if (await this.#isStuck(running)) this.#crashed(running, new Error('its process stopped responding'));
    else this.#restIfIdle(running);
  }

  async #isStuck(running: Running): Promise<boolean> {
    const id = ++this.#lastId;
    const ping: Sent<Request> = { ms: PING_MS, id, message: { kind: 'ping', id } };
    try {
      await withDeadline((stop) => this.#outcome(running, ping, stop), { operation: 'ping', timeoutMs: PING_MS });
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

  #send({ process }: Running, message: ToProcess<Start, Request>): void {
    process.send(message);
  }
}

interface Running {
  readonly process: LimitedProcess;
  /** Settles when the process has started or has failed to. */
  readonly ready: Promise<void>;
  /** Rejects `ready`, unless it has settled. */
  readonly failStart: (cause: Error) => void;
  readonly waiting: Map<number, Waiting>;
}

interface Waiting {
  readonly settle: (outcome: Outcome | Error) => void;
  readonly done: Promise<void>;
  /** The request that events are about: this one, or the one that opened the stream. */
  readonly eventId: number;
  readonly onEvent: AskOptions['onEvent'];
}

/** A message that has an answer. */
type Message<Request> = Extract<ToProcess<never, Request>, { readonly kind: 'ask' | 'next' | 'ping' }>;

interface Sent<Request> extends AskOptions {
  readonly id: number;
  readonly message: Message<Request>;
  /** The request whose signal to fire, if it is another one: the request that opened the stream. */
  readonly abortId?: number;
}
