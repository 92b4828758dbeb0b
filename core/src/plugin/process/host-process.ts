import { isAbort, withDeadline } from '../../errors/abort.ts';
import { Channel, type Outcome, type RequestOptions } from './channel.ts';
import { LimitedProcess, type ProcessInit } from './limited-process.ts';
import type { ParentCall, ProcessStart } from './process-program.ts';

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
export interface AskOptions extends Pick<RequestOptions, 'signal' | 'onEvent'> {
  /** Time limit for the answer, or for the next items of a stream; null means no limit. */
  readonly ms: number | null;
  /** Names the work in the message of `cancelled`. */
  readonly operation?: string | undefined;
  /** How the timeout message begins: `it did not finish within`. */
  readonly late?: string | undefined;
  /** Whether a process that still responds keeps running when nobody waits for the answer any more. */
  readonly mayGoOn?: boolean | undefined;
}

const START_TIMEOUT_MS = 60_000;
/** How long a request may continue after its signal has fired. */
const GRACE_MS = 1000;
/** A process that does not answer a ping within this time is stuck. */
const PING_MS = 1000;

interface Running<Start, Request> {
  readonly process: LimitedProcess;
  readonly channel: Channel<Start | Request, ParentCall>;
  /** Settles when the process has started or has failed to. */
  readonly ready: Promise<unknown>;
  isReady: boolean;
}

/**
 * A process that runs plugins and answers requests, started on the first one. When it exits, is killed, or blocks past a time limit, its
 * pending requests fail with the reason, and the next request starts it again.
 */
export class HostProcess<Start extends ProcessStart, Request> {
  readonly #init: HostProcessInit<Start>;
  #running: Running<Start, Request> | null = null;
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
    return running.channel.ask(request, this.#limited(running, options));
  }

  /** Sends a request and yields the items of its answer. Throws like {@link HostProcess.ask}. */
  async *stream(request: Request, options: AskOptions): AsyncGenerator {
    const running = await this.#started(options);
    yield* running.channel.stream(request, this.#limited(running, options));
  }

  /** Waits for pending requests, up to a time limit and unless the process is stuck, and ends it. */
  async end(ms: number): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    const isDone = running.channel.settled();
    const isOver = async (): Promise<unknown> => (await this.#isStuck(running)) || isDone;
    if (ms > 0 && running.isReady)
      await withDeadline(() => Promise.race([isDone, isOver()]), { operation: 'closing', timeoutMs: ms }).catch(
        () => {},
      );
    this.#running = null;
    running.channel.end(new Error('it had not finished when kebab closed'));
    await running.process.end();
  }

  /**
   * Resolves to the process once it has started. Throws `cancelled`; the process then continues to start, since others may be waiting for
   * it.
   */
  async #started({ operation = 'the call', signal }: AskOptions): Promise<Running<Start, Request>> {
    const { maxCrashes = Infinity } = this.#init;
    if (this.#crashes >= maxCrashes)
      throw new Error(`it is switched off after ${maxCrashes} crashes: ${this.#lastCause}`);
    const running = (this.#running ??= this.#start());
    if (!running.isReady) await withDeadline(() => running.ready, { operation, signal });
    return running;
  }

  #start(): Running<Start, Request> {
    const { process: init, start } = this.#init.start();
    this.generation++;
    const process: LimitedProcess = new LimitedProcess(init, {
      onMessage: (message) => running.channel.take(message),
      onEnd: (cause) => this.#crashed(running, cause),
    });
    const channel = new Channel<Start | Request, ParentCall>({
      send: (message) => process.send(message),
      answer: ({ name, args }) => this.#init.onCall?.(name, args),
      onBusy: (isBusy) => (isBusy ? process.keepAlive() : process.rest()),
    });
    const late = (): Error => new Error(`its process did not start within ${START_TIMEOUT_MS / 1000} s`);
    const limits = { operation: 'starting', timeoutMs: START_TIMEOUT_MS, late };
    const ready = channel.ask(start, { limit: (work) => withDeadline(work, limits) });
    const running: Running<Start, Request> = { process, channel, ready, isReady: false };
    ready.then(
      () => (running.isReady = true),
      (error: unknown) => this.#crashed(running, error as Error),
    );
    return running;
  }

  #limited(running: Running<Start, Request>, options: AskOptions): RequestOptions {
    const { ms, operation = 'the call', late = 'it did not finish within', signal, mayGoOn = false, onEvent } = options;
    const onLate = (): Error => new Error(`${late} ${(ms ?? 0) / 1000} s`);
    const limits = { operation, signal, timeoutMs: ms, late: onLate, abortGraceMs: GRACE_MS };
    const limit = async (work: (stop: AbortSignal) => Promise<Outcome>): Promise<Outcome> => {
      try {
        const outcome = await withDeadline(work, limits);
        if (mayGoOn) this.#crashes = 0;
        return outcome;
      } catch (error) {
        void this.#onGivenUp(running, error, mayGoOn);
        throw error;
      }
    };
    return { onEvent, limit };
  }

  /** The caller no longer waits for the answer. If the process is stuck, it cannot answer other requests either. */
  async #onGivenUp(running: Running<Start, Request>, error: unknown, mayGoOn: boolean): Promise<void> {
    const cause = error instanceof Error ? error : new Error(String(error));
    if (!mayGoOn && !isAbort(error)) return this.#crashed(running, cause);
    if (await this.#isStuck(running)) this.#crashed(running, new Error('its process stopped responding'));
  }

  async #isStuck({ channel }: Running<Start, Request>): Promise<boolean> {
    try {
      await channel.ping({ limit: (work) => withDeadline(work, { operation: 'ping', timeoutMs: PING_MS }) });
      return false;
    } catch {
      return true;
    }
  }

  #crashed(running: Running<Start, Request>, cause: Error): void {
    if (this.#running !== running) return;
    this.#running = null;
    this.#crashes++;
    this.#lastCause = cause.message;
    running.process.kill();
    running.channel.end(cause);
  }
}
