import { LimitedProcess, type ProcessFence } from '../plugin/process/limited-process.ts';
import type { NamedPlugin } from './extraction-job.ts';
import type { WorkerAnswer, WorkerInit, WorkerJob, WorkerReport } from './worker-messages.ts';

/** How extraction processes are started and limited. */
export interface ProcessOptions {
  /** The program of a process; it calls `serveExtraction`. */
  readonly url: URL;
  /** `process.env` of processes without a fence. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly init: Omit<WorkerInit, 'hosts'>;
  /** Time limit for one file. */
  readonly timeoutMs: number;
  /** The restrictions of third-party plugins; absent for built-in ones. */
  readonly fence?: ProcessFence;
}

/** What happened to a job that was given to a process. */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: WorkerAnswer }
  /** The process ended, or was ended, while working on it; `chunking` is the chunker's plugin if that was running and differs. */
  | { readonly kind: 'ended'; readonly cause: Error; readonly chunking: NamedPlugin | null }
  /** The process ended while working on it or on another job of the same batch. */
  | { readonly kind: 'suspected' }
  /** The process ended before reaching it. */
  | { readonly kind: 'untouched' };

/** A job given to a process, with its callback. */
export interface Assignment {
  readonly job: WorkerJob;
  /** Called once, unless the process is ended by {@link ExtractionProcess.end}. */
  readonly settle: (outcome: Outcome) => void;
}

/** A batch of small files takes milliseconds; if it takes this long, each file is retried alone with the full time limit. */
const BATCH_TIMEOUT_MS = 10_000;
const START_TIMEOUT_MS = 60_000;

/**
 * Runs jobs in order, in one process at a time. If the process crashes, exceeds its memory or its time limit, the current job fails and
 * the next one gets a new process.
 */
export class ExtractionProcess {
  readonly #options: ProcessOptions;
  readonly #onFree: () => void;
  #process: LimitedProcess<WorkerReport> | null = null;
  #isReady = false;
  #shouldRestart = false;
  #isBatching = false;
  #chunking: NamedPlugin | null = null;
  #batches: (readonly Assignment[])[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `onFree` is called whenever it can accept more jobs. */
  constructor(options: ProcessOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  /** The number of unanswered batches. */
  get depth(): number {
    return this.#batches.length;
  }

  get isRunning(): boolean {
    return this.#process !== null;
  }

  /** Whether it should get no more jobs and be replaced when done, because it retains memory of earlier files. */
  get shouldRestart(): boolean {
    return this.#shouldRestart;
  }

  /** Whether its last jobs were given as a batch rather than alone. */
  get isBatching(): boolean {
    return this.#isBatching;
  }

  /** Queues a batch, starting a process if necessary. */
  give(batch: readonly Assignment[], how: 'alone' | 'batch'): void {
    const process = (this.#process ??= this.#start());
    this.#isBatching = how === 'batch';
    this.#batches.push(batch);
    process.keepAlive();
    process.send({ kind: 'work', jobs: batch.map(({ job }) => job) });
    if (this.#batches.length === 1) this.#watch();
  }

  /** Ends the process if it has a job whose caller has given up; its other jobs are settled as untouched. */
  abandon(assignment: Assignment): void {
    if (!this.#batches.some((batch) => batch.includes(assignment))) return;
    const assignments = this.#batches.flat();
    this.#batches = [];
    this.#kill();
    for (const one of assignments) if (one !== assignment) one.settle({ kind: 'untouched' });
    this.#onFree();
  }

  /** Ends the process; its current job fails. */
  async end(): Promise<void> {
    const process = this.#process;
    if (process === null) return;
    this.#failed(new Error('extraction was closed'));
    await process.end();
  }

  #start(): LimitedProcess<WorkerReport> {
    const { url, env, init, fence } = this.#options;
    const process: LimitedProcess<WorkerReport> = new LimitedProcess(
      { url, env, memoryMb: init.memoryMb, fence },
      {
        onReport: (report) => this.#onReport(report),
        onEnd: (cause) => this.#failed(cause),
      },
    );
    process.send({ kind: 'init', init: { ...init, hosts: fence?.hosts ?? null } satisfies WorkerInit });
    return process;
  }

  #onReport(report: WorkerReport): void {
    switch (report.kind) {
      case 'ready':
        this.#isReady = true;
        return this.#watch();
      case 'chunking':
        this.#chunking = report.plugin;
        return;
      case 'answers': {
        if (!Array.isArray(report.answers)) throw new TypeError('answers must be a list');
        const batch = this.#batches.shift() ?? [];
        this.#chunking = null;
        this.#shouldRestart = report.shouldRestart;
        if (this.#batches.length > 0) this.#watch();
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

  /** Starts the timer for the current batch. */
  #watch(): void {
    clearTimeout(this.#timer);
    const [batch] = this.#batches;
    if (batch === undefined) return;
    const { timeoutMs } = this.#options;
    const isAlone = batch.length === 1;
    const ms = !this.#isReady ? START_TIMEOUT_MS : isAlone ? timeoutMs : Math.min(timeoutMs, BATCH_TIMEOUT_MS);
    const what = this.#isReady ? 'it did not finish' : 'its process did not start';
    this.#timer = setTimeout(() => this.#failed(new Error(`${what} within ${ms / 1000} s`)), ms);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    if (this.#shouldRestart) return this.#kill();
    this.#process?.rest();
  }

  #failed(cause: Error): void {
    const [at = [], ...later] = this.#batches;
    const chunking = this.#chunking;
    this.#batches = [];
    this.#kill();
    for (const one of later.flat()) one.settle({ kind: 'untouched' });
    for (const { settle } of at) settle(at.length === 1 ? { kind: 'ended', cause, chunking } : { kind: 'suspected' });
    this.#onFree();
  }

  #kill(): void {
    clearTimeout(this.#timer);
    this.#process?.kill();
    this.#process = null;
    this.#isReady = false;
    this.#shouldRestart = false;
    this.#chunking = null;
  }
}
