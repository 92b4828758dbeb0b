import { withDeadline } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { CRASH_STAGE } from '../plugin/crashes.ts';
import { pluginFailure } from '../plugin/plugin-failure.ts';
import { HostProcess } from '../plugin/process/host-process.ts';
import type { ProcessSandbox } from '../plugin/process/process-sandbox.ts';
import type { ExtractionStart } from './extraction-worker.ts';
import { ExtractionHost, type ExtractionRequest, type NamedPlugin, partiesOf } from './extraction-job.ts';

/** How the processes of a pool are started, limited and used. */
export interface PoolOptions {
  /** The program of a process; it calls `serveExtraction`. */
  readonly url: URL;
  /** `process.env` of processes without a sandbox. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly init: Omit<ExtractionStart, 'hosts' | 'tmpDir'>;
  /** The folder in which plugins of processes without a sandbox exchange files. */
  readonly tmpDir: string;
  /** Time limit for one file. */
  readonly timeoutMs: number;
  /** How many processes run at once with the same sandbox, and without one. */
  readonly processes: number;
  /** How long idle processes are kept; 30 s by default. */
  readonly idleMs?: number | undefined;
  /** What third-party plugins are restricted to; absent if there are none. */
  readonly thirdParty?: ThirdPartyExtraction | undefined;
}

/** Third-party plugins with extractors or chunkers, which run in sandboxes. */
export interface ThirdPartyExtraction {
  /** The names of the plugins. */
  readonly plugins: ReadonlySet<string>;
  /** The sandbox of processes in which these plugins take part in a job; called once per set of names. */
  readonly sandboxOf: (plugins: readonly string[]) => { readonly sandbox: ProcessSandbox; readonly tmpDir: string };
  /** Called for each failure in a sandbox, before it is rethrown. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Runs extractors and chunkers in processes, one job at a time in each. If a process crashes, exceeds its memory or its time limit, its job
 * fails and the next one gets a new process. Third-party plugins run in processes of their own, which may do only what the plugins that take
 * part in a job declare.
 */
export class ProcessPool extends ExtractionHost {
  readonly #options: PoolOptions;
  readonly #groups = new Map<string, ProcessGroup>();

  constructor(options: PoolOptions) {
    super();
    this.#options = options;
  }

  override async close(): Promise<void> {
    await Promise.all([...this.#groups.values()].map((group) => group.close()));
  }

  override async run(request: ExtractionRequest, signal: AbortSignal): Promise<unknown> {
    const { thirdParty } = this.#options;
    const { parties } = partiesOf(request);
    const names = parties.flatMap(({ plugin: { name } }) => (thirdParty?.plugins.has(name) === true ? [name] : []));
    try {
      return await this.#groupFor([...new Set(names)].toSorted()).run(request, signal);
    } catch (error) {
      if (names.length > 0) thirdParty?.onFailure(error);
      throw error;
    }
  }

  #groupFor(names: readonly string[]): ProcessGroup {
    const key = names.join('\n');
    let group = this.#groups.get(key);
    if (group === undefined) {
      const { init, tmpDir, thirdParty } = this.#options;
      const { sandbox, tmpDir: ownTmpDir = tmpDir } = names.length === 0 ? {} : (thirdParty?.sandboxOf(names) ?? {});
      group = new ProcessGroup(this.#options, {
        start: { ...init, tmpDir: ownTmpDir, hosts: sandbox?.hosts ?? null },
        sandbox,
      });
      this.#groups.set(key, group);
    }
    return group;
  }
}

type ExtractionProcess = HostProcess<ExtractionStart, ExtractionRequest>;

const IDLE_MS = 30_000;

/** Processes with the same sandbox, started on demand and ended after being idle for a while. */
class ProcessGroup {
  readonly #options: PoolOptions;
  readonly #processes: readonly ExtractionProcess[];
  /** Those without a job; the one that was used last is the last. */
  readonly #free: ExtractionProcess[];
  readonly #waiting = new Set<Waiting>();
  #idle: NodeJS.Timeout | undefined;

  constructor(
    options: PoolOptions,
    { start, sandbox }: { readonly start: ExtractionStart; readonly sandbox: ProcessSandbox | undefined },
  ) {
    const { url, env, init, processes } = options;
    this.#options = options;
    const process = { url, env, memoryMb: init.memoryMb, sandbox };
    this.#processes = Array.from({ length: processes }, () => new HostProcess({ start: () => ({ process, start }) }));
    this.#free = [...this.#processes];
  }

  /** Runs a job in the next free process. Throws `plugin_failed` if the process ends while working on it. */
  async run(request: ExtractionRequest, signal: AbortSignal): Promise<unknown> {
    const process = await this.#take(signal);
    let isFull = false;
    let chunking: NamedPlugin | null = null;
    try {
      return await process.ask(request, {
        ms: this.#options.timeoutMs,
        operation: 'ingest',
        signal,
        onEvent: (name, [value]) => {
          if (name === 'chunking') chunking = value as NamedPlugin;
          if (name === 'full') isFull = true;
        },
      });
    } catch (error) {
      throw isKebabError(error) ? error : crashOf(error, request, chunking);
    } finally {
      if (isFull) void process.end(0);
      this.#release(process);
    }
  }

  /** Ends the processes; their jobs fail, and so do those that wait for one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    for (const { fail } of this.#waiting) fail(new Error('extraction was closed'));
    this.#waiting.clear();
    await Promise.all(this.#processes.map((process) => process.end(0)));
  }

  /** Resolves to a free process. Throws `cancelled` when the signal fires while all are busy. */
  #take(signal: AbortSignal): Promise<ExtractionProcess> {
    clearTimeout(this.#idle);
    const free = this.#free.pop();
    if (free !== undefined) return Promise.resolve(free);
    const wait = (stop: AbortSignal): Promise<ExtractionProcess> =>
      new Promise((give, fail) => {
        const waiting = { give, fail };
        if (!stop.aborted) this.#waiting.add(waiting);
        stop.addEventListener('abort', () => this.#waiting.delete(waiting), { once: true });
      });
    return withDeadline(wait, { operation: 'ingest', signal });
  }

  #release(process: ExtractionProcess): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      return next.give(process);
    }
    this.#free.push(process);
    const { processes, idleMs = IDLE_MS } = this.#options;
    if (this.#free.length === processes) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }
}

/** A job for which no process is free. */
interface Waiting {
  readonly give: (process: ExtractionProcess) => void;
  readonly fail: (error: Error) => void;
}

/** The failure of the plugin that was running when a process ended: the chunker's, if that was running and is of another plugin. */
function crashOf(cause: unknown, request: ExtractionRequest, chunking: NamedPlugin | null): Error {
  const { parties, path } = partiesOf(request);
  const { kind, plugin } =
    request.kind === 'extract' && chunking !== null ? { kind: 'chunker', plugin: chunking } : parties[0];
  return pluginFailure(cause, { plugin, kind, stage: CRASH_STAGE, path });
}
