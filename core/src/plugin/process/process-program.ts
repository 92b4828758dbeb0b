import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { isAbort } from '../../errors/abort.ts';
import { isKebabError, sendError, type SentError } from '../../errors/kebab-error.ts';
import { isMistake } from '../mistakes.ts';
import { deniedAccess, described } from '../plugin-failure.ts';
import { limitedFetch } from '../trust-policy.ts';
import { type Answerer, Channel, type ChannelMessage } from './channel.ts';

/** What every host process is started with; its program adds what it needs. */
export interface ProcessStart {
  /** The hosts that the global `fetch` of a sandboxed process may reach; null if unrestricted. */
  readonly hosts: readonly string[] | null;
  /** Memory limit in MiB, beyond the memory in use when it is ready. */
  readonly memoryMb: number;
}

/** What a process asks of its parent. */
export interface ParentCall {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What a program receives besides its start parameters. */
export interface Parent {
  /** Calls the parent and returns its answer. */
  readonly call: (name: string, ...args: readonly unknown[]) => Promise<unknown>;
  /** Calls the parent without expecting an answer. Arguments that cannot be serialised are dropped with the call. */
  readonly report: (name: string, ...args: readonly unknown[]) => void;
  /** The share of its memory limit that the process uses. */
  readonly memoryShare: () => number;
}

/** What a process is for; called once, before any plugin code is loaded. */
export type Program<Start extends ProcessStart, Request> = (start: Start, parent: Parent) => Answerer<Request>;

/**
 * Makes this process answer the requests of its parent, of which the first has the start parameters. It stays within its limits, reports
 * uncaught errors, leaves Ctrl-C to the parent, and ends with it. None of this is accessible to plugin code.
 */
export function serveProcess<Start extends ProcessStart, Request>(open: Program<Start, Request>): void {
  const sendNow = process.send?.bind(process);
  if (sendNow === undefined) throw new Error('this file is the program of a process that kebab starts');
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the parent shuts it down in order
  process.once('uncaughtException', (error: unknown) => {
    sendNow({ kind: 'crashed', cause: described(error) }, () => process.exit(1));
  });
  let answerer: Answerer<Request> | undefined;
  const channel: Channel<ParentCall, Start | Request> = new Channel({
    send: (message) => void sendNow(message),
    explain: explained,
    answer: (request, course) => {
      if (answerer !== undefined) return answerer(request as Request, course);
      answerer = start(request as Start);
      return null;
    },
  });
  const start = (parameters: Start): Answerer<Request> => {
    if (parameters.hosts !== null) {
      restrictNetwork(parameters.hosts);
      adaptFileSystem();
    }
    return open(parameters, {
      call: (name, ...args) => channel.ask({ name, args }),
      report: (name, ...args) => channel.tell({ name, args }),
      memoryShare: startWatchdog(parameters),
    });
  };
  process.on('message', (message) => channel.take(message as ChannelMessage));
  Reflect.deleteProperty(process, 'send'); // libraries mistake a process that has it for one of their own workers
}

/** An error in its form for the parent. Denied accesses and mistakes are explained here, because only the class of an error tells. */
export function explained(error: unknown): SentError {
  const sent = sendError(error);
  if (!(error instanceof Error) || isKebabError(error) || isAbort(error)) return sent;
  return { ...sent, message: deniedAccess(error) ?? (isMistake(error) ? described(error) : sent.message) };
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
