import type { CompiledQuery, Expression, QueryCreator, QueryExecutorProvider, SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

/** Builds the statements of the tables that every store has. */
export type Build = QueryCreator<Tables> & QueryExecutorProvider;

/** A statement, which an engine compiles and runs. */
export interface Query<Row = unknown> {
  compile(builder: QueryExecutorProvider): CompiledQuery<Row>;
}

/** The rows that a statement has returned, and how many it has changed. */
export interface Outcome {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/**
 * Statements one after another, of which a later one may depend on an earlier one. SQLite runs them at once, which keeps others out of its
 * transaction; a server runs each when it has answered the one before.
 */
export type Steps<T> = Generator<Query, T, Outcome>;

/** What is read on one snapshot, or changed in one transaction. */
export type Work<T> = (build: Build) => Steps<T>;

/** Runs something in one transaction. */
export type Change = <T>(work: Work<T>) => Promise<T>;

/** The database of a store: what runs statements, and what is written differently in them. */
export interface Engine {
  /** Names the database in messages. */
  readonly location: string;
  /** Runs one statement, which is a snapshot of its own. */
  read<T>(work: Work<T>): Promise<T>;
  /** Runs several statements on one snapshot. */
  snapshot<T>(work: Work<T>): Promise<T>;
  /** Makes a change that needs no lock of the writer. With a command, a store opened for reading throws `readonly_mode`, which names it. */
  change<T>(work: Work<T>, command?: string): Promise<T>;
  /** Whether a column has a value of a list, which is one parameter. */
  readonly isAnyOf: (column: string, values: readonly string[]) => Expression<SqlBool>;
  /** The size of what is stored, as `bytes`. */
  readonly storedBytes: Query<{ readonly bytes: number }>;
  /** The column with the number of a record in the order of recording. */
  readonly recorded: string;
  /** The date of a document `d`, by which documents are ordered. */
  readonly documentDate: Expression<string>;
  /** Whether a record of a vector is not committed. */
  readonly isUnsettled: Expression<SqlBool>;
  /** Whether a chunk `c` is the one of the record `e` of a vector. */
  readonly isSameChunk: Expression<SqlBool>;
  /** Increments the corpus revision. */
  readonly growRevision: Query;
  /** Which constraint of the turns of a conversation an error reports; undefined for every other error. */
  readonly turnFault: (error: unknown) => 'no_session' | 'taken' | undefined;
}

/** The rows of a statement. */
export function* rowsOf<Row>(query: Query<Row>): Steps<readonly Row[]> {
  return (yield query).rows as readonly Row[];
}

/** How many rows a statement changes. */
export function* changesOf(query: Query): Steps<number> {
  return (yield query).changes;
}

/** A statement of SQLite has at most 32,766 parameters, and the rows of these tables up to ten columns. */
const ROWS_PER_STATEMENT = 1000;

/** Inserts any number of rows. */
export function* insertAll<Row>(rows: readonly Row[], insert: (some: readonly Row[]) => Query): Steps<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
    yield insert(rows.slice(from, from + ROWS_PER_STATEMENT));
}

/** Runs steps on the calling thread. */
export function runNow<T>(steps: Steps<T>, run: (query: Query) => Outcome): T {
  let step = steps.next();
  while (step.done !== true) {
    let outcome: Outcome;
    try {
      outcome = run(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(outcome);
  }
  return step.value;
}

/** Runs steps where each takes its time. */
export async function runInTurn<T>(steps: Steps<T>, run: (query: Query) => Promise<Outcome>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    let outcome: Outcome;
    try {
      outcome = await run(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(outcome);
  }
  return step.value;
}
