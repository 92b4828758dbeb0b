import type { IndexText } from '@kebab/core/store';
import type { Db } from './database/tables.ts';

/** A document whose words are written; its chunks have the numbers from `firstChunk` on, in the order of `index`. */
export interface DocumentWords {
  readonly docSeq: number;
  readonly firstChunk: number;
  readonly index: readonly IndexText[];
}

/** A document whose words are removed; its chunks have the numbers `[firstChunk, firstChunk + chunkCount)`. */
export interface RemovedDocument {
  readonly docSeq: number;
  readonly firstChunk: number;
  readonly chunkCount: number;
}

/**
 * Writes the words of documents, inside of the transaction that writes the documents. Removals of a transaction come first, and the numbers
 * of removed chunks may be used again by documents of the same transaction.
 */
export interface WordsWriter {
  /** The documents and chunks have been written in this transaction. */
  put(tx: Db, documents: readonly DocumentWords[]): Promise<void>;
  /** The documents and chunks still exist in this transaction. */
  remove(tx: Db, documents: readonly RemovedDocument[]): Promise<void>;
  /** Brings the words of all documents up to date: those of another version of the analysis, and those that are missing, or too many. */
  refresh(tx: Db): Promise<void>;
}
