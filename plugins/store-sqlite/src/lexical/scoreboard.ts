import type { Postings, PostingSource } from './posting-lists.ts';

/** A row and its score. */
export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

/** Sums scores by row. Rows that have none cost nothing, however many there are. */
export class Scoreboard {
  readonly #scores: Float64Array;
  readonly #touched: Int32Array;
  #count = 0;

  constructor(maxRow: number) {
    this.#scores = new Float64Array(maxRow + 1);
    this.#touched = new Int32Array(maxRow + 1);
  }

  /** How many rows have a score. */
  get size(): number {
    return this.#count;
  }

  /** Adds a unit's scores, each times `factor`; to members of `admitted`, or to all. */
  add({ rows, scores }: Postings, factor: number, admitted?: RowSet): void {
    const sums = this.#scores;
    const admits = admitted?.bits;
    for (let i = 0; i < scores.length; i++) {
      const row = rows[i] as number;
      if (admits !== undefined && admits[row] !== 1) continue;
      const sum = sums[row] as number;
      if (sum === 0) this.#touched[this.#count++] = row;
      sums[row] = sum + (scores[i] as number) * factor;
    }
  }

  /** The `rank`-th highest score; 0 when fewer rows have one. */
  scoreAt(rank: number): number {
    if (rank > this.#count) return 0;
    const heap = new Float64Array(rank);
    let least = 0;
    for (let i = 0; i < this.#count; i++) {
      const score = this.#scores[this.#touched[i] as number] as number;
      if (score <= least) continue;
      replaceLeast(heap, score);
      least = heap[0] as number;
    }
    return least;
  }

  /** The rows that score at least this, in no order. */
  rowsFrom(score: number): readonly ScoredRow[] {
    const found: ScoredRow[] = [];
    for (let i = 0; i < this.#count; i++) {
      const row = this.#touched[i] as number;
      const own = this.#scores[row] as number;
      if (own >= score) found.push({ row, score: own });
    }
    return found;
  }

  /** The best `limit` rows and all that score like the last of them, in no order; forgets all scores on the way. */
  takeBest(limit: number): readonly ScoredRow[] {
    const heap = new Float64Array(limit);
    let least = 0;
    let kept = 0; // rows that were among the best when they were looked at take the places of those before
    for (let i = 0; i < this.#count; i++) {
      const row = this.#touched[i] as number;
      const score = this.#scores[row] as number;
      if (score < least) {
        this.#scores[row] = 0;
        continue;
      }
      this.#touched[kept++] = row;
      if (score === least) continue;
      replaceLeast(heap, score);
      least = heap[0] as number;
    }
    this.#count = kept;
    const found = this.rowsFrom(least);
    this.clear();
    return found;
  }

  /** Forgets all scores. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#scores[this.#touched[i] as number] = 0;
    this.#count = 0;
  }
}

/** Puts a value in the place of the least one of a binary min-heap. */
function replaceLeast(heap: Float64Array, value: number): void {
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
  /** By row: 1 for a member. */
  readonly bits: Uint8Array;
  #size = 0;

  constructor(maxRow: number, rows: Iterable<number> = []) {
    this.bits = new Uint8Array(maxRow + 1);
    for (const row of rows) this.add(row);
  }

  /** Of ranges that do not overlap, each a first row and how many. */
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

  /** Takes in every row there can be. */
  fill(): void {
    this.bits.fill(1);
    this.#size = this.bits.length;
  }

  /** Its members, ascending. */
  rows(): readonly number[] {
    const rows: number[] = [];
    for (let row = this.bits.indexOf(1); row >= 0; row = this.bits.indexOf(1, row + 1)) rows.push(row);
    return rows;
  }
}

/**
 * What a word of grammar counts in source code. How rare a word is says what it is worth among sentences, where `which` and
 * `whether` are common. In code they are rarer than most names, and what holds them is a message or a template.
 */
const SHARE_IN_CODE = 0.25;

const muted = new WeakMap<Postings, Postings>();

/** The postings of another source, in which some units add less to the rows of source code. */
export class MutedPostings implements PostingSource {
  readonly #source: PostingSource;
  readonly #units: ReadonlySet<string>;
  readonly #code: RowSet;

  constructor(source: PostingSource, units: ReadonlySet<string>, code: RowSet) {
    this.#source = source;
    this.#units = units;
    this.#code = code;
  }

  get rowCount(): number {
    return this.#source.rowCount;
  }

  get maxRow(): number {
    return this.#source.maxRow;
  }

  get isCold(): boolean {
    return this.#source.isCold;
  }

  frequency(unit: string): number {
    return this.#source.frequency(unit);
  }

  isWarm(unit: string): boolean {
    return this.#source.isWarm(unit);
  }

  isCheap(unit: string): boolean {
    return this.#source.isCheap(unit);
  }

  postings(unit: string): Postings {
    const list = this.#source.postings(unit);
    if (!this.#units.has(unit)) return list;
    let known = muted.get(list);
    if (known === undefined) muted.set(list, (known = this.#mute(list)));
    return known;
  }

  postingsAmong(unit: string, rows: readonly number[]): Postings {
    const list = this.#source.postingsAmong(unit, rows);
    return this.#units.has(unit) ? this.#mute(list) : list;
  }

  /** Of a unit that is muted, all: the best of the source need not be the best here. */
  best(unit: string, limit: number): Postings {
    return this.#units.has(unit) ? this.postings(unit) : this.#source.best(unit, limit);
  }

  #mute({ rows, scores }: Postings): Postings {
    return {
      rows,
      scores: scores.map((score, at) => (this.#code.has(rows[at] as number) ? score * SHARE_IN_CODE : score)),
    };
  }
}
