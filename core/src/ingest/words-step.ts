import type { AbortOptions, Logger } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentTransaction, DocumentWriter } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { openWriter } from '../documents/open-store.ts';
import type { DocumentId } from '../domain/ids.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';
import type { Degraded } from '../wire/index.ts';

/**
 * Opens the writer of a store for changes outside of an ingest, and brings an index on a server up to date after them. Errors as for the
 * writer and the changes; a server that does not answer leaves words to the next ingest.
 */
export async function changeDocuments<T>(
  store: DocumentStore,
  { lexicalIndex, log }: Pick<Ports, 'lexicalIndex' | 'log'>,
  { options, change }: { readonly options: AbortOptions; readonly change: (writer: DocumentWriter) => Promise<T> },
): Promise<T> {
  const lexical = await lexicalIndex.write();
  const writer = await openWriter(store, options);
  try {
    const words = await WordsStep.open({ lexical, store, log });
    const result = await change(words?.recording(writer) ?? writer);
    await words?.run(options);
    return result;
  } finally {
    await writer.close();
  }
}

/** What the step brings up to date, and from what. */
interface WordsStepInit {
  readonly lexical: LexicalIndex;
  readonly store: DocumentStore;
  readonly log: Logger;
}

/** Brings an index on a server up to date after the commits of a run; nothing for one that is written with the documents. */
export class WordsStep {
  readonly #init: WordsStepInit;
  #since: number;
  #changed = new Set<DocumentId>();

  private constructor(init: WordsStepInit, since: number) {
    this.#init = init;
    this.#since = since;
  }

  /** Begins to record the changes of a run; null where the index needs no such step. The writer's lock must be held. */
  static async open(init: WordsStepInit): Promise<WordsStep | null> {
    return init.lexical.update === undefined ? null : new WordsStep(init, await init.store.corpusRevision());
  }

  /** The writer for the run, which records the documents that it changes. */
  recording(writer: DocumentWriter): DocumentWriter {
    return {
      vectors: writer.vectors,
      derivations: writer.derivations,
      transaction: (change) => writer.transaction((tx) => change(this.#recorded(tx))),
      sweepAssets: () => writer.sweepAssets(),
      setIndexedRoot: (sourceId, root) => writer.setIndexedRoot(sourceId, root),
      setSeen: (sourceId, changes) => writer.setSeen(sourceId, changes),
      recordRun: (run) => writer.recordRun(run),
      setQuarantine: (files) => writer.setQuarantine(files),
      close: () => writer.close(),
    };
  }

  /**
   * A server that does not answer leaves words pending, which is reported; a cancelled run leaves them to the next. Vectors that are committed
   * afterwards change the revision too: then this is run again.
   */
  async run(options: AbortOptions): Promise<readonly Degraded[]> {
    const { lexical, store, log } = this.#init;
    try {
      const revision = await store.corpusRevision();
      await lexical.update?.({ documents: store, changes: { since: this.#since, docIds: this.#changed } }, options);
      this.#since = revision;
      this.#changed = new Set();
      return [];
    } catch (error) {
      if (options.signal?.aborted === true) return [];
      if (!isKebabError(error, 'vector_store_unreachable')) throw error;
      log.warn('words were not written', { cause: error.message });
      return [{ stage: 'words', reason: 'vector_store_unreachable', hint: error.hint }];
    }
  }

  #recorded(tx: DocumentTransaction): DocumentTransaction {
    return {
      putDocument: (write) => {
        this.#changed.add('prepared' in write ? write.docId : write.document.docId);
        tx.putDocument(write);
      },
      deleteDocument: (id) => {
        this.#changed.add(id);
        tx.deleteDocument(id);
      },
      touchDocument: (id, indexedAt, file) => tx.touchDocument(id, indexedAt, file),
      touchDocuments: (ids, indexedAt) => tx.touchDocuments(ids, indexedAt),
    };
  }
}
