import type { PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { loadPdfjs } from './load-pdfjs.ts';

/**
 * A thread in which pdf.js parses files. Hostile files keep it busy without ever letting a timer run, so that only from
 * outside it can be stopped. It does not keep the process alive.
 */
export interface ParserThread {
  /** What pdf.js sends its files to. */
  readonly port: PDFWorker;
  /** Fires when the thread ends by itself; its reason is an error. */
  readonly broken: AbortSignal;
  /** Lets the process end while it waits; to be called whenever a file was opened, which undoes it. */
  unref(): void;
  /** Ends it, whatever it is doing. */
  kill(): Promise<void>;
}

/** Heap of a thread, in MiB; a file that needs more fails. */
const MEMORY_MB = 768;

/**
 * A text, so that nothing has to lie beside a bundle. What pdf.js prints goes nowhere: our stdout is for data, and reading
 * the thread's would keep the process alive. `push` is put back for the reason given in `load-pdfjs.ts`.
 */
const PROGRAM = `
  for (const name of ['debug', 'info', 'log', 'warn', 'error']) console[name] = () => {};
  const { workerData } = require('node:worker_threads');
  const { push } = Array.prototype;
  import(workerData.parserUrl).then(({ WorkerMessageHandler }) => {
    Array.prototype.push = push;
    WorkerMessageHandler.initializeFromPort(workerData.port);
  });`;

let idle: ParserThread | undefined;

/** An idle thread, or a new one. Give it back, or kill it. */
export async function takeThread(): Promise<ParserThread> {
  const thread = idle;
  idle = undefined;
  return thread ?? startThread();
}

/** Keeps a thread that has nothing to do for the next file; a second one is ended. */
export async function giveBack(thread: ParserThread): Promise<void> {
  thread.unref();
  if (idle === undefined) idle = thread;
  else await thread.kill();
}

/** Ends the thread that waits for the next file. */
export async function closeThreads(): Promise<void> {
  const thread = idle;
  idle = undefined;
  await thread?.kill();
}

async function startThread(): Promise<ParserThread> {
  const { pdfjs, parserUrl } = await loadPdfjs();
  const { MessageChannel, Worker } = process.getBuiltinModule('node:worker_threads'); // late: most runs read no PDF file
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(PROGRAM, {
    eval: true,
    execArgv: [],
    workerData: { parserUrl, port: port2 },
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
