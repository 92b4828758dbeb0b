import type { IndexText } from '@kebab/core/store';
import type { Db } from './database/tables.ts';

/** The words of a chunk, encoded. */
export interface ChunkWords {
  /** In tokens. */
  readonly length: number;
  readonly nameLength: number;
  readonly words: readonly string[];
  /** How often the chunk has each word, times 10; 0 for a word of its names. */
  readonly tenths: Int16Array;
}

/** A document whose words are written; its chunks have the numbers from `firstChunk` on, in the order of `words`. */
export interface DocumentWords {
  readonly firstChunk: number;
  readonly isCode: boolean;
  readonly words: readonly ChunkWords[];
}

/**
 * Writes the words of documents, inside of the transaction that writes the documents. Removals of a transaction come first, and the numbers
 * of removed chunks may be used again by documents of the same transaction.
 */
export interface WordsWriter {
  /** Encodes the words of chunks ahead of the transaction; none where they are indexed elsewhere. */
  encode(index: readonly IndexText[]): readonly ChunkWords[];
  /** Documents whose chunks come after all others, in order. */
  put(tx: Db, documents: readonly DocumentWords[]): Promise<void>;
  /** Documents by their numbers, which still exist in this transaction. */
  remove(tx: Db, documents: readonly number[]): Promise<void>;
  /** Brings the words of all documents up to date: those of another version of the analysis, and those that are missing, or too many. */
  refresh(tx: Db): Promise<void>;
}
