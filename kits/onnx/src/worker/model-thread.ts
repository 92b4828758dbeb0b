import type { Worker } from 'node:worker_threads';
import { type AbortOptions, type EmbedInput, cancelled, withDeadline, throwIfCancelled } from '@kebab/core';
import { type TextModelSpec, loadTokenTable, type TextModel } from '../encode/text-model.ts';
import type { ModelAnswer, ModelInput, ModelProgram } from '../encode/load-model.ts';
import type { PairModelSpec, PassagePair } from '../encode/pair-model.ts';
import { disableTelemetry } from '../encode/telemetry.ts';
import { ModelStageError, type ModelStage, stageErrorOf } from '../encode/model-stage-error.ts';

/**
 * A model in its own thread, since running it blocks. The thread starts with the first call, and again with the next call after a failure;
 * when idle, it does not keep the process alive. Failures of the model are `ModelStageError`s.
 */
class KeptModel<Input extends ModelInput, Answer extends ModelAnswer> {
  readonly #program: ModelProgram;
  readonly #operation: string;
  #running: RunningModel | null = null;

  /** `operation` is named in the error of a cancelled call. */
  constructor(program: ModelProgram, operation: string) {
    this.#program = program;
    this.#operation = operation;
  }

  /** Whether a thread is running, so that the next call need not wait for its start. */
  get isRunning(): boolean {
    return this.#running?.isOver === false;
  }

  /** Loads the model if necessary, and returns the length of its outputs. */
  load(): Promise<{ readonly dimensions: number }> {
    return this.#start().loaded;
  }

  /**
   * One output for each input, in order. Calls are processed in order. A fired signal fails the call with `cancelled` as soon as the
   * current run of the model ends, at the latest after 800 ms.
   */
  async run(inputs: readonly Input[], { signal }: AbortOptions = {}): Promise<readonly Answer[]> {
    if (signal?.aborted === true) throw cancelled(this.#operation, signal.reason);
    return (await this.#start().run(inputs, signal)) as readonly Answer[];
  }

  /** Cancels running calls and frees the model. Waits until the thread has ended, unless the model is still loading. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.close();
  }

  #start(): RunningModel {
    if (this.#running === null || this.#running.isOver)
      this.#running = new RunningModel(this.#program, this.#operation);
    return this.#running;
  }
}

/** A model that embeds texts, in its own thread. */
export class ModelThread extends KeptModel<EmbedInput, Float32Array | null> {
  constructor(spec: TextModelSpec) {
    super({ kind: 'embed', spec }, 'embedding');
  }

  /** Like `run`: for each input a vector of length 1, or null for a text without known tokens. */
  embed(inputs: readonly EmbedInput[], options: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    return this.run(inputs, options);
  }
}

/** A cross-encoder in its own thread. */
export class PairThread extends KeptModel<PassagePair, readonly Float32Array[]> {
  readonly #answers: number;

  /** `operation` is named in the error of a cancelled call. */
  constructor(spec: PairModelSpec, operation: string) {
    super({ kind: 'judge', spec }, operation);
    this.#answers = spec.answers;
  }

  /**
   * Like `run`, the logits of each pair: for each part of its text (one, unless the text is too long to leave room for a passage) those of
   * every window of its passage.
   */
  async judge(
    pairs: readonly PassagePair[],
    options: AbortOptions = {},
  ): Promise<readonly (readonly (readonly Float32Array[])[])[]> {
    const answers = await this.run(pairs, options);
    return answers.map((parts) => parts.map((logits) => windowsOf(logits, this.#answers)));
  }
}

function windowsOf(logits: Float32Array, size: number): readonly Float32Array[] {
  return Array.from({ length: logits.length / size }, (_, n) => logits.subarray(n * size, (n + 1) * size));
}

/** How long a cancelled call waits for the current run of the model. */
const GRACE_MS = 800;

interface Job {
  readonly stop: Int32Array;
  readonly resolve: (answers: readonly ModelAnswer[]) => void;
  readonly reject: (error: Error) => void;
}

/** One thread with one model, from its start to its end. Failures of the model are {@link ModelStageError}s. */
class RunningModel {
  readonly #worker: Worker;
  readonly #operation: string;
  readonly #jobs = new Map<number, Job>();
  #lastJob = 0;
  #isOver = false;
  #isLoading = true;
  /** Settles when the model is loaded, or loading has failed. */
  readonly loaded: Promise<{ readonly dimensions: number }>;
  readonly #ended: Promise<void>;

  /** `operation` is named in the error of a cancelled call. */
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
        this.#isLoading = false;
        if (answer.kind === 'ready') resolve({ dimensions: answer.dimensions });
        else if (answer.kind === 'unusable') fail(errorOf(answer));
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

  /** Whether it accepts no more calls, because it was closed or its thread has failed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Like `KeptModel.run`. */
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

  /** Like `KeptModel.close`; the thread ends by itself. */
  async close(): Promise<void> {
    for (const { stop } of this.#jobs.values()) Atomics.store(stop, 0, 1);
    if (this.#isLoading) {
      this.#abandon(cancelled(this.#operation));
      return this.#worker.unref(); // nothing stops a load, and the process may end meanwhile
    }
    this.#isOver = true;
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
        return job?.reject(errorOf(answer));
      default:
        return answer satisfies never;
    }
  }

  /** Lets the process exit while the thread is idle. */
  #rest(): void {
    if (this.#jobs.size === 0 && !this.#isOver) this.#worker.unref();
  }

  #abandon(error: Error): void {
    if (!this.#isOver) this.#post({ kind: 'close' });
    this.#isOver = true;
    for (const { reject } of this.#jobs.values()) reject(error);
    this.#jobs.clear();
  }
}

function errorOf({ stage, message, hint }: ModelFailure): ModelStageError {
  return new ModelStageError(stage, message, { hint });
}

function startWorker(program: ModelProgram): Worker {
  // The worker's program is next to this file with the same extension: in the sources, in dist, in a bundle.
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  const url = new URL(`./model-worker${extension}`, import.meta.url);
  // Output of libraries must not get into the data on our stdout. It is not read, because reading would keep the process alive.
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads'); // loaded late: most searches start no thread
  disableTelemetry();
  return new Thread(url, { workerData: program, stdout: true, stderr: true });
}

/** Requests to the worker. The model is passed as `workerData`: a `ModelProgram`. */
export type WorkerRequest =
  | {
      readonly kind: 'run';
      readonly job: number;
      readonly inputs: readonly ModelInput[];
      /** Shared memory, set to 1 when the caller no longer waits for the job. */
      readonly stop: Int32Array;
    }
  /** Frees the model and ends, after earlier requests. */
  | { readonly kind: 'close' };

/** A {@link ModelStageError} as plain data. */
export interface ModelFailure {
  readonly stage: ModelStage;
  readonly message: string;
  readonly hint: string | undefined;
}

/** Responses of the worker: one for the model, one for each job in order. */
export type WorkerAnswer =
  | { readonly kind: 'ready'; readonly dimensions: number }
  | ({ readonly kind: 'unusable' } & ModelFailure)
  | { readonly kind: 'done'; readonly job: number; readonly answers: readonly ModelAnswer[] }
  | { readonly kind: 'stopped'; readonly job: number }
  | ({ readonly kind: 'failed'; readonly job: number } & ModelFailure);

/** A table of token vectors in the caller's thread, for short texts: it loads faster than a thread starts, but blocks the caller. */
export class InlineModel {
  readonly #spec: TextModelSpec;
  #model: Promise<TextModel> | null = null;

  constructor(spec: TextModelSpec) {
    this.#spec = spec;
  }

  /** Like `ModelThread.embed`; yields to other work of the thread between the pieces of a text. */
  async embed(inputs: readonly EmbedInput[], { signal }: AbortOptions = {}): Promise<readonly (Float32Array | null)[]> {
    throwIfCancelled(signal, 'embedding');
    this.#model ??= loadTokenTable(this.#spec);
    const model = await this.#model.catch((error: unknown) => {
      this.#model = null; // the files may exist next time
      throw error;
    });
    const { setImmediate } = await import('node:timers/promises');
    const checkpoint = async (): Promise<void> => {
      await setImmediate();
      throwIfCancelled(signal, 'embedding');
    };
    return model.embed(inputs, checkpoint).catch((error: unknown) => {
      throw signal?.aborted === true ? error : stageErrorOf(error, 'run');
    });
  }

  /** Frees the model. */
  async close(): Promise<void> {
    const model = await this.#model?.catch(() => null);
    this.#model = null;
    await model?.release();
  }
}
