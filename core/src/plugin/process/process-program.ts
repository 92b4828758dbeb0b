import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { firstLine } from '../plugin-failure.ts';
import { limitedFetch } from '../trust-policy.ts';

/** Sends something to the process that started this one. Throws for what cannot be sent. */
export type Send = (report: { readonly kind: string; readonly [member: string]: unknown }) => void;

/**
 * Makes this process one that runs plugins for the process that started it: it hears its messages, sends it an error that nothing
 * catches, leaves Ctrl-C to it, and ends with it. Code of plugins finds none of that at hand.
 */
export function openChannel(onMessage: (message: unknown) => void): Send {
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error('this file is the program of a process that kebab starts');
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the parent ends it in order
  process.once('uncaughtException', (error: unknown) => {
    send({ kind: 'crashed', cause: firstLine(error) }, () => process.exit(1));
  });
  process.on('message', onMessage);
  Reflect.deleteProperty(process, 'send'); // libraries take a process that has it for one of theirs
  return (report) => void send(report);
}

/**
 * Under permissions Node refuses to wait for the disk, whatever may be written. Libraries that write a file whole do that, and
 * what is written is there without: only a power cut can lose it.
 */
export function writeWithoutWaiting(): void {
  for (const name of ['fsync', 'fdatasync'] as const) {
    fs[name] = ((_fd: number, done: fs.NoParamCallback) => void setImmediate(done, null)) as (typeof fs)['fsync'];
    fs[`${name}Sync`] = () => {};
  }
  syncBuiltinESMExports();
}

/** As Node has it, whatever the global one is limited to later. */
export const fetchAnything = globalThis.fetch;

/** Leaves the code of the process no global way to a host that it did not declare; the modules of Node stay as they are. */
export function fenceNetwork(hosts: readonly string[]): void {
  globalThis.fetch = limitedFetch(hosts, fetchAnything);
  for (const name of ['WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
}

/** What the watchdog of a process writes to its standard error before it ends it for its memory. */
export const MEMORY_MARK = 'kebab: memory limit';

/** What a watchdog ends its process for. */
interface WatchdogInit {
  /** Memory beyond what the process has now, in MiB, native memory and buffers included. */
  readonly memoryMb: number;
}

/** As fast as memory is filled, some 100 MiB pass between two looks; a look takes 3 µs. */
const LOOK_MS = 50;
const BYTES_PER_MB = 1_048_576;

/**
 * Starts a thread that ends this process at once when it takes too much memory, or when the process that started it is gone: also
 * while native code or an endless loop keeps the main thread. Returns how much of the memory is taken, as a share.
 *
 * The thread looks from within because that works on every system, takes no program like `ps`, and goes on while the
 * process that gives the work is busy writing.
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
  const { Worker } = process.getBuiltinModule('node:worker_threads'); // who starts processes imports this file as well
  new Worker(PROGRAM, { eval: true, workerData, resourceLimits, env: {}, execArgv: [] }).unref();
  return () => ((seen[0] ?? 0) - before) / limit; // asked by itself, a busy system takes a millisecond
}

/** A process without its parent has another one; where it keeps the number of the old, that is not to be signalled. */
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
