import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { described } from '../plugin-failure.ts';
import { limitedFetch } from '../trust-policy.ts';
import {
  type FromProcess,
  type Outcome,
  type ProcessStart,
  type StreamItems,
  type ToProcess,
  outcomeAtOnce,
  outcomeOf,
  valueOf,
} from './channel.ts';

/** What a program receives besides its start parameters. */
export interface Parent {
  /** Calls the parent and returns its answer. */
  readonly call: (name: string, ...args: readonly unknown[]) => Promise<unknown>;
  /** Calls the parent without expecting an answer. Arguments that cannot be serialised are dropped with the call. */
  readonly report: (name: string, ...args: readonly unknown[]) => void;
  /** The share of its memory limit that the process uses. */
  readonly memoryShare: () => number;
}

/** The course of a request. */
export interface RequestCourse {
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Reports an event of the request. Arguments that cannot be serialised are dropped with the event. */
  readonly event: (name: string, ...args: readonly unknown[]) => void;
}

/** Answers requests. The answer to one that yields a stream is an async iterable. */
export type Answerer<Request> = (request: Request, course: RequestCourse) => unknown;

/** What a process is for; called once, before any plugin code is loaded. */
export type Program<Start extends ProcessStart, Request> = (start: Start, parent: Parent) => Answerer<Request>;

/**
 * Makes this process answer the requests of its parent, within its limits: it reports uncaught errors, leaves Ctrl-C to the parent, and ends
 * with it. None of this is accessible to plugin code.
 */
export function serveProcess<Start extends ProcessStart, Request>(open: Program<Start, Request>): void {
  const sendNow = process.send?.bind(process);
  if (sendNow === undefined) throw new Error('this file is the program of a process that kebab starts');
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the parent shuts it down in order
  process.once('uncaughtException', (error: unknown) => {
    sendNow({ kind: 'crashed', cause: described(error) } satisfies FromProcess, () => process.exit(1));
  });
  const served = new ServedProcess(open, (message) => void sendNow(message));
  process.on('message', (message) => served.onMessage(message as ToProcess<Start, Request>));
  Reflect.deleteProperty(process, 'send'); // libraries mistake a process that has it for one of their own workers
}

/** The maximum number of stream items sent together. */
const MAX_ITEMS = 256;

interface Stream {
  readonly iterator: AsyncIterator<unknown>;
  /** An item that was requested but has not arrived. */
  pending: Promise<IteratorResult<unknown>> | null;
}

class ServedProcess<Start extends ProcessStart, Request> {
  readonly #open: Program<Start, Request>;
  readonly #send: (message: FromProcess) => void;
  readonly #stops = new Map<number, AbortController>();
  readonly #streams = new Map<number, Stream>();
  readonly #calls = new Map<number, (outcome: Outcome) => void>();
  #answerer: Answerer<Request> | undefined;
  #lastCall = 0;

  constructor(open: Program<Start, Request>, send: (message: FromProcess) => void) {
    this.#open = open;
    this.#send = send;
  }

  onMessage(message: ToProcess<Start, Request>): void {
    switch (message.kind) {
      case 'start':
        return this.#start(message.start);
      case 'ask':
        return void this.#answer(message.id, () => this.#answerTo(message));
      case 'next':
        return void this.#answer(message.id, () => this.#next(message.stream));
      case 'ping':
        return void this.#answer(message.id, () => null);
      case 'abort':
        return this.#stops.get(message.id)?.abort(new DOMException('the call was cancelled', 'AbortError'));
      case 'stop':
        return void this.#forget(message.stream)
          ?.iterator.return?.()
          ?.catch(() => {});
      case 'answer':
        this.#calls.get(message.id)?.(message.outcome);
        this.#calls.delete(message.id);
        return;
      default:
        message satisfies never;
    }
  }

  #start(start: Start): void {
    if (start.hosts !== null) {
      restrictNetwork(start.hosts);
      adaptFileSystem();
    }
    this.#answerer = this.#open(start, {
      call: (name, ...args) => this.#call(name, args),
      report: (name, ...args) => this.#report({ kind: 'call', id: null, name, args }),
      memoryShare: startWatchdog(start),
    });
    this.#send({ kind: 'ready' });
  }

  async #answer(id: number, work: () => unknown): Promise<void> {
    const outcome = await outcomeOf(work);
    try {
      this.#send({ kind: 'answer', id, outcome });
    } catch (error) {
      const refuse = (): never => {
        throw new Error(`its answer cannot leave its process: ${(error as Error).message}`, { cause: error });
      };
      this.#send({ kind: 'answer', id, outcome: outcomeAtOnce(refuse) });
    }
  }

  async #answerTo({ id, request, isStream }: Extract<ToProcess<Start, Request>, { kind: 'ask' }>): Promise<unknown> {
    const stop = new AbortController();
    this.#stops.set(id, stop);
    const event: RequestCourse['event'] = (name, ...args) => this.#report({ kind: 'event', id, name, args });
    let isOpen = false;
    try {
      const answer = await this.#answerer?.(request, { signal: stop.signal, event });
      if (!isStream) return answer;
      this.#streams.set(id, { iterator: (answer as AsyncIterable<unknown>)[Symbol.asyncIterator](), pending: null });
      isOpen = true;
    } finally {
      if (!isOpen) this.#stops.delete(id);
    }
    return this.#next(id);
  }

  /** The next item, with following ones that are already available. */
  async #next(id: number): Promise<StreamItems> {
    const stream = this.#streams.get(id);
    if (stream === undefined) return { items: [], isOver: true };
    const items: unknown[] = [];
    const first = await (stream.pending ?? stream.iterator.next());
    stream.pending = null;
    let isOver = first.done === true;
    if (!isOver) items.push(first.value);
    while (!isOver && items.length < MAX_ITEMS) {
      const next = Promise.resolve(stream.iterator.next());
      next.catch(() => {}); // the next request reports the rejection
      const soon = await Promise.race([next.catch(() => null), aTurn()]);
      if (soon === null) {
        stream.pending = next;
        break;
      }
      isOver = soon.done === true;
      if (!isOver) items.push(soon.value);
    }
    if (isOver) this.#forget(id);
    return { items, isOver };
  }

  #forget(id: number): Stream | undefined {
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    this.#stops.delete(id);
    return stream;
  }

  async #call(name: string, args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#lastCall;
    const outcome = new Promise<Outcome>((resolve) => this.#calls.set(id, resolve));
    this.#send({ kind: 'call', id, name, args });
    return valueOf(await outcome);
  }

  #report(message: FromProcess): void {
    try {
      this.#send(message);
    } catch {
      // an argument that cannot be serialised
    }
  }
}

function aTurn(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => resolve(null)));
}

/**
 * Adapts functions of `node:fs` to a process under permissions, for libraries that do not expect them. Node rejects fsync even for writable
 * files: without it the data is still written, and only a power failure can lose it. `existsSync` throws for a file that may not be read:
 * it is a missing one instead, as libraries look for optional files everywhere.
 */
function adaptFileSystem(): void {
  for (const name of ['fsync', 'fdatasync'] as const) {
    fs[name] = ((_fd: number, done: fs.NoParamCallback) => void setImmediate(done, null)) as (typeof fs)['fsync'];
    fs[`${name}Sync`] = () => {};
  }
  const { existsSync } = fs;
  fs.existsSync = (file) => {
    try {
      return existsSync(file);
    } catch {
      return false;
    }
  };
  syncBuiltinESMExports();
}

/** Node's own fetch, before the global one is restricted. */
export const fetchAnything = globalThis.fetch;

/** Restricts the global network functions of the process to the declared hosts; the modules of Node are not restricted. */
function restrictNetwork(hosts: readonly string[]): void {
  globalThis.fetch = limitedFetch(hosts, fetchAnything);
  for (const name of ['WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
}

/** The text that the watchdog writes to standard error before it kills its process for exceeding its memory limit. */
export const MEMORY_MARK = 'kebab: memory limit';

/** At the fastest rate of allocation, some 100 MiB pass between two checks; a check takes 3 µs. */
const LOOK_MS = 50;
const BYTES_PER_MB = 1_048_576;

/**
 * Starts a thread that kills this process when it exceeds its memory limit or its parent has ended, even while native code or an endless
 * loop blocks the main thread. Returns a function that reports the share of the limit in use.
 *
 * The thread checks from inside because that works on every system, needs no program like `ps`, and continues while the parent is busy
 * writing.
 */
function startWatchdog({ memoryMb }: ProcessStart): () => number {
  const before = process.memoryUsage.rss();
  const limit = memoryMb * BYTES_PER_MB;
  const seen = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  const workerData = {
    seen,
    parent: process.ppid,
    maxRss: before + limit,
    everyMs: LOOK_MS,
    mark: `\n${MEMORY_MARK}\n`,
  };
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
  const { Worker } = process.getBuiltinModule('node:worker_threads'); // the parent process imports this file as well
  new Worker(PROGRAM, { eval: true, workerData, resourceLimits, env: {}, execArgv: [] }).unref();
  return () => ((seen[0] ?? 0) - before) / limit; // querying it directly takes a millisecond on a busy system
}

/** An orphaned process gets another parent pid; on systems that keep the old pid, signalling that pid fails. */
const PROGRAM = `
const { writeSync } = require('node:fs');
const { workerData: { seen, parent, maxRss, everyMs, mark } } = require('node:worker_threads');
const { memoryUsage } = process;
const end = () => process.kill(process.pid, 'SIGKILL');
const isOrphan = () => {
  if (process.ppid !== parent) return true;
  try { return !process.kill(parent, 0); } catch (error) { return error.code === 'ESRCH'; }
};
setInterval(() => {
  seen[0] = memoryUsage.rss();
  if (seen[0] > maxRss) { try { writeSync(2, mark); } finally { end(); } }
  if (isOrphan()) end();
}, everyMs);
`;
