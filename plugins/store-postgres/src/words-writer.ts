import type { IndexText } from '@kebab/core/store';
import type { Db } from './database/tables.ts';

/** The words of a chunk, encoded. */
export interface ChunkWords {
  /** In tokens. */
  readonly length: number;
  readonly nameLength: number;
  /** The number of each word, and how often the chunk has it, times 10; 0 for a word of its names. */
  readonly ids: Float64Array;
  readonly tenths: Int16Array;
  /** The words of which it is counted how many chunks have them. */
  readonly counted: readonly string[];
}

/** A document whose words are written; its chunks have the numbers from `firstChunk` on, in the order of `words`. */
export interface DocumentWords {
  readonly docSeq: number;
  readonly firstChunk: number;
  readonly words: readonly ChunkWords[];
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
  /** Encodes the words of chunks ahead of the transaction; none where they are indexed elsewhere. */
  encode(index: readonly IndexText[]): readonly ChunkWords[];
  /** The documents and chunks have been written in this transaction. */
  put(tx: Db, documents: readonly DocumentWords[]): Promise<void>;
  /** The documents and chunks still exist in this transaction. */
  remove(tx: Db, documents: readonly RemovedDocument[]): Promise<void>;
  /** Brings the words of all documents up to date: those of another version of the analysis, and those that are missing, or too many. */
  refresh(tx: Db): Promise<void>;
}
