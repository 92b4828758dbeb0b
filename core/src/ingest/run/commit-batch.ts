import type { DocumentGroups, DocumentWriter, PreparedDocument } from '../../contracts/document-store.ts';
import { classifyError } from '../../errors/classify-error.ts';
import { isKebabError, type KebabError } from '../../errors/kebab-error.ts';
import type { FileOutcome } from './file-task.ts';

/** Receives what became of a document: null when it is written, or why it could not be. */
export type OnWritten = (failure: KebabError | null) => void;

/** A document to be written, and what is said of it. */
type ReadyDocument = Pick<Extract<FileOutcome, { kind: 'ready' }>, 'document' | 'facts'>;

interface PendingDocument {
  readonly document: PreparedDocument;
  readonly onWritten: OnWritten;
}

/** Every group makes FTS5 merge once more: with 500 chunks a first ingest takes 8 % more processor time. */
const MAX_CHUNKS = 2000;
const MAX_CHARS = 4_000_000;
const MAX_AGE_MS = 500;

/**
 * Writes documents in groups, one transaction each, beside the calling thread where that is given: then the next group is prepared
 * meanwhile. A document is written when its group is committed. When a group fails its documents are written one by one, so that one
 * bad document hurts only itself; a failure of the disk or of the lock is thrown.
 */
export class CommitBatch {
  readonly #writer: DocumentWriter;
  readonly #groups: DocumentGroups | null;
  /** Settles when no group is being written beside this thread. */
  #underWay: Promise<void> = Promise.resolve();
  #pending: PendingDocument[] = [];
  #chunks = 0;
  #chars = 0;
  #since = 0;

  constructor(writer: DocumentWriter, groups: DocumentGroups | null = null) {
    this.#writer = writer;
    this.#groups = groups;
  }

  async add({ document, facts }: ReadyDocument, onWritten: OnWritten): Promise<void> {
    if (this.#pending.length === 0) this.#since = performance.now();
    try {
      this.#pending.push({ document: 'prepared' in document ? document : this.#writer.prepare(document), onWritten });
    } catch (error) {
      onWritten(classifyError(error));
      return;
    }
    this.#chunks += facts.chunks;
    this.#chars += facts.chars;
    const isFull = this.#chunks >= MAX_CHUNKS || this.#chars >= MAX_CHARS;
    if (isFull || performance.now() - this.#since > MAX_AGE_MS) await this.#send();
  }

  /** Writes what is pending, and waits until everything is written. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#underWay;
  }

  /** Waits for the group before: no more than two are held in memory. */
  async #send(): Promise<void> {
    const group = this.#pending;
    this.#pending = [];
    this.#chunks = 0;
    this.#chars = 0;
    if (group.length === 0) return;
    await this.#underWay;
    if (this.#groups === null) return this.#writeHere(group);
    this.#underWay = this.#writeBeside(group, this.#groups);
    this.#underWay.catch(() => {}); // it is thrown where it is waited for
  }

  async #writeBeside(group: readonly PendingDocument[], groups: DocumentGroups): Promise<void> {
    if (!(await groups.put(group.map(({ document }) => document)))) return this.#writeHere(group);
    for (const { onWritten } of group) onWritten(null);
  }

  #writeHere(group: readonly PendingDocument[]): void {
    const failure = this.#write(group);
    for (const one of group) one.onWritten(failure === null || group.length === 1 ? failure : this.#write([one]));
  }

  #write(group: readonly PendingDocument[]): KebabError | null {
    try {
      this.#writer.transaction((tx) => {
        for (const { document } of group) tx.putDocument(document);
      });
      return null;
    } catch (error) {
      const failure = classifyError(error);
      if (isKebabError(failure, 'io_error') || isKebabError(failure, 'locked')) throw failure;
      return failure;
    }
  }
}
