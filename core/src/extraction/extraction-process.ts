import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NamedPlugin } from './extraction-job.ts';
import type { ProcessFence } from './process-fence.ts';
import {
  MEMORY_MARK,
  type WorkerAnswer,
  type WorkerInit,
  type WorkerJob,
  type WorkerReport,
} from './worker-messages.ts';

/** How extraction processes are made and bounded. */
export interface ProcessOptions {
  /** The file that a process runs: it calls `serveExtraction`. */
  readonly url: URL;
  /** `process.env` of those without a fence. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly init: Omit<WorkerInit, 'hosts'>;
  /** Time for one file. */
  readonly timeoutMs: number;
  /** What plugins that did not come with kebab find around them; left out for those that did. */
  readonly fence?: ProcessFence;
}

/** What becomes of a job that was given to a process. */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: WorkerAnswer }
  /** The process ended, or had to be ended, over it; `chunking` when it was a chunker's turn that is of another plugin. */
  | { readonly kind: 'ended'; readonly cause: Error; readonly chunking: NamedPlugin | null }
  /** The process ended over it, or over another job that came with it. */
  | { readonly kind: 'suspected' }
  /** The process ended before it came to it. */
  | { readonly kind: 'untouched' };

/** A job for a process. */
export interface Assignment {
  readonly job: WorkerJob;
  /** Called once, unless the process is ended by {@link ExtractionProcess.end}. */
  readonly settle: (outcome: Outcome) => void;
}

/** Several files together take milliseconds; if they do not, each gets its full time alone. */
const BATCH_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;
/** The end of what a process wrote on its standard error, where it may stand why it ended. */
const KEPT_CHARS = 4000;
const LAST_WORDS_MS = 500;

/**
 * One process at a time that works on what it is given in order. When it ends, is ended for its memory, or is late, the job
 * that it was at has failed, and the next job gets a new process.
 */
export class ExtractionProcess {
  readonly #options: ProcessOptions;
  readonly #onFree: () => void;
  #child: ChildProcess | null = null;
  #isReady = false;
  #isWorn = false;
  #isBatching = false;
  #chunking: NamedPlugin | null = null;
  #crash: string | null = null;
  #lastWords = '';
  #given: (readonly Assignment[])[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #killAtExit = (): void => void this.#child?.kill('SIGKILL');

  /** `onFree` is called whenever it may take more. */
  constructor(options: ProcessOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  /** How many batches it has not answered. */
  get depth(): number {
    return this.#given.length;
  }

  get isRunning(): boolean {
    return this.#child !== null;
  }

  /** Whether it is to be given no more before it is through, because memory of earlier files stays taken. */
  get isWorn(): boolean {
    return this.#isWorn;
  }

  /** Whether what it was given last is one of several batches that wait for each other. */
  get isBatching(): boolean {
    return this.#isBatching;
  }

  /** Has it work on a batch, after those that it has. */
  give(batch: readonly Assignment[], how: 'alone' | 'batch'): void {
    const child = (this.#child ??= this.#start());
    this.#isBatching = how === 'batch';
    this.#given.push(batch);
    this.#keepAlive(child);
    child.send({ kind: 'work', jobs: batch.map(({ job }) => job) }, () => {}); // one that cannot be sent to ends as well
    if (this.#given.length === 1) this.#watch();
  }

  /** Ends the process if it has a job, for which nothing waits any more. */
  abandon(assignment: Assignment): void {
    if (!this.#given.some((batch) => batch.includes(assignment))) return;
    const given = this.#given.flat();
    this.#given = [];
    this.#kill();
    for (const one of given) if (one !== assignment) one.settle({ kind: 'untouched' });
    this.#onFree();
  }

  /** Ends the process; what it was at fails. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#failed(new Error('extraction was closed'));
    if (child.exitCode === null && child.signalCode === null)
      await new Promise<void>((resolve) => {
        child.ref();
        child.once('exit', () => resolve());
      });
  }

  #start(): ChildProcess {
    const { url, env, init, fence } = this.#options;
    const child = fork(fileURLToPath(url), [], {
      serialization: 'advanced',
      // Standard output carries the data of the program, and what a process of plugins prints must not reach it.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...(fence?.env ?? env) },
      execArgv: [...ownFlags(), `--max-old-space-size=${init.memoryMb}`, ...(fence?.flags ?? [])],
    });
    const isCurrent = (): boolean => child === this.#child;
    child.on('message', (report: WorkerReport) => {
      if (isCurrent()) this.#heard(report);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (isCurrent()) this.#lastWords = (this.#lastWords + text).slice(-KEPT_CHARS);
    });
    child.once('error', (error) => {
      if (isCurrent()) this.#failed(error);
    });
    child.once('exit', (code, signal) => {
      const failed = (): void => {
        if (isCurrent()) this.#failed(this.#causeOf(code, signal));
      };
      const patience = setTimeout(failed, LAST_WORDS_MS); // what it started may hold its standard error open
      child.once('close', () => {
        clearTimeout(patience);
        failed();
      });
    });
    process.on('exit', this.#killAtExit);
    const message: WorkerInit = { ...init, hosts: fence?.hosts ?? null };
    child.send({ kind: 'init', init: message }, () => {});
    return child;
  }

  #heard(report: WorkerReport): void {
    switch (report.kind) {
      case 'ready':
        this.#isReady = true;
        return this.#watch();
      case 'chunking':
        this.#chunking = report.plugin;
        return;
      case 'crashed':
        this.#crash = report.cause;
        return;
      case 'answers': {
        const batch = this.#given.shift() ?? [];
        this.#chunking = null;
        this.#isWorn = report.isWorn;
        if (this.#given.length > 0) this.#watch();
        else this.#rest();
        for (const [at, { settle }] of batch.entries()) {
          const answer = report.answers[at];
          settle(answer === undefined ? { kind: 'untouched' } : { kind: 'answered', answer });
        }
        return this.#onFree();
      }
      default:
        return report satisfies never;
    }
  }

  /** Gives the batch that it is at its time. */
  #watch(): void {
    clearTimeout(this.#timer);
    const [batch] = this.#given;
    if (batch === undefined) return;
    const { timeoutMs } = this.#options;
    const isAlone = batch.length === 1;
    const ms = !this.#isReady ? START_TIMEOUT_MS : isAlone ? timeoutMs : Math.min(timeoutMs, BATCH_TIMEOUT_MS);
    const what = this.#isReady ? 'it was not done' : 'its process did not start';
    this.#timer = setTimeout(() => this.#failed(new Error(`${what} after ${ms / 1000} s`)), ms);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null) return;
    if (this.#isWorn) return this.#kill();
    child.unref();
    child.channel?.unref();
    unref(child.stderr);
  }

  #keepAlive(child: ChildProcess): void {
    child.ref();
    child.channel?.ref();
  }

  #causeOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#crash !== null) return new Error(this.#crash);
    if (this.#lastWords.includes(MEMORY_MARK) || /heap out of memory/.test(this.#lastWords))
      return new Error(`it took more than ${this.#options.init.memoryMb} MiB of memory`);
    return new Error(signal === null ? `its process ended with code ${code}` : `its process was ended by ${signal}`);
  }

  #failed(cause: Error): void {
    const [at = [], ...later] = this.#given;
    const chunking = this.#chunking;
    this.#given = [];
    this.#kill();
    for (const one of later.flat()) one.settle({ kind: 'untouched' });
    for (const { settle } of at) settle(at.length === 1 ? { kind: 'ended', cause, chunking } : { kind: 'suspected' });
    this.#onFree();
  }

  #kill(): void {
    const child = this.#child;
    clearTimeout(this.#timer);
    process.off('exit', this.#killAtExit);
    this.#child = null;
    this.#isReady = false;
    this.#isWorn = false;
    this.#chunking = null;
    this.#crash = null;
    this.#lastWords = '';
    if (child === null) return;
    child.kill('SIGKILL');
    child.stderr?.destroy();
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** The flags of this process, unless they hold the program that it runs. */
function ownFlags(): readonly string[] {
  const isGivenByFlag = process.execArgv.some((flag) => /^(?:-[ep]+|--eval|--print)\b/.test(flag));
  return isGivenByFlag ? [] : process.execArgv;
}

function unref(stream: ChildProcess['stderr']): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}
