import { cancelled, KebabError, withDeadline } from '@kebab/core';
import { RecognitionWorker } from './recognition-worker.ts';

/** Limits of a pool of recognition workers. */
export interface PoolOptions {
  /** Maximum number of concurrent workers. */
  readonly workers: number;
  /** The timeout for one picture. */
  readonly timeoutMs: number;
}

/** The options for reading a picture. */
export interface PoolRequest {
  readonly languages: readonly string[];
  readonly folder: string;
  readonly signal: AbortSignal;
}

const START_MS = 60_000;
/** The memory of a worker never shrinks, so it is replaced after this many pictures. */
const PICTURES_A_WORKER = 40;
/** Workers that are idle for this long are terminated. */
const IDLE_MS = 20_000;

/** A worker and its number of uses. */
interface PooledWorker {
  readonly worker: RecognitionWorker;
  readonly uses: number;
}

/** Lends recognition workers, each to one picture at a time; one that hangs, fails or has been used often is replaced. */
export class RecognitionPool {
  readonly #options: PoolOptions;
  readonly #waiting: (() => void)[] = [];
  #idle: readonly PooledWorker[] = [];
  /** Settles when workers whose callers gave up during their start have ended. */
  #unwanted: Promise<unknown> = Promise.resolve();
  #open = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Errors: those of `use`, `timeout`, `cancelled`; after any of them the worker is terminated and replaced. */
  async use<T>(request: PoolRequest, use: (worker: RecognitionWorker) => Promise<T>): Promise<T> {
    await this.#turn(request.signal);
    let worker: RecognitionWorker | undefined;
    try {
      const pooled = await this.#take(request);
      worker = pooled.worker;
      const result = await this.#bounded(use(worker), request.signal);
      await this.#giveBack({ worker, uses: pooled.uses + 1 });
      return result;
    } catch (error) {
      await worker?.terminate();
      throw error;
    } finally {
      this.#leave();
    }
  }

  /** Terminates idle and abandoned workers; busy ones end with their pictures. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const idle = this.#idle;
    this.#idle = [];
    await Promise.all([this.#unwanted, ...idle.map(({ worker }) => worker.terminate())]);
  }

  /** Waits until a worker may be used. */
  async #turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled('ocr', signal.reason);
    if (this.#open >= this.#options.workers)
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(go), 1);
          reject(cancelled('ocr', signal.reason));
        };
        const go = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        this.#waiting.push(go);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    this.#open++;
    clearTimeout(this.#idleTimer);
  }

  #leave(): void {
    this.#open--;
    this.#waiting.shift()?.();
    if (this.#open === 0 && this.#idle.length > 0)
      this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS).unref();
  }

  async #take({ languages, folder, signal }: PoolRequest): Promise<PooledWorker> {
    const key = languages.join('+');
    const ready = this.#idle.find(({ worker }) => worker.languages === key);
    const others = this.#idle.filter(({ worker }) => worker.languages !== key);
    this.#idle = this.#idle.filter((one) => one !== ready && !others.includes(one));
    await Promise.all(others.map(({ worker }) => worker.terminate()));
    if (ready !== undefined) return ready;
    const starting = RecognitionWorker.start({ languages, folder, timeoutMs: START_MS });
    try {
      return { worker: await withDeadline(() => starting, { operation: 'ocr', signal }), uses: 0 };
    } catch (error) {
      const ended = starting.then((worker) => worker.terminate()).catch(() => {}); // `start` terminates a worker that does not start in time
      this.#unwanted = Promise.all([this.#unwanted, ended]);
      throw error;
    }
  }

  async #giveBack(used: PooledWorker): Promise<void> {
    if (used.uses >= PICTURES_A_WORKER) await used.worker.terminate();
    else this.#idle = [...this.#idle, used];
  }

  #bounded<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    const { timeoutMs } = this.#options;
    const late = (): Error =>
      new KebabError('timeout', `Tesseract did not finish within ${timeoutMs / 1000} s`, {
        details: { operation: 'ocr', after_ms: timeoutMs },
        hint: 'raise the limit with `kebab config set ocr.timeout_s SECONDS`, or leave the file out with a line in .kebabignore',
      });
    return withDeadline(() => work, { operation: 'ocr', signal, timeoutMs, late });
  }
}
