import type { Statements } from '../database/statements.ts';
import type { PostingSource, Postings } from './postings.ts';

/** Fetching all postings of a common unit costs about as much as asking so often about a few rows. */
const TIMES_BEFORE_FETCHING = 6;
/** So many equals of the last row wanted are fetched with it. */
const SPARE_FOR_TIES = 16;
/** The most postings kept in memory, at 12 bytes each. */
const MAX_CACHED_POSTINGS = 4_000_000;

const MATCH = 'FROM chunks_fts WHERE chunks_fts MATCH ?';
/** How much one column counts against another: text, heading, symbol, cjk. */
const SCORE = 'bm25(chunks_fts, 1.0, 1.2, 2.0, 1.0)';
const REVISION = "SELECT value FROM kv WHERE key = 'corpus_revision'";
const EXTENT = `SELECT (SELECT count(*) FROM chunks) AS rows, (SELECT max(seq) FROM chunks) AS last,
  (SELECT CAST(value AS INTEGER) FROM kv WHERE key = 'full_text_rows_still_counted') AS removed`;
const COUNT = `SELECT count(*) ${MATCH}`;
const ROWS = `SELECT rowid ${MATCH}`;
const SCORES = `SELECT ${SCORE} ${MATCH}`;
/** The plus keeps SQLite from handing the rows to FTS5, which would look each of them up from the start. */
const AMONG = `SELECT rowid, ${SCORE} ${MATCH} AND +rowid IN (SELECT value FROM json_each(?))`;
const BEST = `SELECT rowid, ${SCORE} AS score ${MATCH} ORDER BY score LIMIT ?`;

interface Extent {
  readonly rows: number;
  readonly last: number | null;
  readonly removed: number | null;
}

type Pair = readonly [row: number, score: number];

/**
 * Postings of the full-text index; those asked for lately are kept in memory until the corpus changes. BM25 is a sum over
 * units, and what one unit adds to a row does not depend on the query, so it need not be computed again for the next one.
 * {@link PostingLists.refresh} must be called at the beginning of each read transaction.
 */
export class PostingLists implements PostingSource {
  readonly #statements: Statements;
  readonly #frequencies = new Map<string, number>();
  readonly #lists = new Map<string, Postings>();
  /** How often a unit has been asked about a part of its rows. */
  readonly #askedFor = new Map<string, number>();
  #cached = 0;
  #at: unknown;
  #rowCount = 0;
  #maxRow = 0;
  #countedRows = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get maxRow(): number {
    return this.#maxRow;
  }

  get countedRows(): number {
    return this.#countedRows;
  }

  /** Forgets everything if the corpus has changed, and tells whether it has. */
  refresh(): boolean {
    const revision = this.#statements.firstColumnOf(REVISION).get();
    if (revision !== undefined && revision === this.#at) return false;
    this.#at = revision;
    this.#frequencies.clear();
    this.#lists.clear();
    this.#askedFor.clear();
    this.#cached = 0;
    const { rows, last, removed } = this.#statements.of(EXTENT).get() as Extent;
    this.#rowCount = rows;
    this.#maxRow = last ?? 0;
    this.#countedRows = rows + (removed ?? 0);
    return true;
  }

  frequency(unit: string): number {
    let frequency = this.#frequencies.get(unit);
    if (frequency === undefined) {
      frequency = this.#statements.firstColumnOf(COUNT).get(unit) as number;
      this.#frequencies.set(unit, frequency);
    }
    return frequency;
  }

  isWarm(unit: string): boolean {
    return this.#lists.has(unit) || (this.#askedFor.get(unit) ?? 0) >= TIMES_BEFORE_FETCHING;
  }

  postings(unit: string): Postings {
    const known = this.#lists.get(unit);
    if (known !== undefined) {
      this.#lists.delete(unit);
      this.#lists.set(unit, known);
      return known;
    }
    const rows = Int32Array.from(this.#statements.firstColumnOf(ROWS).all(unit) as readonly number[]);
    const list = { rows, scores: positive(this.#statements.firstColumnOf(SCORES).all(unit) as readonly number[]) };
    this.#frequencies.set(unit, rows.length);
    this.#keep(unit, list);
    return list;
  }

  postingsAmong(unit: string, rows: readonly number[]): Postings {
    this.#countAsking(unit);
    return fromPairs(this.#statements.of(AMONG).raw().all(unit, JSON.stringify(rows)) as readonly Pair[]);
  }

  best(unit: string, limit: number): Postings {
    this.#countAsking(unit);
    const wanted = limit + SPARE_FOR_TIES;
    const found = this.#statements.of(BEST).raw().all(unit, wanted) as readonly Pair[];
    const hasAllTies = found.length < wanted || found[limit - 1]?.[1] !== found.at(-1)?.[1];
    return hasAllTies ? fromPairs(found) : this.postings(unit);
  }

  #countAsking(unit: string): void {
    this.#askedFor.set(unit, (this.#askedFor.get(unit) ?? 0) + 1);
  }

  #keep(unit: string, list: Postings): void {
    this.#lists.set(unit, list);
    this.#cached += list.rows.length;
    for (const [oldest, { rows }] of this.#lists) {
      if (this.#cached <= MAX_CACHED_POSTINGS || oldest === unit) break;
      this.#lists.delete(oldest);
      this.#askedFor.delete(oldest);
      this.#cached -= rows.length;
    }
  }
}

function fromPairs(pairs: readonly Pair[]): Postings {
  return { rows: Int32Array.from(pairs, ([row]) => row), scores: positive(pairs.map(([, score]) => score)) };
}

/** FTS5's better is lower. */
function positive(scores: readonly number[]): Float64Array {
  const flipped = new Float64Array(scores.length);
  for (let i = 0; i < scores.length; i++) flipped[i] = -(scores[i] as number);
  return flipped;
}
