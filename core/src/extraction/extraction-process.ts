import { LimitedProcess, type ProcessFence } from '../plugin/process/limited-process.ts';
import type { NamedPlugin } from './extraction-job.ts';
import type { WorkerAnswer, WorkerInit, WorkerJob, WorkerReport } from './worker-messages.ts';

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

/**
 * One process at a time that works on what it is given in order. When it ends, is ended for its memory, or is late, the job
 * that it was at has failed, and the next job gets a new process.
 */
export class ExtractionProcess {
  readonly #options: ProcessOptions;
  readonly #onFree: () => void;
  #process: LimitedProcess<WorkerReport> | null = null;
  #isReady = false;
  #isWorn = false;
  #isBatching = false;
  #chunking: NamedPlugin | null = null;
  #given: (readonly Assignment[])[] = [];
  #timer: NodeJS.Timeout | undefined;

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
    return this.#process !== null;
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
    const process = (this.#process ??= this.#start());
    this.#isBatching = how === 'batch';
    this.#given.push(batch);
    process.keepAlive();
    process.send({ kind: 'work', jobs: batch.map(({ job }) => job) });
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
        onReport: (report) => this.#heard(report),
        onEnd: (cause) => this.#failed(cause),
      },
    );
    process.send({ kind: 'init', init: { ...init, hosts: fence?.hosts ?? null } satisfies WorkerInit });
    return process;
  }

  #heard(report: WorkerReport): void {
    switch (report.kind) {
      case 'ready':
        this.#isReady = true;
        return this.#watch();
      case 'chunking':
        this.#chunking = report.plugin;
        return;
      case 'answers': {
        if (!Array.isArray(report.answers)) throw new TypeError('answers are a list');
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
    if (this.#isWorn) return this.#kill();
    this.#process?.rest();
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
    clearTimeout(this.#timer);
    this.#process?.kill();
    this.#process = null;
    this.#isReady = false;
    this.#isWorn = false;
    this.#chunking = null;
  }
}
