import { isAscii } from 'node:buffer';

/** The rows that hold one term, ascending, and how often: occurrences weighed by their columns. */
export interface TermRows {
  readonly rows: Int32Array;
  readonly frequencies: Float64Array;
}

/** How much one column counts against another: text, heading, symbol, cjk. */
export const COLUMN_WEIGHTS = [1, 1.2, 2, 1] as const;

/** The rows of a term in one segment, as they are stored. */
export interface Doclist {
  readonly bytes: Uint8Array;
  /** Where in them a row is not counted from the one before. */
  readonly restarts: readonly number[];
  /** Rows that were removed after the segment was written. */
  readonly removed: ReadonlySet<number>;
}

/** The list of a term: counting its rows takes a third of the time of reading them. */
export class StoredList {
  readonly #lists: readonly Doclist[];
  #count: number | undefined;

  constructor(lists: readonly Doclist[]) {
    this.#lists = lists;
  }

  /** How many rows hold the term. */
  get count(): number {
    const hasRemoved = this.#lists.some(({ removed }) => removed.size > 0);
    this.#count ??= hasRemoved ? readRows(this.#lists, countAll(this.#lists)).rows.length : countAll(this.#lists);
    return this.#count;
  }

  /** The rows that hold the term, or those of them among some others, which ascend: what is left out takes a third of the time. */
  read(among?: readonly number[]): TermRows {
    return ascending(readRows(this.#lists, among?.length ?? this.count, among));
  }
}

/** How many rows lists have, with those that were removed. */
export function countAll(lists: readonly Doclist[]): number {
  return lists.reduce((sum, list) => sum + countRows(list), 0);
}

/** How many rows a list has, with those that were removed. */
function countRows({ bytes }: Doclist): number {
  let count = 0;
  let at = 0;
  for (; at < bytes.length; count++) {
    while ((bytes[at++] as number) > 127);
    let size = 0;
    let byte: number;
    do {
      byte = bytes[at++] as number;
      size = size * 128 + (byte & 127);
    } while (byte > 127);
    at += size >> 1;
  }
  if (at !== bytes.length) throw new RangeError('a list does not end where it should');
  return count;
}

/** `capacity` is how many rows there are at most. */
function readRows(lists: readonly Doclist[], capacity: number, among?: readonly number[]): TermRows {
  const into = { rows: new Int32Array(capacity), frequencies: new Float64Array(capacity) };
  const wanted = among === undefined ? null : Int32Array.from(among);
  const count = lists.reduce((before, list) => readList(list, { into, before, wanted }), 0);
  return { rows: into.rows.subarray(0, count), frequencies: into.frequencies.subarray(0, count) };
}

/** So many bytes of places are counted at once where each is a place: where a term stands again and again. */
const MANY_PLACES = 128;

/** Whether all places lie close to each other, in the first column: a 1 would be the mark of another one. */
function isOneByteEach(places: Uint8Array): boolean {
  return isAscii(places) && !places.includes(1);
}

/** Where the rows of a list go, behind how many that are there, and which of them, if not all. */
interface Reading {
  readonly into: TermRows;
  readonly before: number;
  readonly wanted: Int32Array | null;
}

/** Adds the rows of a list; returns how many there are then. */
function readList({ bytes, restarts, removed }: Doclist, { into, before, wanted }: Reading): number {
  const { rows, frequencies } = into;
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
    const end = at + (size >> 1);
    if (wanted !== null) {
      while (next < wanted.length && (wanted[next] as number) < row) next++;
      if (wanted[next] !== row) {
        at = end;
        continue;
      }
    }
    let frequency = 0;
    let weight: number = COLUMN_WEIGHTS[0];
    if (end - at >= MANY_PLACES && isOneByteEach(bytes.subarray(at, end))) {
      frequency = (end - at) * weight;
      at = end;
    }
    while (at < end) {
      byte = bytes[at++] as number;
      if (byte === 1) {
        weight = COLUMN_WEIGHTS[bytes[at++] as number] ?? 1;
        continue;
      }
      while (byte > 127) byte = bytes[at++] as number;
      frequency += weight;
    }
    if (at !== end) throw new RangeError('the places of a row do not end where they should');
    if (removed.size > 0 && removed.has(row)) continue;
    rows[count] = row;
    frequencies[count++] = frequency;
  }
  if (at !== bytes.length || restart !== restarts.length) throw new RangeError('a list does not end where it should');
  return count;
}

/** Segments overlap where documents were written again. */
function ascending({ rows, frequencies }: TermRows): TermRows {
  const order = orderOf(rows);
  if (order === null) return { rows, frequencies };
  return {
    rows: Int32Array.from(order, (i) => rows[i] as number),
    frequencies: Float64Array.from(order, (i) => frequencies[i] as number),
  };
}

/** In which order rows ascend; null where they do as they are. */
export function orderOf(rows: Int32Array): Uint32Array | null {
  let sorted = 1;
  while (sorted < rows.length && (rows[sorted] as number) > (rows[sorted - 1] as number)) sorted++;
  if (sorted >= rows.length) return null;
  return Uint32Array.from(rows.keys()).toSorted((a, b) => (rows[a] as number) - (rows[b] as number));
}
