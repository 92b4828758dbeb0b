import type { PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadPdfjs } from './load-pdfjs.ts';
import { parserFunction } from './parser-source.ts';

/**
 * A thread in which pdf.js parses files. Hostile files can keep it busy without letting timers run, so it can only be stopped from outside.
 * It does not keep the process alive.
 */
export interface ParserThread {
  /** The worker to which pdf.js sends files. */
  readonly port: PDFWorker;
  /** Fires when the thread exits on its own; its reason is an error. */
  readonly broken: AbortSignal;
  /** Lets the process exit while the thread is idle; to be called after each opened file, because opening undoes it. */
  unref(): void;
  /** Terminates the thread, whatever it is doing. */
  kill(): Promise<void>;
}

/** Heap of a thread, in MiB; a file that needs more fails. */
const MEMORY_MB = 768;

/**
 * Source text, so that no separate file is needed beside a bundle. Output of pdf.js is discarded: our stdout is for data, and reading the
 * thread's would keep the process alive. `push` is restored for the reason given in `load-pdfjs.ts`.
 */
const PROGRAM = `
  for (const name of ['debug', 'info', 'log', 'warn', 'error']) console[name] = () => {};
  const { workerData } = require('node:worker_threads');
  const { constants, compileFunction } = require('node:vm');
  const { push } = Array.prototype;
  const { source, filename, port } = workerData;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const handler = compileFunction(source, [], { filename, importModuleDynamically })();
  Array.prototype.push = push;
  handler.initializeFromPort(port);`;

let idle: ParserThread | undefined;

/** Returns an idle thread, or a new one. The caller must give it back, or kill it. */
export async function takeThread(): Promise<ParserThread> {
  const thread = idle;
  idle = undefined;
  return thread ?? startThread();
}

/** Keeps an idle thread for the next file; a second one is terminated. */
export async function giveBack(thread: ParserThread): Promise<void> {
  thread.unref();
  if (idle === undefined) idle = thread;
  else await thread.kill();
}

/** Terminates the idle thread. */
export async function closeThreads(): Promise<void> {
  const thread = idle;
  idle = undefined;
  await thread?.kill();
}

async function startThread(): Promise<ParserThread> {
  const { pdfjs, parserUrl } = await loadPdfjs();
  const source = parserFunction(await readFile(fileURLToPath(parserUrl), 'utf8'), parserUrl);
  const { MessageChannel, Worker } = process.getBuiltinModule('node:worker_threads'); // loaded late: most runs read no PDF file
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(PROGRAM, {
    eval: true,
    execArgv: [],
    workerData: { source, filename: fileURLToPath(parserUrl), port: port2 },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  const broken = new AbortController();
  worker.once('error', (error) => broken.abort(error));
  worker.once('exit', (code) => broken.abort(new Error(`its thread ended with code ${code}`)));
  const port = pdfjs.PDFWorker.create({ port: port1 });
  const thread: ParserThread = {
    port,
    broken: broken.signal,
    unref: () => {
      port1.unref();
      worker.unref();
    },
    kill: async () => {
      port.destroy();
      port1.close();
      await worker.terminate();
    },
  };
  broken.signal.addEventListener('abort', () => {
    if (idle === thread) idle = undefined;
  });
  return thread;
}
