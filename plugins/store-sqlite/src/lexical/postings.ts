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
  /** How many rows FTS5 weighs units by: `rowCount`, and before SQLite 3.54 those that have been removed. */
  readonly countedRows: number;
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
