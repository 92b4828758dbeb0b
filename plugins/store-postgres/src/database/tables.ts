import type { Tables } from '@kebab/store-kit';
import type { Generated, GeneratedAlways, Kysely } from 'kysely';

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

/** The chunks with a word among consecutive ones, packed. */
export interface PostingRow {
  readonly word: string;
  readonly block: number;
  readonly chunks: Buffer;
}

/** How far a job of the queue is. */
export interface JobProgressRow {
  readonly job_id: string;
  readonly size: number;
  readonly done: Generated<number>;
  readonly attempts: Generated<number>;
  readonly renewed_at: Date | null;
}

/** The database type for Kysely. */
export type Database = Omit<Tables, 'documents' | 'ingest_runs' | 'answers' | 'eval_runs' | 'eval_query_results'> & {
  readonly documents: Tables['documents'] & DatedDocument;
  readonly ingest_runs: Tables['ingest_runs'] & Recorded;
  readonly answers: Tables['answers'] & Recorded;
  readonly eval_runs: Tables['eval_runs'] & Recorded;
  readonly eval_query_results: Tables['eval_query_results'] & Recorded;
  readonly writer: WriterRow;
  readonly postings: PostingRow;
  readonly job_progress: JobProgressRow;
};

/** The tables of a knowledge base, inside of a transaction or outside. */
export type Db = Kysely<Database>;
