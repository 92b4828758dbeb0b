import { cancelled } from '../errors/abort.ts';
import type { Picture } from '../contracts/extractor.ts';
import type { Media } from '../domain/media.ts';
import { CRASH_STAGE } from '../plugin/limits.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import type {
  CutDocument,
  CutJob,
  EncodedExtraction,
  EncodingJob,
  Extraction,
  ExtractionHost,
  ExtractionJob,
  RenderJob,
  NamedPlugin,
} from './extraction-job.ts';
import { ExtractionProcess, type Assignment, type Outcome, type ProcessOptions } from './extraction-process.ts';
import { receiveError } from '../errors/kebab-error.ts';
import type { WorkerAnswer, WorkerJob } from './worker-messages.ts';

/** How many processes there are, and how they are used. */
export interface PoolOptions extends ProcessOptions {
  readonly processes: number;
  /** Whether small texts are sent many at a time. When a process ends over them, each of them is tried alone. */
  readonly batches?: boolean | undefined;
  /** How many processors the machine has. */
  readonly processors?: number | undefined;
  /** How long processes are kept for more work; 30 s by default. */
  readonly idleMs?: number | undefined;
}

/** How long a cancelled run waits for the files in flight. */
const GRACE_MS = 800;
const IDLE_MS = 30_000;

/** What is sent together, and how much a process has before it while the last documents are written. */
const MAX_BATCH_FILES = 32;
const MAX_BATCH_BYTES = 512 * 1024;
const MAX_DEPTH = 3;

/**
 * Sending texts to another process and documents back takes a fifth more processor time than reading them here, and frees the
 * thread that writes: worth it where a processor would have nothing to do otherwise.
 */
const MIN_PROCESSORS = 3;

/** Files that a process reads in a few milliseconds, the largest in less than a second. */
const LIGHT_MEDIA: ReadonlySet<Media> = new Set(['markdown', 'text']);
const MAX_LIGHT_BYTES = 1024 * 1024;

/** A number of extraction processes, each started when a file first needs it and ended when none has for a while. */
export class ProcessPool implements ExtractionHost {
  readonly takesTexts: boolean;
  readonly #options: PoolOptions;
  readonly #processes: readonly ExtractionProcess[];
  /** Processes that work on batches at a time: the calling thread writes what they make, and needs a processor for it. */
  readonly #maxBatching: number;
  readonly #alone: Entry[] = [];
  readonly #light: Entry[] = [];
  readonly #waiting = new Map<AbortSignal, Waiting>();
  #isScheduled = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    const { processes, processors = 1, batches = false } = options;
    this.#options = options;
    this.#maxBatching = Math.max(1, Math.min(processes, processors - 1));
    this.takesTexts = batches && processors >= MIN_PROCESSORS;
    this.#processes = Array.from({ length: processes }, () => new ExtractionProcess(options, () => this.#schedule()));
  }

  async extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    const answer = await this.#run({ kind: 'extract', job }, signal);
    if (answer.kind === 'extracted') return answer.extraction;
    throw new TypeError(`a file to be extracted was ${answer.kind}`);
  }

  async encode(job: EncodingJob, signal: AbortSignal): Promise<Extraction | EncodedExtraction> {
    const answer = await this.#run({ kind: 'encode', job }, signal);
    if (answer.kind === 'encoded') return answer.encoded;
    if (answer.kind === 'extracted') return answer.extraction;
    throw new TypeError(`a file to be encoded was ${answer.kind}`);
  }

  /** Renders one picture of a file, within the same limits. */
  async render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    const answer = await this.#run({ kind: 'render', job }, signal);
    if (answer.kind === 'rendered') return answer.picture;
    throw new TypeError(`a picture to be rendered was ${answer.kind}`);
  }

  async cut(job: CutJob, signal: AbortSignal): Promise<CutDocument> {
    const answer = await this.#run({ kind: 'cut', job }, signal);
    if (answer.kind === 'cut') return answer.cut;
    throw new TypeError(`a document to be cut was ${answer.kind}`);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    for (const entry of [...this.#alone.splice(0), ...this.#light.splice(0)])
      entry.settle({ kind: 'ended', cause: new Error('extraction was closed'), chunking: null });
    await Promise.all(this.#processes.map((process) => process.end()));
    clearTimeout(this.#idle);
  }

  /** The answer to a job. One that a process ends over fails as `plugin_failed`. */
  async #run(job: WorkerJob, signal: AbortSignal): Promise<Exclude<WorkerAnswer, { kind: 'failed' }>> {
    const waiting = this.#waitingFor(signal);
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      const entry: Entry = {
        job,
        waiting,
        settle: (outcome) => this.#settle(entry, outcome),
        resolve: (value) => {
          this.#forget(waiting, entry);
          resolve(value);
        },
        reject: (error) => {
          this.#forget(waiting, entry);
          reject(error);
        },
      };
      waiting.entries.add(entry);
      (this.#isLight(job) ? this.#light : this.#alone).push(entry);
      this.#schedule();
    });
    if (answer.kind === 'failed') throw receiveError(answer.error);
    return answer;
  }

  #isLight({ kind, job }: WorkerJob): boolean {
    if (this.#options.batches !== true || (kind !== 'extract' && kind !== 'encode')) return false;
    return job.bytes.length <= MAX_LIGHT_BYTES && LIGHT_MEDIA.has(job.parts.asset.mediaType.kind);
  }

  #settle(entry: Entry, outcome: Outcome): void {
    if (!entry.waiting.entries.has(entry)) return; // nothing waits for it any more
    switch (outcome.kind) {
      case 'answered':
        return entry.resolve(outcome.answer);
      case 'ended':
        return entry.reject(failureOf(outcome, entry.job));
      case 'suspected':
        this.#alone.push(entry);
        return this.#schedule();
      case 'untouched':
        (this.#isLight(entry.job) ? this.#light : this.#alone).unshift(entry);
        return this.#schedule();
      default:
        return outcome satisfies never;
    }
  }

  /** Work comes in one job at a time, and goes out together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#handOut();
    });
  }

  #handOut(): void {
    clearTimeout(this.#idle);
    for (let process = this.#free(); process !== undefined && this.#alone.length > 0; process = this.#free())
      process.give(this.#alone.splice(0, 1), 'alone');
    while (this.#light.length > 0) {
      const batch = this.#nextBatch();
      const process = this.#batching(batch.length < this.#light.length || isFull(batch));
      if (process === undefined) break;
      process.give(this.#light.splice(0, batch.length), 'batch');
    }
    const { idleMs = IDLE_MS } = this.#options;
    const isIdle = this.#processes.every(({ depth }) => depth === 0);
    if (isIdle && this.#processes.some(({ isRunning }) => isRunning))
      this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  /** A process without work, rather one that runs. */
  #free(): ExtractionProcess | undefined {
    const free = this.#processes.filter(({ depth }) => depth === 0);
    return free.find(({ isRunning }) => isRunning) ?? free[0];
  }

  /** A process for a batch: one that works on batches and can do with more, else a free one if there may be another. */
  #batching(isFullBatch: boolean): ExtractionProcess | undefined {
    const batching = this.#processes.filter((process) => process.depth > 0 && process.isBatching);
    const able = batching.filter(({ depth, isWorn }) => depth < MAX_DEPTH && !isWorn);
    if (batching.length < this.#maxBatching) return this.#free() ?? (isFullBatch ? least(able) : undefined);
    return isFullBatch ? least(able) : undefined;
  }

  #nextBatch(): readonly Entry[] {
    let bytes = 0;
    let files = 0;
    for (const { job } of this.#light) {
      bytes += sizeOf(job);
      if (files === MAX_BATCH_FILES || (files > 0 && bytes > MAX_BATCH_BYTES)) break;
      files++;
    }
    return this.#light.slice(0, files);
  }

  #waitingFor(signal: AbortSignal): Waiting {
    let waiting = this.#waiting.get(signal);
    if (waiting === undefined) {
      const entries = new Set<Entry>();
      const onAbort = (): void => void setTimeout(() => this.#giveUp(entries, signal), GRACE_MS);
      waiting = { signal, entries, onAbort };
      this.#waiting.set(signal, waiting);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    }
    return waiting;
  }

  #forget({ signal, entries, onAbort }: Waiting, entry: Entry): void {
    entries.delete(entry);
    if (entries.size > 0) return;
    signal.removeEventListener('abort', onAbort);
    this.#waiting.delete(signal);
  }

  /** A cancelled run waits no longer for its files. */
  #giveUp(entries: ReadonlySet<Entry>, signal: AbortSignal): void {
    const given = [...entries];
    for (const entry of given) entry.reject(cancelled('ingest', signal.reason));
    for (const queue of [this.#alone, this.#light])
      queue.splice(0, queue.length, ...queue.filter((entry) => !given.includes(entry)));
    for (const entry of given) for (const process of this.#processes) process.abandon(entry);
  }
}

/** A job with whoever waits for its answer. */
interface Entry extends Assignment {
  readonly waiting: Waiting;
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** What waits under one signal. */
interface Waiting {
  readonly signal: AbortSignal;
  readonly entries: Set<Entry>;
  readonly onAbort: () => void;
}

function isFull(batch: readonly Entry[]): boolean {
  return batch.length === MAX_BATCH_FILES;
}

function least(processes: readonly ExtractionProcess[]): ExtractionProcess | undefined {
  return processes.toSorted((a, b) => a.depth - b.depth)[0];
}

function sizeOf({ kind, job }: WorkerJob): number {
  return kind === 'cut' ? job.document.text.length : job.bytes.length;
}

function failureOf({ cause, chunking }: Extract<Outcome, { kind: 'ended' }>, given: WorkerJob): Error {
  const stage = CRASH_STAGE;
  if (given.kind === 'render')
    return pluginFailure(cause, {
      plugin: given.job.plugin,
      kind: 'extractor',
      stage,
      path: given.job.asset.workspacePath,
    });
  if (given.kind === 'cut')
    return pluginFailure(cause, {
      plugin: given.job.chunkerPlugin,
      kind: 'chunker',
      stage,
      path: given.job.document.workspacePath,
    });
  const { plugin, parts } = given.job;
  const site = chunking === null ? { plugin, kind: 'extractor' } : { plugin: chunking, kind: 'chunker' };
  return pluginFailure(cause, { ...site, stage, path: parts.asset.workspacePath });
}

/** What {@link DividedExtraction} divides the work between. */
interface DividedExtractionInit {
  /** Runs the plugins that need no fence. */
  readonly own: ExtractionHost;
  /** Makes what runs the others, in processes limited to what these declare; called once for each set of names. */
  readonly fenced: (plugins: readonly string[]) => ExtractionHost;
  /** Names of the plugins that run fenced. */
  readonly fencedPlugins: ReadonlySet<string>;
  /** Called for each failure of theirs; it is thrown as well. */
  readonly onFencedFailure: (error: unknown) => void;
}

/** Keeps fenced extractors and chunkers out of the processes of others, and out of each other's. */
export class DividedExtraction implements ExtractionHost {
  readonly #init: DividedExtractionInit;
  readonly #fenced = new Map<string, ExtractionHost>();

  constructor(init: DividedExtractionInit) {
    this.#init = init;
  }

  get takesTexts(): boolean {
    return this.#init.own.takesTexts ?? false;
  }

  extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    return this.#run([job.plugin, job.chunkerPlugin], (host) => host.extract(job, signal));
  }

  /** What comes out of a fence is looked at before it is written. */
  encode(job: EncodingJob, signal: AbortSignal): Promise<Extraction | EncodedExtraction> {
    return this.#run([job.plugin, job.chunkerPlugin], (host) =>
      host === this.#init.own && host.encode !== undefined ? host.encode(job, signal) : host.extract(job, signal),
    );
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    return this.#run([job.plugin], (host) => host.render(job, signal));
  }

  cut(job: CutJob, signal: AbortSignal): Promise<CutDocument> {
    return this.#run([job.chunkerPlugin], (host) => host.cut(job, signal));
  }

  async close(): Promise<void> {
    await Promise.all([this.#init.own, ...this.#fenced.values()].map((host) => host.close()));
  }

  async #run<T>(plugins: readonly NamedPlugin[], run: (host: ExtractionHost) => Promise<T>): Promise<T> {
    const { own, fencedPlugins, onFencedFailure } = this.#init;
    const names = plugins.map(({ name }) => name).filter((name) => fencedPlugins.has(name));
    if (names.length === 0) return run(own);
    try {
      return await run(this.#fencedHost([...new Set(names)].toSorted()));
    } catch (error) {
      onFencedFailure(error);
      throw error;
    }
  }

  #fencedHost(names: readonly string[]): ExtractionHost {
    const key = names.join('\n');
    let host = this.#fenced.get(key);
    if (host === undefined) {
      host = this.#init.fenced(names);
      this.#fenced.set(key, host);
    }
    return host;
  }
}
