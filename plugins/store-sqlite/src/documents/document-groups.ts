import type { Worker } from 'node:worker_threads';
import type { DocumentGroups, PreparedDocument } from '@kebab/core/store';
import type { PreparedRows } from './prepare-document.ts';
import { type PackedRows, packRows } from './sqlite-encoder.ts';

/** A message to the worker thread. It answers each group with whether the group is committed. */
export type GroupRequest =
  | { readonly kind: 'put'; readonly documents: readonly PreparedDocument[] }
  | { readonly kind: 'close' };

/** Rows are garbage as soon as they are written; with V8's default the thread takes 40 MiB more and is no faster. */
const MAX_YOUNG_MB = 6;

/**
 * Writes documents in a worker thread with a connection of its own. If the thread does not start or exits early, {@link put} resolves to
 * false from then on. If the process is killed, SQLite rolls back the open transaction as usual.
 */
export class ThreadedGroups implements DocumentGroups {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  /** The resolvers of unanswered groups, in the order of the groups. */
  readonly #waiting: ((isCommitted: boolean) => void)[] = [];
  #isOver = false;

  /** `file` is the database; the caller must hold its lock until {@link close}. */
  constructor(file: string) {
    // The program is next to this file and has the same extension: in the sources, in dist, in a bundle.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const program = new URL(`./group-writer${extension}`, import.meta.url);
    const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MB };
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads'); // loaded late, because most runs start no thread
    this.#worker = new Thread(program, { workerData: file, resourceLimits });
    this.#worker.on('message', (isCommitted: boolean) => this.#waiting.shift()?.(isCommitted));
    this.#worker.on('error', () => this.#end()); // the caller writes uncommitted groups itself, and reports the error then
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

/** Packs rows into columns, which halves the time and size of messages; documents encoded in a process are packed already. */
function packed({ docId, prepared }: PreparedDocument): PreparedDocument {
  const rows = prepared as PreparedRows | PackedRows;
  return { docId, prepared: 'chunks' in rows ? packRows(rows) : rows };
}
