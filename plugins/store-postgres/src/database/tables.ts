import type { Table, Tables } from '@kebab/store-kit';
import type { GeneratedAlways, Kysely } from 'kysely';

/** The columns that only this store has, by table; a table that is not here has those of the kit. */
export const OWN_TABLES = {
  /** Who has the lock of the writer; one row. */
  writer: {
    backend: 'integer',
    pid: 'integer',
    host: 'text',
    command: 'text?',
    since: 'text',
  },
} as const;

/** The date of a document, by which filters compare. */
interface DatedDocument {
  readonly document_date: string;
}

/** The number of a record in the order of recording. */
interface Recorded {
  readonly recorded: GeneratedAlways<number>;
}

/** The database type for Kysely. */
export type Database = Omit<Tables, 'documents' | 'ingest_runs' | 'answers' | 'eval_runs' | 'eval_query_results'> & {
  readonly documents: Tables['documents'] & DatedDocument;
  readonly ingest_runs: Tables['ingest_runs'] & Recorded;
  readonly answers: Tables['answers'] & Recorded;
  readonly eval_runs: Tables['eval_runs'] & Recorded;
  readonly eval_query_results: Tables['eval_query_results'] & Recorded;
  readonly writer: Table<(typeof OWN_TABLES)['writer']>;
};

/** The tables of a knowledge base, inside of a transaction or outside. */
export type Db = Kysely<Database>;
