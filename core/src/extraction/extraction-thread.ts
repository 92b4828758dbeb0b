import { Worker } from 'node:worker_threads';
import { withDeadline } from '../errors/with-deadline.ts';
import { CRASH_STAGE } from '../plugin/crash-limit.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import type { Picture } from '../contracts/extractor.ts';
import type { Extraction, ExtractionJob, RenderJob } from './extraction-job.ts';
import type { ThreadFence } from './thread-fence.ts';
import { receiveError, type WorkerAnswer, type WorkerInit, type WorkerJob } from './worker-messages.ts';

/** How extraction threads are made and bounded. */
export interface ThreadOptions {
  /** The file that a thread runs: it calls `serveExtraction`. */
  readonly url: URL;
  readonly init: Omit<WorkerInit, 'hosts'>;
  /** Heap of a thread, in MiB. */
  readonly memoryMb: number;
  /** Time for one file. */
  readonly timeoutMs: number;
  /** What plugins that did not come with kebab find around them; left out for those that did. */
  readonly fence?: ThreadFence;
}

/** How long a cancelled run waits for the file in flight. */
const GRACE_MS = 800;

/**
 * What of a file dies young is collected in a few MiB as fast as in the 48 that a thread would take by itself, and then keep.
 */
const YOUNG_GENERATION_MB = 4;

/** The file a thread is busy with. */
interface CurrentFile {
  readonly answer: (answer: WorkerAnswer) => void;
  readonly fail: (cause: unknown) => void;
}

/** One thread at a time that extracts one file at a time; after a hang or a crash the next file gets a new thread. */
export class ExtractionThread {
  readonly #options: ThreadOptions;
  #worker: Worker | null = null;
  #current: CurrentFile | null = null;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Extracts a file. A thread that crashes, or is not done in time, fails this file as `plugin_failed`. */
  async extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    const answer = await this.#run({ kind: 'extract', job }, signal);
    if (answer.kind === 'extracted') return answer.extraction;
    throw new TypeError(`a file to be extracted was ${answer.kind}`);
  }

  /** Renders one picture of a file, within the same limits. */
  async render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    const answer = await this.#run({ kind: 'render', job }, signal);
    if (answer.kind === 'rendered') return answer.picture;
    throw new TypeError(`a picture to be rendered was ${answer.kind}`);
  }

  async #run(given: WorkerJob, signal: AbortSignal): Promise<Exclude<WorkerAnswer, { kind: 'failed' }>> {
    const worker = (this.#worker ??= this.#start());
    const { timeoutMs } = this.#options;
    let answer: WorkerAnswer;
    try {
      answer = await withDeadline(() => this.#ask(worker, given), {
        operation: 'ingest',
        signal,
        timeoutMs,
        late: () => failureOf(new Error(`it was not done after ${timeoutMs / 1000} s`), given),
        abortGraceMs: GRACE_MS,
      });
    } catch (error) {
      this.#discard(worker);
      throw error;
    } finally {
      this.#current = null;
      worker.unref();
    }
    if (answer.kind === 'failed') throw receiveError(answer.error);
    return answer;
  }

  #ask(worker: Worker, given: WorkerJob): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => {
      this.#current = { answer: resolve, fail: (cause) => reject(failureOf(cause, given)) };
      worker.ref();
      const bytes = new Uint8Array(given.job.bytes); // a copy that may be given away: small buffers share their memory
      worker.postMessage({ ...given, job: { ...given.job, bytes } }, [bytes.buffer]);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#current?.fail(new Error('extraction was closed'));
    this.#worker = null;
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = startWorker(this.#options);
    worker.stdout.resume(); // what a plugin prints must not reach the data on our stdout
    worker.stderr.resume();
    const fail = (cause: unknown): void => {
      if (worker === this.#worker) this.#current?.fail(cause);
      this.#discard(worker);
    };
    worker.on('message', (answer: WorkerAnswer) => {
      if (worker === this.#worker) this.#current?.answer(answer);
    });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`its thread ended with code ${code}`)));
    return worker;
  }

  #discard(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    void worker.terminate();
  }
}

/** A thread within its fence: Node 20 knows no permissions of a thread, and starts it with the rest of the fence. */
function startWorker({ url, init, memoryMb, fence }: ThreadOptions): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
  const workerData: WorkerInit = { ...init, hosts: fence?.hosts ?? null };
  const options = { workerData, resourceLimits, stdout: true, stderr: true };
  if (fence === undefined) return new Worker(url, options);
  const fenced = { ...options, env: fence.env };
  try {
    return new Worker(url, { ...fenced, execArgv: [...process.execArgv, ...fence.flags] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_INVALID_EXEC_ARGV') throw error;
    return new Worker(url, fenced);
  }
}

function failureOf(cause: unknown, given: WorkerJob): Error {
  const { workspacePath } = given.kind === 'extract' ? given.job.parts.asset : given.job.asset;
  const site = { plugin: given.job.plugin, kind: 'extractor', stage: CRASH_STAGE, path: workspacePath };
  return pluginFailure(cause, site);
}
