import type { Postings } from './posting-lists.ts';

/** A row and its score. */
export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

/** What the scores of a unit are multiplied by. */
interface UnitFactors {
  readonly factor: number;
  readonly downweighting?: Downweighting | undefined;
}

/** Further factors, for rows of source code and for all others. */
export interface Downweighting {
  readonly code: RowSet;
  readonly inCode: number;
  readonly elsewhere: number;
}

/** Sums scores by row. Rows without a score cost no time, however many there are. */
export class Scoreboard {
  readonly #scores: Float64Array;
  readonly #touched: Int32Array;
  #count = 0;

  constructor(maxRow: number) {
    this.#scores = new Float64Array(maxRow + 1);
    this.#touched = new Int32Array(maxRow + 1);
  }

  /** Adds a unit's scores, multiplied by its factors, to the rows in `admitted`, or to all rows. */
  add({ rows, scores }: Postings, { factor, downweighting: less }: UnitFactors, admitted?: RowSet): void {
    const sums = this.#scores;
    const admits = admitted?.bits;
    for (let i = 0; i < scores.length; i++) {
      const row = rows[i] as number;
      if (admits !== undefined && admits[row] !== 1) continue;
      const sum = sums[row] as number;
      if (sum === 0) this.#touched[this.#count++] = row;
      const score = scores[i] as number;
      const own = less === undefined ? score : score * (less.code.has(row) ? less.inCode : less.elsewhere);
      sums[row] = sum + own * factor;
    }
  }

  /** The `rank`-th highest score; 0 if fewer rows have one. */
  scoreAt(rank: number): number {
    if (rank > this.#count) return 0;
    const heap = new Float64Array(rank);
    let min = 0;
    for (let i = 0; i < this.#count; i++) {
      const score = this.#scores[this.#touched[i] as number] as number;
      if (score <= min) continue;
      replaceMin(heap, score);
      min = heap[0] as number;
    }
    return min;
  }

  /** The rows with at least this score, unordered. */
  rowsFrom(score: number): readonly ScoredRow[] {
    const found: ScoredRow[] = [];
    for (let i = 0; i < this.#count; i++) {
      const row = this.#touched[i] as number;
      const own = this.#scores[row] as number;
      if (own >= score) found.push({ row, score: own });
    }
    return found;
  }

  /** Clears all scores. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#scores[this.#touched[i] as number] = 0;
    this.#count = 0;
  }
}

/** Replaces the smallest value of a binary min-heap. */
function replaceMin(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= value) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = value;
}

/** A set of rows of the full-text index. */
export class RowSet {
  /** Indexed by row; 1 for a member. */
  readonly bits: Uint8Array;
  #size = 0;

  constructor(maxRow: number, rows: Iterable<number> = []) {
    this.bits = new Uint8Array(maxRow + 1);
    for (const row of rows) this.add(row);
  }

  /** Makes a set of ranges that do not overlap, each given as its first row and its length. */
  static ofRanges(maxRow: number, ranges: readonly number[]): RowSet {
    const set = new RowSet(maxRow);
    for (let i = 0; i < ranges.length; i += 2) {
      const first = ranges[i] as number;
      const end = Math.min(first + (ranges[i + 1] as number), set.bits.length);
      for (let row = first; row < end; row++) set.bits[row] = 1;
      set.#size += Math.max(0, end - first);
    }
    return set;
  }

  get size(): number {
    return this.#size;
  }

  has(row: number): boolean {
    return this.bits[row] === 1;
  }

  add(row: number): void {
    if (row >= this.bits.length || this.bits[row] === 1) return;
    this.bits[row] = 1;
    this.#size++;
  }

  delete(row: number): void {
    if (this.bits[row] !== 1) return;
    this.bits[row] = 0;
    this.#size--;
  }

  /** Adds all rows. */
  fill(): void {
    this.bits.fill(1);
    this.#size = this.bits.length;
  }

  /** The members, ascending. */
  rows(): readonly number[] {
    const rows: number[] = [];
    for (let row = this.bits.indexOf(1); row >= 0; row = this.bits.indexOf(1, row + 1)) rows.push(row);
    return rows;
  }
}
