import type { Tables } from '@kebab/store-kit';
import type { GeneratedAlways, Kysely } from 'kysely';

/** Who has the lock of the writer; one row. */
export interface WriterRow {
  readonly is_only: boolean;
  readonly backend: number;
  readonly pid: number;
  readonly host: string;
  readonly command: string | null;
  readonly since: string;
}

/** The date of a document, by which filters compare. */
export interface DatedDocument {
  readonly document_date: string;
}

/** The number of a record in the order of recording. */
export interface Recorded {
  readonly recorded: GeneratedAlways<number>;
}

/** A word of the index of words. */
export interface WordRow {
  /** Of 48 bits. */
  readonly word_id: number;
  readonly word: string;
  /** How many chunks have it. */
  readonly chunks: number;
}

/** The database type for Kysely. */
export type Database = Omit<Tables, 'documents' | 'ingest_runs' | 'answers' | 'eval_runs' | 'eval_query_results'> & {
  readonly documents: Tables['documents'] & DatedDocument;
  readonly ingest_runs: Tables['ingest_runs'] & Recorded;
  readonly answers: Tables['answers'] & Recorded;
  readonly eval_runs: Tables['eval_runs'] & Recorded;
  readonly eval_query_results: Tables['eval_query_results'] & Recorded;
  readonly writer: WriterRow;
  readonly words: WordRow;
};

/** The tables of a knowledge base, inside of a transaction or outside. */
export type Db = Kysely<Database>;
