import type { Worker } from 'node:worker_threads';
import type { DocumentGroups, PreparedDocument } from '@kebab/core/store';
import type { PreparedRows } from './prepare-document.ts';
import { type PackedRows, packRows } from './sqlite-encoder.ts';

/** What the thread is sent: groups, each of which it answers with whether it is committed, and the end. */
export type GroupRequest =
  | { readonly kind: 'put'; readonly documents: readonly PreparedDocument[] }
  | { readonly kind: 'close' };

/** Rows are garbage as soon as they are written: by default a thread takes 40 MiB more, and no less time. */
const MAX_YOUNG_MB = 6;

/**
 * Writes documents in a thread with a connection of its own. Where the thread does not start, or ends early, nothing is committed
 * from there on, as {@link put} says. An end of the process in the middle leaves what any transaction leaves.
 */
export class ThreadedGroups implements DocumentGroups {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  /** Who waits for the answer to a group, in the order of the groups. */
  readonly #waiting: ((isCommitted: boolean) => void)[] = [];
  #isOver = false;

  /** `file` is the database; the caller holds its lock for as long as the groups are open. */
  constructor(file: string) {
    // The program lies beside this file and has its extension: in the sources, in dist, in a bundle.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const program = new URL(`./group-writer${extension}`, import.meta.url);
    const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MB };
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads'); // late: most runs start none
    this.#worker = new Thread(program, { workerData: file, resourceLimits });
    this.#worker.on('message', (isCommitted: boolean) => this.#waiting.shift()?.(isCommitted));
    this.#worker.on('error', () => this.#end()); // the writer says what is wrong, when it does what was not done here
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end();
        resolve();
      });
    });
  }

  put(documents: readonly PreparedDocument[]): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#send({ kind: 'put', documents: documents.map(packed) });
    });
  }

  async close(): Promise<void> {
    this.#send({ kind: 'close' });
    await this.#ended;
  }

  #send(request: GroupRequest): void {
    this.#worker.postMessage(request);
  }

  #end(): void {
    this.#isOver = true;
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}

/** As columns, which take half the time and room on the way; what a process made ready comes so. */
function packed({ docId, prepared }: PreparedDocument): PreparedDocument {
  const rows = prepared as PreparedRows | PackedRows;
  return { docId, prepared: 'chunks' in rows ? packRows(rows) : rows };
}
