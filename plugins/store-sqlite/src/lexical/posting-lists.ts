import { rowsOf, valuesOf, type Statements } from '../database/statements.ts';

/** The rows that match one unit of a query, ascending, and FTS5's score of each for this unit alone, made positive. */
export interface Postings {
  readonly rows: Int32Array;
  readonly scores: Float64Array;
}

/** Where a ranking finds its postings. Within one ranking it answers from one state of the index. */
export interface PostingSource {
  /** How many rows the index has, and the highest of them. */
  readonly rowCount: number;
  readonly maxRow: number;
  /** How many rows match a unit. */
  frequency(unit: string): number;
  postings(unit: string): Postings;
  /** The postings of a unit at some rows only: cheaper than all of them when the unit is common and the rows are few. */
  postingsAmong(unit: string, rows: readonly number[]): Postings;
  /** The best `limit` rows of a unit and all that score like the last of them, in no order: cheaper than all postings. */
  best(unit: string, limit: number): Postings;
  /** Whether all postings of a unit are at hand, or worth fetching because the unit has been asked for before. */
  isWarm(unit: string): boolean;
}

/** Fetching all postings of a common unit costs about as much as asking so often about a few rows. */
const TIMES_BEFORE_FETCHING = 6;
/** So many equals of the last row wanted are fetched with it. */
const SPARE_FOR_TIES = 16;
/** The most postings kept in memory, at 12 bytes each. */
const MAX_CACHED_POSTINGS = 4_000_000;

const MATCH = 'FROM chunks_fts WHERE chunks_fts MATCH @unit';
/** How much one column counts against another: text, heading, symbol, cjk. */
const SCORE = 'bm25(chunks_fts, 1.0, 1.2, 2.0, 1.0)';
const REVISION = valuesOf<string>("SELECT value FROM kv WHERE key = 'corpus_revision'");
const EXTENT = rowsOf<Extent>(`SELECT (SELECT count(*) FROM chunks) AS present, (SELECT max(seq) FROM chunks) AS last`);
const COUNT = valuesOf<number>(`SELECT count(*) ${MATCH}`);
const ROWS = valuesOf<number>(`SELECT rowid ${MATCH}`);
const SCORES = valuesOf<number>(`SELECT ${SCORE} ${MATCH}`);
/** The plus keeps SQLite from handing the rows to FTS5, which would look each of them up from the start. */
const AMONG = rowsOf<Scored>(
  `SELECT rowid, ${SCORE} AS score ${MATCH} AND +rowid IN (SELECT value FROM json_each(@rows))`,
);
const BEST = rowsOf<Scored>(`SELECT rowid, ${SCORE} AS score ${MATCH} ORDER BY score LIMIT @limit`);

interface Extent {
  readonly present: number;
  readonly last: number | null;
}

interface Scored {
  readonly rowid: number;
  readonly score: number;
}

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

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get maxRow(): number {
    return this.#maxRow;
  }

  /** Forgets everything if the corpus has changed; true when it has. */
  refresh(): boolean {
    const revision = this.#statements.value(REVISION);
    if (revision !== undefined && revision === this.#at) return false;
    this.#at = revision;
    this.#frequencies.clear();
    this.#lists.clear();
    this.#askedFor.clear();
    this.#cached = 0;
    const extent = this.#statements.first(EXTENT);
    this.#rowCount = extent?.present ?? 0;
    this.#maxRow = extent?.last ?? 0;
    return true;
  }

  frequency(unit: string): number {
    let frequency = this.#frequencies.get(unit);
    if (frequency === undefined) {
      frequency = this.#statements.value(COUNT, { unit }) ?? 0;
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
    const list = {
      rows: Int32Array.from(this.#statements.values(ROWS, { unit })),
      scores: positive(this.#statements.values(SCORES, { unit })),
    };
    this.#frequencies.set(unit, list.rows.length);
    this.#keep(unit, list);
    return list;
  }

  postingsAmong(unit: string, among: readonly number[]): Postings {
    this.#countAsking(unit);
    return toPostings(this.#statements.all(AMONG, { unit, rows: JSON.stringify(among) }));
  }

  best(unit: string, limit: number): Postings {
    this.#countAsking(unit);
    const wanted = limit + SPARE_FOR_TIES;
    const found = this.#statements.all(BEST, { unit, limit: wanted });
    const hasAllTies = found.length < wanted || found[limit - 1]?.score !== found.at(-1)?.score;
    return hasAllTies ? toPostings(found) : this.postings(unit);
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

function toPostings(found: readonly Scored[]): Postings {
  return { rows: Int32Array.from(found, ({ rowid }) => rowid), scores: positive(found.map(({ score }) => score)) };
}

/** FTS5's better is lower. */
function positive(scores: readonly number[]): Float64Array {
  const flipped = new Float64Array(scores.length);
  for (let i = 0; i < scores.length; i++) flipped[i] = -(scores[i] as number);
  return flipped;
}
