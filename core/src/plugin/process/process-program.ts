import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { described } from '../plugin-failure.ts';
import { limitedFetch } from '../trust-policy.ts';

/** Sends a message to the parent process. Throws for data that cannot be serialised. */
export type Send = (report: { readonly kind: string; readonly [member: string]: unknown }) => void;

/**
 * Sets this process up to run plugins for its parent: it handles the parent's messages, reports uncaught errors, leaves Ctrl-C to the
 * parent, and ends with it. None of this is accessible to plugin code.
 */
export function openChannel(onMessage: (message: unknown) => void): Send {
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error('this file is the program of a process that kebab starts');
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the parent shuts it down in order
  process.once('uncaughtException', (error: unknown) => {
    send({ kind: 'crashed', cause: described(error) }, () => process.exit(1));
  });
  process.on('message', onMessage);
  Reflect.deleteProperty(process, 'send'); // libraries mistake a process that has it for one of their own workers
  return (report) => void send(report);
}

/**
 * Adapts functions of `node:fs` to a process under permissions, for libraries that do not expect them. Node rejects fsync even for writable
 * files: without it the data is still written, and only a power failure can lose it. `existsSync` throws for a file that may not be read:
 * it is a missing one instead, as libraries look for optional files everywhere.
 */
export function adaptFileSystem(): void {
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
export function fenceNetwork(hosts: readonly string[]): void {
  globalThis.fetch = limitedFetch(hosts, fetchAnything);
  for (const name of ['WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
}

/** The text that the watchdog writes to standard error before it kills its process for exceeding its memory limit. */
export const MEMORY_MARK = 'kebab: memory limit';

/** The limits of the watchdog. */
interface WatchdogInit {
  /** Memory beyond what the process uses now, in MiB, native memory and buffers included. */
  readonly memoryMb: number;
}

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
export function startWatchdog({ memoryMb }: WatchdogInit): () => number {
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
