import { cancelled } from '../errors/abort.ts';
import type { Picture } from '../contracts/extractor.ts';
import type { Media } from '../domain/media.ts';
import { CRASH_STAGE } from '../plugin/limits.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import type {
  ChunkedDocument,
  ChunkJob,
  Extraction,
  ExtractionHost,
  ExtractionJob,
  RenderJob,
  NamedPlugin,
} from './extraction-job.ts';
import { ExtractionProcess, type Assignment, type Outcome, type ProcessOptions } from './extraction-process.ts';
import { receiveError } from '../errors/kebab-error.ts';
import type { WorkerAnswer, WorkerJob } from './worker-messages.ts';

/** The number of processes of a pool, and how they are used. */
export interface PoolOptions extends ProcessOptions {
  readonly processes: number;
  /** Whether small texts are sent in batches. If a process ends during a batch, each of its files is retried alone. */
  readonly batches?: boolean | undefined;
  /** The number of processors of the machine. */
  readonly processors?: number | undefined;
  /** How long idle processes are kept; 30 s by default. */
  readonly idleMs?: number | undefined;
}

/** How long a cancelled run waits for the files in flight. */
const GRACE_MS = 800;
const IDLE_MS = 30_000;

/** Limits of a batch, and the number of batches queued in a process so that it stays busy while documents are written. */
const MAX_BATCH_FILES = 32;
const MAX_BATCH_BYTES = 512 * 1024;
const MAX_DEPTH = 3;

/**
 * Sending texts to another process and documents back takes a fifth more processor time than reading them on the calling thread, but
 * frees the thread that writes. That is worthwhile only if a processor would otherwise be idle.
 */
const MIN_PROCESSORS = 3;

/** Files that take a few milliseconds to read, and less than a second at the maximum size. */
const LIGHT_MEDIA: ReadonlySet<Media> = new Set(['markdown', 'text']);
const MAX_LIGHT_BYTES = 1024 * 1024;

/** A fixed number of extraction processes, started on demand and ended after being idle for a while. */
export class ProcessPool implements ExtractionHost {
  readonly takesTexts: boolean;
  readonly #options: PoolOptions;
  readonly #processes: readonly ExtractionProcess[];
  /** The maximum number of processes that work on batches: one processor is left for the calling thread, which writes. */
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

  /** Renders one picture of a file, with the same limits. */
  async render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    const answer = await this.#run({ kind: 'render', job }, signal);
    if (answer.kind === 'rendered') return answer.picture;
    throw new TypeError(`a picture to be rendered was ${answer.kind}`);
  }

  async cut(job: ChunkJob, signal: AbortSignal): Promise<ChunkedDocument> {
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

  /** Resolves to the answer to a job. Rejects with `plugin_failed` if the process ends while working on it. */
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
    if (this.#options.batches !== true || kind !== 'extract') return false;
    return job.bytes.length <= MAX_LIGHT_BYTES && LIGHT_MEDIA.has(job.parts.asset.mediaType.kind);
  }

  #settle(entry: Entry, outcome: Outcome): void {
    if (!entry.waiting.entries.has(entry)) return; // its caller has given up
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

  /** Deferred, so that jobs that are added one by one are sent together. */
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

  /** An idle process, preferably one that is already running. */
  #free(): ExtractionProcess | undefined {
    const free = this.#processes.filter(({ depth }) => depth === 0);
    return free.find(({ isRunning }) => isRunning) ?? free[0];
  }

  /** A process for a batch: an idle one while the limit for batches allows, else, for a full batch, the least busy batching one. */
  #batching(isFullBatch: boolean): ExtractionProcess | undefined {
    const batching = this.#processes.filter((process) => process.depth > 0 && process.isBatching);
    const able = batching.filter(({ depth, shouldRestart }) => depth < MAX_DEPTH && !shouldRestart);
    if (batching.length < this.#maxBatching) return this.#free() ?? (isFullBatch ? leastBusy(able) : undefined);
    return isFullBatch ? leastBusy(able) : undefined;
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

  /** Rejects the jobs of a cancelled run, and ends the processes that work on them. */
  #giveUp(entries: ReadonlySet<Entry>, signal: AbortSignal): void {
    const cancelledEntries = [...entries];
    for (const entry of cancelledEntries) entry.reject(cancelled('ingest', signal.reason));
    for (const queue of [this.#alone, this.#light])
      queue.splice(0, queue.length, ...queue.filter((entry) => !cancelledEntries.includes(entry)));
    for (const entry of cancelledEntries) for (const process of this.#processes) process.abandon(entry);
  }
}

/** A queued or running job, with the promise of its caller. */
interface Entry extends Assignment {
  readonly waiting: Waiting;
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** The unfinished jobs that share an abort signal. */
interface Waiting {
  readonly signal: AbortSignal;
  readonly entries: Set<Entry>;
  readonly onAbort: () => void;
}

function isFull(batch: readonly Entry[]): boolean {
  return batch.length === MAX_BATCH_FILES;
}

function leastBusy(processes: readonly ExtractionProcess[]): ExtractionProcess | undefined {
  return processes.toSorted((a, b) => a.depth - b.depth)[0];
}

function sizeOf({ kind, job }: WorkerJob): number {
  return kind === 'cut' ? job.document.text.length : job.bytes.length;
}

function failureOf({ cause, chunking }: Extract<Outcome, { kind: 'ended' }>, message: WorkerJob): Error {
  const stage = CRASH_STAGE;
  if (message.kind === 'render')
    return pluginFailure(cause, {
      plugin: message.job.plugin,
      kind: 'extractor',
      stage,
      path: message.job.asset.workspacePath,
    });
  if (message.kind === 'cut')
    return pluginFailure(cause, {
      plugin: message.job.chunkerPlugin,
      kind: 'chunker',
      stage,
      path: message.job.document.workspacePath,
    });
  const { plugin, parts } = message.job;
  const site = chunking === null ? { plugin, kind: 'extractor' } : { plugin: chunking, kind: 'chunker' };
  return pluginFailure(cause, { ...site, stage, path: parts.asset.workspacePath });
}

/** The dependencies of {@link DividedExtraction}. */
interface DividedExtractionInit {
  /** Runs plugins that need no fence. */
  readonly own: ExtractionHost;
  /** Creates a host for fenced plugins, whose processes may do only what these declare; called once per set of names. */
  readonly fenced: (plugins: readonly string[]) => ExtractionHost;
  /** Names of the plugins that run fenced. */
  readonly fencedPlugins: ReadonlySet<string>;
  /** Called for each failure of a fenced host, before it is rethrown. */
  readonly onFencedFailure: (error: unknown) => void;
}

/** Runs fenced extractors and chunkers in separate processes, one host per set of plugins that take part in a job. */
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

  render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    return this.#run([job.plugin], (host) => host.render(job, signal));
  }

  cut(job: ChunkJob, signal: AbortSignal): Promise<ChunkedDocument> {
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
