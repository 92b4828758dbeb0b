import { type FoundRows, PostingKernel } from './kernel/posting-kernel.ts';

/** How much one column counts against another: text, heading, symbol, cjk. */
export const COLUMN_WEIGHTS = [1, 1.2, 2, 1] as const;

/** The rows of a term in one segment, as they are stored. */
export interface Doclist {
  /** Pages of a list that goes on over several. */
  readonly parts: readonly Uint8Array[];
  /** Where in their bytes a row is not counted from the one before. */
  readonly restarts: readonly number[];
  /** Rows that were removed after the segment was written. */
  readonly removed: ReadonlySet<number>;
}

/** What the kernel returns. */
function checked(result: number): number {
  if (result < 0) throw new RangeError('a list does not end where it should');
  return result;
}

/**
 * The rows of a term, or of several that stand in a row: where one begins right behind the other, in one column. FTS5 counts the same
 * places, at ten times the price. What is stored as it cannot be is a `RangeError`.
 */
export class StoredRows {
  readonly #terms: readonly (readonly Doclist[])[];
  #count: number | undefined;
  #phrase: FoundRows | undefined;

  /** Takes the lists of the terms, in the order of the phrase. */
  constructor(terms: readonly (readonly Doclist[])[]) {
    this.#terms = terms;
  }

  /** How many rows there are: of a term that takes a third of the time of reading them. */
  get count(): number {
    return (this.#count ??= this.#countRows());
  }

  /** All rows, or those of them among some others, which ascend. The result is the caller's own. */
  read(among?: readonly number[]): FoundRows {
    const [first = [], ...others] = this.#terms;
    if (others.length === 0) return readTerm(first, { among, counted: hasRemoved(first) ? undefined : this.#count });
    const { rows, frequencies } = (this.#phrase ??= readPhrase(this.#terms));
    if (among === undefined) return { rows, frequencies: frequencies.slice() };
    const wanted = new Set(among);
    const places = [...rows.keys()].filter((i) => wanted.has(rows[i] as number));
    return {
      rows: Int32Array.from(places, (i) => rows[i] as number),
      frequencies: Float64Array.from(places, (i) => frequencies[i] as number),
    };
  }

  #countRows(): number {
    const [first = [], ...others] = this.#terms;
    if (others.length > 0 || hasRemoved(first)) return this.read().rows.length;
    return PostingKernel.use((kernel) => new TermInMemory(kernel, first).count());
  }
}

const WEIGHTS = Float64Array.from(COLUMN_WEIGHTS);
/** Behind the rows that are wanted. */
const NO_ROW = 2 ** 31 - 1;
/** A row, and where its places begin and end, in numbers of four bytes. */
const FOUND = 3;
const FOUND_BYTES = 4 * FOUND;
const PLACE_BYTES = 8;

function hasRemoved(lists: readonly Doclist[]): boolean {
  return lists.some(({ removed }) => removed.size > 0);
}

interface TermReading {
  readonly among: readonly number[] | undefined;
  /** How many rows the lists have, where they were counted before. */
  readonly counted: number | undefined;
}

function readTerm(lists: readonly Doclist[], { among, counted }: TermReading): FoundRows {
  return PostingKernel.use((kernel) => {
    const weights = kernel.putNumbers(WEIGHTS);
    const term = new TermInMemory(kernel, lists);
    const found = term.find(among === undefined ? undefined : putRows(kernel, among), counted);
    const count = (found.end - found.at) / FOUND_BYTES;
    const [rows, frequencies] = [kernel.reserve(4 * count), kernel.reserve(8 * count)];
    checked(kernel.run.weigh(found.at, found.end, weights, rows, frequencies));
    return kernel.rows(rows, frequencies, count);
  });
}

/** Finds the rows of the term with the shortest list, of longer ones those alone that hold all before; then places, from the fewest on. */
function readPhrase(lists: readonly (readonly Doclist[])[]): FoundRows {
  return PostingKernel.use((kernel) => {
    const weights = kernel.putNumbers(WEIGHTS);
    const terms = lists.map((ofTerm, behind) => ({ behind, term: new TermInMemory(kernel, ofTerm) }));
    let found: Stretch | undefined;
    const rows = terms
      .toSorted((a, b) => a.term.bytes - b.term.bytes)
      .map(({ behind, term }) => ({ behind, term, found: (found = term.find(found)) }));
    let places: Stretch | undefined;
    for (const { behind, term, found: some } of rows.toReversed()) {
      const at = kernel.reserve(PLACE_BYTES * term.bytes);
      const end = checked(kernel.run.places(some.at, some.end, behind, at));
      if (places === undefined) places = { at, end };
      else places = { at: places.at, end: kernel.run.common(places.at, places.end, at, end) };
    }
    const { at, end } = places ?? { at: 0, end: 0 };
    const most = (end - at) / PLACE_BYTES;
    const [into, frequencies] = [kernel.reserve(4 * most), kernel.reserve(8 * most)];
    return kernel.rows(into, frequencies, kernel.run.tally(at, end, weights, into, frequencies));
  });
}

/** What lies in the memory of a kernel, from where to where. */
interface Stretch {
  readonly at: number;
  readonly end: number;
}

/** Rows as the kernel takes those that are wanted. */
function putRows(kernel: PostingKernel, rows: readonly number[]): Stretch {
  const numbers = new Int32Array(FOUND * (rows.length + 1));
  for (const [i, row] of rows.entries()) numbers[FOUND * i] = row;
  numbers[FOUND * rows.length] = NO_ROW;
  const at = kernel.putNumbers(numbers);
  return { at, end: at + FOUND_BYTES * rows.length };
}

interface ListInMemory extends Stretch {
  /** Where the kernel finds those of the list. */
  readonly restarts: number;
  readonly removed: ReadonlySet<number>;
}

/** The lists of one term in the memory of a kernel. */
class TermInMemory {
  /** Of all lists. */
  readonly bytes: number;
  readonly #kernel: PostingKernel;
  readonly #lists: readonly ListInMemory[];

  constructor(kernel: PostingKernel, lists: readonly Doclist[]) {
    this.#kernel = kernel;
    this.#lists = lists.map(({ parts, restarts, removed }) => {
      const at = kernel.put(parts);
      const end = at + parts.reduce((sum, { length }) => sum + length, 0);
      return {
        at,
        end,
        restarts: kernel.putNumbers(Int32Array.from([...restarts.map((from) => at + from), 0])),
        removed,
      };
    });
    this.bytes = this.#lists.reduce((sum, { at, end }) => sum + end - at, 0);
  }

  /** How many rows the lists have, with those that were removed. */
  count(): number {
    const { run } = this.#kernel;
    return this.#lists.reduce((sum, { at, end, restarts }) => sum + checked(run.walk(at, end, restarts, 0, 0, 0)), 0);
  }

  /** The rows of the term, ascending, or those of them that are wanted, with the mark of an end behind them. */
  find(wanted?: Stretch, counted = wanted === undefined ? this.count() : 0): Stretch {
    const kernel = this.#kernel;
    const most = wanted === undefined ? FOUND_BYTES * counted : wanted.end - wanted.at;
    const at = kernel.reserve(most + FOUND_BYTES);
    let end = at;
    const lasts: number[] = [];
    for (const list of this.#lists) {
      const found = checked(kernel.run.walk(list.at, list.end, list.restarts, wanted?.at ?? 0, end, at + most));
      end = this.#withoutRemoved(list, { at: end, end: found });
      lasts.push(end);
    }
    this.#sort(at, lasts);
    kernel.int32(end, 1)[0] = NO_ROW;
    return { at, end };
  }

  #withoutRemoved({ removed }: ListInMemory, { at, end }: Stretch): number {
    if (removed.size === 0) return end;
    const found = this.#kernel.int32(at, (end - at) / 4);
    let kept = 0;
    for (let i = 0; i < found.length; i += FOUND) {
      if (removed.has(found[i] as number)) continue;
      found.copyWithin(kept, i, i + FOUND);
      kept += FOUND;
    }
    return at + 4 * kept;
  }

  /** Each list ascends; several overlap where documents were written again. */
  #sort(at: number, lasts: readonly number[]): void {
    const end = lasts.at(-1) ?? at;
    const found = this.#kernel.int32(at, (end - at) / 4);
    const isInOrder = lasts.every((last) => {
      const next = (last - at) / 4;
      return last === at || last === end || (found[next] as number) > (found[next - FOUND] as number);
    });
    if (isInOrder) return;
    const before = found.slice();
    const order = Uint32Array.from({ length: before.length / FOUND }, (_, i) => FOUND * i);
    order.sort((a, b) => (before[a] as number) - (before[b] as number));
    for (const [i, from] of order.entries()) found.set(before.subarray(from, from + FOUND), FOUND * i);
  }
}
