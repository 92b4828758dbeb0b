import type { DocumentId, EmbeddingId } from '../domain/ids.ts';
import type { DerivationKind } from './derivation-records.ts';
import type { DocumentWrite, IngestRunRow } from './document-store.ts';
import type { AnswerRow, EvalRunRow } from './logs.ts';
import type { VectorNote } from './vector-ledger.ts';

/** A document as it was committed, with everything that was committed along with it. */
export interface CommittedDocument extends DocumentWrite {
  readonly indexedAt: Date;
}

/** An entry of {@link DerivationRecords} with its key and the time of its last use. */
export interface DerivationEntry {
  readonly kind: DerivationKind;
  readonly key: string;
  readonly payload: Uint8Array;
  readonly lastUsedAt: Date;
}

/** Part of a list: at most `limit` entries, from the 0-based `offset` on. */
export interface ArchivePage {
  readonly offset: number;
  readonly limit: number;
}

/**
 * The parts of a store that no search reads, exactly as they were written, and its identity: what it takes to move a knowledge base to
 * another store. Whatever is read here can be written through {@link DocumentWriter} and the logs.
 */
export interface StoreArchive {
  /** The documents with these ids, in order; ids that do not exist are left out. */
  documents(ids: readonly DocumentId[]): Promise<readonly CommittedDocument[]>;
  /** What the ledger records of these vectors, by id; unknown ids are left out. */
  notes(ids: readonly EmbeddingId[]): Promise<readonly VectorNote[]>;
  /** The records of ingests, in the order in which they were recorded. */
  runs(): Promise<readonly IngestRunRow[]>;
  /** Answers, in the order in which they were recorded. */
  answers(page: ArchivePage): Promise<readonly AnswerRow[]>;
  /** Runs of golden suites, in the order in which they were recorded. */
  evals(page: ArchivePage): Promise<readonly EvalRunRow[]>;
  /** What models read in pictures, by key, after the key `after`. Embeddings are only a cache, and not among them. */
  derivations(page: { readonly after: string; readonly limit: number }): Promise<readonly DerivationEntry[]>;
  /** The id of the knowledge base that is being moved into this store; null except between begin and end of a move. */
  arriving(): Promise<string | null>;
  /**
   * Begins to move a knowledge base into this store, which has its id from then on. Needs no lock; throws `invalid_input` when the store
   * holds documents, unless they came by an unfinished move of the same knowledge base.
   */
  beginMove(knowledgeBase: string): Promise<void>;
  /** Ends the move: the store is complete. */
  endMove(): Promise<void>;
}
