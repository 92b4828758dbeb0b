import { COLUMN_WEIGHTS, countAll, type Doclist, orderOf, type TermRows } from './stored-list.ts';

/** The rows of what is looked for, to be counted first and read when they are needed. */
export interface StoredRows {
  /** How many rows there are. */
  readonly count: number;
  /** All rows, or those of them among some others, which ascend. The result is the caller's own. */
  read(among?: readonly number[]): TermRows;
}

/** Keeps places in different columns apart: no place in a column is as high. */
const A_COLUMN = 2 ** 32;

/**
 * The list of several terms in a row: where one begins right behind the other, in one column. FTS5 counts the same places, at ten
 * times the price.
 */
export class StoredPhrase implements StoredRows {
  readonly #terms: readonly (readonly Doclist[])[];
  #read: TermRows | undefined;

  /** Takes the lists of the terms, in the order of the phrase. */
  constructor(terms: readonly (readonly Doclist[])[]) {
    this.#terms = terms;
  }

  get count(): number {
    return this.#all().rows.length;
  }

  read(among?: readonly number[]): TermRows {
    const { rows, frequencies } = this.#all();
    if (among === undefined) return { rows, frequencies: frequencies.slice() };
    const wanted = new Set(among);
    const places = [...rows.keys()].filter((i) => wanted.has(rows[i] as number));
    return {
      rows: Int32Array.from(places, (i) => rows[i] as number),
      frequencies: Float64Array.from(places, (i) => frequencies[i] as number),
    };
  }

  #all(): TermRows {
    return (this.#read ??= readPhrase(this.#terms));
  }
}

/** Walks from the term with the shortest list, so that of long ones only the rows are looked at that hold all before. */
function readPhrase(terms: readonly (readonly Doclist[])[]): TermRows {
  const sizeOf = (at: number): number => (terms[at] ?? []).reduce((sum, { bytes }) => sum + bytes.length, 0);
  const located = new Map<number, TermPlaces>();
  let wanted: Int32Array | null = null;
  for (const at of [...terms.keys()].toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    const places = new TermPlaces(terms[at] ?? [], wanted);
    located.set(at, places);
    wanted = places.rows;
  }
  return countTogether(
    [...terms.keys()].map((at) => located.get(at) as TermPlaces),
    wanted ?? new Int32Array(),
  );
}

/** How often the terms follow each other in each of the rows that hold all of them, weighed by columns; rows where they never do are left out. */
function countTogether(terms: readonly TermPlaces[], candidates: Int32Array): TermRows {
  const rows = new Int32Array(candidates.length);
  const frequencies = new Float64Array(candidates.length);
  let count = 0;
  for (const row of candidates) {
    let begins: readonly number[] | null = null;
    for (const [behind, term] of terms.entries()) {
      begins = term.beginsOf(row, behind, begins);
      if (begins.length === 0) break;
    }
    if (begins === null || begins.length === 0) continue;
    rows[count] = row;
    frequencies[count++] = begins.reduce((sum, begin) => sum + (COLUMN_WEIGHTS[Math.floor(begin / A_COLUMN)] ?? 1), 0);
  }
  return { rows: rows.slice(0, count), frequencies: frequencies.slice(0, count) };
}

/** Where the places of one term are stored, row by row. */
class TermPlaces {
  /** Ascending. */
  readonly rows: Int32Array;
  readonly #lists: readonly Doclist[];
  /** Of each row: in which list its places are, from where and to where. */
  readonly #in: Int32Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  #next = 0;

  /** Takes all rows of the lists, or those of them that are wanted, which ascend. */
  constructor(lists: readonly Doclist[], wanted: Int32Array | null) {
    const capacity = wanted?.length ?? countAll(lists);
    const found = Array.from({ length: 4 }, () => new Int32Array(capacity)) as [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ];
    this.#lists = lists;
    let count = 0;
    for (const [number, list] of lists.entries()) count = locate(list, { number, into: found, before: count, wanted });
    const [rows, ...places] = found.map((array) => array.subarray(0, count)) as typeof found;
    const order = orderOf(rows);
    const ordered = (array: Int32Array): Int32Array =>
      order === null ? array : Int32Array.from(order, (i) => array[i] as number);
    this.rows = ordered(rows);
    [this.#in, this.#from, this.#to] = places.map(ordered) as [Int32Array, Int32Array, Int32Array];
  }

  /** Where in a row a phrase may begin, of which this term is the one so many places behind the first; rows are asked for in order. */
  beginsOf(row: number, behind: number, known: readonly number[] | null): readonly number[] {
    while ((this.rows[this.#next] ?? row) < row) this.#next++;
    if (this.rows[this.#next] !== row) return [];
    const { bytes } = this.#lists[this.#in[this.#next] as number] as Doclist;
    const to = this.#to[this.#next] as number;
    const begins: number[] = [];
    let [place, at, i] = [-behind, this.#from[this.#next] as number, 0];
    while (at < to) {
      let value = 0;
      let byte: number;
      do {
        byte = bytes[at++] as number;
        value = value * 128 + (byte & 127);
      } while (byte > 127);
      if (value === 1) {
        place = (bytes[at++] as number) * A_COLUMN - behind;
        continue;
      }
      place += value - 2;
      if (known !== null) while (i < known.length && (known[i] as number) < place) i++;
      if (known === null || known[i] === place) begins.push(place);
    }
    if (at !== to) throw new RangeError('the places of a row do not end where they should');
    return begins;
  }
}

/** Where the rows that are found go: row, number of its list, beginning and end of its places. */
interface Locating {
  readonly number: number;
  readonly into: readonly [rows: Int32Array, lists: Int32Array, from: Int32Array, to: Int32Array];
  readonly before: number;
  readonly wanted: Int32Array | null;
}

/** Adds the rows of a list; returns how many there are then. */
function locate({ bytes, restarts, removed }: Doclist, { number, into, before, wanted }: Locating): number {
  const [rows, lists, begins, ends] = into;
  let [count, row, restart, at, next] = [before, 0, 0, 0, 0];
  while (at < bytes.length) {
    if (at === restarts[restart]) {
      restart++;
      row = 0;
    }
    let value = 0;
    let byte: number;
    do {
      byte = bytes[at++] as number;
      value = value * 128 + (byte & 127);
    } while (byte > 127);
    row += value;
    let size = 0;
    do {
      byte = bytes[at++] as number;
      size = size * 128 + (byte & 127);
    } while (byte > 127);
    if (size % 2 === 1) throw new RangeError('a row is marked as removed within its segment');
    const from = at;
    at += size >> 1;
    if (wanted !== null) {
      while (next < wanted.length && (wanted[next] as number) < row) next++;
      if (wanted[next] !== row) continue;
    }
    if (removed.size > 0 && removed.has(row)) continue;
    rows[count] = row;
    lists[count] = number;
    begins[count] = from;
    ends[count++] = at;
  }
  if (at !== bytes.length || restart !== restarts.length) throw new RangeError('a list does not end where it should');
  return count;
}
