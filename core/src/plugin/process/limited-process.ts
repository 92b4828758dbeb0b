import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { ChannelMessage } from './channel.ts';
import { MEMORY_MARK } from './process-program.ts';
import type { ProcessSandbox } from './process-sandbox.ts';

/** How to start a process with limits. */
export interface ProcessInit {
  /** The file that it runs, and its arguments. */
  readonly url: URL;
  readonly args?: readonly string[];
  /** `process.env` of a process without a sandbox. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its heap limit, in MiB. Its program starts the watchdog that counts all other memory. */
  readonly memoryMb: number;
  /** The sandbox of third-party plugins; absent for bundled ones. */
  readonly sandbox?: ProcessSandbox | undefined;
}

/** Callbacks of a {@link LimitedProcess}. */
export interface ProcessListeners {
  /** Called with each message from its program. The process is killed if the callback throws. */
  readonly onMessage: (message: ChannelMessage) => void;
  /** Called once, when it has ended without being asked to. */
  readonly onEnd: (cause: Error) => void;
}

/** How much of the end of its standard error is kept, which may contain the reason why it ended. */
const KEPT_CHARS = 4000;
const DRAIN_MS = 500;

/** The processes that must not outlive this one. They share one listener: Node warns of a leak from the eleventh on. */
const running = new Set<ChildProcess>();

function killRunning(): void {
  for (const child of running) child.kill('SIGKILL');
}

function killAtExit(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', killRunning);
  running.add(child);
}

function leaveAtExit(child: ChildProcess): void {
  if (running.delete(child) && running.size === 0) process.off('exit', killRunning);
}

/** A process that runs plugins: it starts immediately, and never outlives this process. */
export class LimitedProcess {
  readonly #child: ChildProcess;
  readonly #memoryMb: number;
  readonly #listeners: ProcessListeners;
  #crash: string | null = null;
  #stderrTail = '';
  #isOver = false;

  constructor({ url, args = [], env, memoryMb, sandbox }: ProcessInit, listeners: ProcessListeners) {
    this.#memoryMb = memoryMb;
    this.#listeners = listeners;
    const { fork } = process.getBuiltinModule('node:child_process'); // a static import would load it for every ingest
    this.#child = fork(fileURLToPath(url), args, {
      serialization: 'advanced',
      // Standard output carries the program's own output, which must not be mixed with what a plugin prints.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...(sandbox?.env ?? env) },
      execArgv: [...ownFlags(), `--max-old-space-size=${memoryMb}`, ...(sandbox?.flags ?? [])],
    });
    killAtExit(this.#child);
    this.#listen();
  }

  /**
   * Sends a message. Throws for data that cannot be serialised; messages to a process that has ended are dropped, since it reports its end
   * anyway.
   */
  send(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => {});
  }

  /** Makes this process wait for it before exiting. */
  keepAlive(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** Lets this process exit without it. */
  rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    unref(this.#child.stderr);
  }

  /** Kills it at once; no further callbacks are called. */
  kill(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    leaveAtExit(this.#child);
    this.#child.kill('SIGKILL');
    this.#child.stderr?.destroy();
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }

  /** Kills it like {@link LimitedProcess.kill}, and waits until it has exited. */
  async end(): Promise<void> {
    this.kill();
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    await new Promise<void>((resolve) => {
      child.ref();
      child.once('exit', () => resolve());
    });
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (message: unknown) => this.#onMessage(message));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-KEPT_CHARS);
    });
    child.once('error', (error) => this.#ended(error));
    child.once('exit', (code, signal) => {
      const ended = (): void => this.#ended(this.#causeOf(code, signal));
      const drainTimer = setTimeout(ended, DRAIN_MS); // its own child processes may hold its standard error open
      child.once('close', () => {
        clearTimeout(drainTimer);
        ended();
      });
    });
  }

  /** Plugin code can send messages, too, with any content. */
  #onMessage(message: unknown): void {
    if (this.#isOver || typeof (message as { readonly kind?: unknown } | null)?.kind !== 'string') return;
    const { kind, cause } = message as { readonly kind: string; readonly cause?: unknown };
    if (kind === 'crashed') {
      this.#crash = String(cause);
      return;
    }
    try {
      this.#listeners.onMessage(message as ChannelMessage);
    } catch (error) {
      this.#ended(new Error('it sent what kebab cannot read', { cause: error }));
    }
  }

  #causeOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#crash !== null) return new Error(this.#crash);
    if (this.#stderrTail.includes(MEMORY_MARK) || /heap out of memory/.test(this.#stderrTail))
      return new Error(`it took more than ${this.#memoryMb} MiB of memory`);
    return new Error(signal === null ? `its process ended with code ${code}` : `its process was ended by ${signal}`);
  }

  #ended(cause: Error): void {
    if (this.#isOver) return;
    this.kill();
    this.#listeners.onEnd(cause);
  }
}

/** The Node flags of this process, unless they contain the program to run. */
function ownFlags(): readonly string[] {
  const isGivenByFlag = process.execArgv.some((flag) => /^(?:-[ep]+|--eval|--print)\b/.test(flag));
  return isGivenByFlag ? [] : process.execArgv;
}

function unref(stream: ChildProcess['stderr']): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}
