import type { Worker } from 'node:worker_threads';
import { cancelled, withDeadline } from '@kebab/core';
import type { ModelAnswer, ModelInput, ModelProgram } from '../encode/load-model.ts';
import { ModelStageError } from '../encode/model-stage-error.ts';
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts';

/** How long a cancelled call waits for the run of the model that is under way. */
const GRACE_MS = 800;

interface Job {
  readonly stop: Int32Array;
  readonly resolve: (answers: readonly ModelAnswer[]) => void;
  readonly reject: (error: Error) => void;
}

/** One thread with one model, from its start to its end. Failures of the model are {@link ModelStageError}s. */
export class RunningModel {
  readonly #worker: Worker;
  readonly #operation: string;
  readonly #jobs = new Map<number, Job>();
  #lastJob = 0;
  #isOver = false;
  /** Settles when the model is loaded, or cannot be. */
  readonly loaded: Promise<{ readonly dimensions: number }>;
  readonly #ended: Promise<void>;

  /** `operation` is what a cancelled call says was cancelled. */
  constructor(program: ModelProgram, operation: string) {
    this.#operation = operation;
    this.#worker = startWorker(program);
    const worker = this.#worker;
    this.#ended = new Promise((resolve) => void worker.once('exit', () => resolve()));
    this.loaded = new Promise((resolve, reject) => {
      const fail = (error: ModelStageError): void => {
        reject(error);
        this.#abandon(error);
      };
      worker.on('message', (answer: WorkerAnswer) => {
        if (answer.kind === 'ready') resolve({ dimensions: answer.dimensions });
        else if (answer.kind === 'unusable') fail(new ModelStageError(answer.stage, answer.message));
        else this.#settle(answer);
      });
      worker.on('error', ({ message }) => fail(new ModelStageError('run', message)));
      worker.on('exit', (code) => fail(new ModelStageError('run', `its thread ended with code ${code}`)));
    });
    this.loaded.then(
      () => this.#rest(),
      () => this.#rest(),
    );
  }

  /** Whether it takes no more calls: it was closed, or has failed as a whole. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** As `KeptModel.run`. */
  run(inputs: readonly ModelInput[], signal: AbortSignal | undefined): Promise<readonly ModelAnswer[]> {
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const job = ++this.#lastJob;
    const ask = (over: AbortSignal): Promise<readonly ModelAnswer[]> =>
      new Promise((resolve, reject) => {
        // The job stays in the list: the process must not end while the model runs.
        over.addEventListener('abort', () => Atomics.store(stop, 0, 1), { once: true });
        this.#jobs.set(job, { stop, resolve, reject });
        this.#worker.ref();
        this.#post({ kind: 'run', job, inputs, stop });
      });
    return withDeadline(ask, { operation: this.#operation, signal, abortGraceMs: GRACE_MS });
  }

  /** Stops what is under way, frees the model, and waits until the thread has ended by itself. */
  async close(): Promise<void> {
    this.#isOver = true;
    for (const { stop } of this.#jobs.values()) Atomics.store(stop, 0, 1);
    this.#worker.ref();
    this.#post({ kind: 'close' });
    await this.#ended;
  }

  #post(request: WorkerRequest): void {
    this.#worker.postMessage(request);
  }

  #settle(answer: Exclude<WorkerAnswer, { readonly kind: 'ready' | 'unusable' }>): void {
    const job = this.#jobs.get(answer.job);
    this.#jobs.delete(answer.job);
    this.#rest();
    switch (answer.kind) {
      case 'done':
        return job?.resolve(answer.answers);
      case 'stopped':
        return job?.reject(cancelled(this.#operation));
      case 'failed':
        return job?.reject(new ModelStageError(answer.stage, answer.message));
      default:
        return answer satisfies never;
    }
  }

  /** Idle, it does not keep the process alive. */
  #rest(): void {
    if (this.#jobs.size === 0 && !this.#isOver) this.#worker.unref();
  }

  #abandon(error: ModelStageError): void {
    if (!this.#isOver) this.#post({ kind: 'close' });
    this.#isOver = true;
    for (const { reject } of this.#jobs.values()) reject(error);
    this.#jobs.clear();
  }
}

function startWorker(program: ModelProgram): Worker {
  // The worker's program lies beside this file and has its extension: in the sources, in dist, in a bundle.
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  const url = new URL(`./model-worker${extension}`, import.meta.url);
  // What a library prints must not reach the data on our stdout. No one reads it: reading would keep the process alive.
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads'); // late: most searches start none
  return new Thread(url, { workerData: program, stdout: true, stderr: true });
}
