import { type FoundRows, PostingKernel } from './kernel/posting-kernel.ts';

/** The relative weights of the columns text, heading, symbol and cjk. */
export const COLUMN_WEIGHTS = [1, 1.2, 2, 1] as const;

/** The stored posting list of a term in one segment. */
export interface Doclist {
  /** The bytes of the list, one part for each page. */
  readonly parts: readonly Uint8Array[];
  /** Offsets into the bytes at which a row is stored absolutely instead of relative to the previous one. */
  readonly restarts: readonly number[];
  /** Rows that were removed after the segment was written. */
  readonly removed: ReadonlySet<number>;
}

/** Checks a result of the kernel. */
function checked(result: number): number {
  if (result < 0) throw new RangeError('a list does not end where it should');
  return result;
}

/**
 * The rows of a term, or of a phrase, whose terms must be adjacent in one column. FTS5 counts the same occurrences at ten times the cost.
 * Throws a `RangeError` if the stored lists are malformed.
 */
export class StoredRows {
  readonly #terms: readonly (readonly Doclist[])[];
  #count: number | undefined;
  #phrase: FoundRows | undefined;

  /** `terms` are the lists of each term, in the order of the phrase. */
  constructor(terms: readonly (readonly Doclist[])[]) {
    this.#terms = terms;
  }

  /** The number of rows. For a single term, counting takes a third of the time of reading. */
  get count(): number {
    return (this.#count ??= this.#countRows());
  }

  /** All rows, or those in `among`, which must ascend. The caller may modify the result. */
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
/** Terminates a list of wanted rows. */
const NO_ROW = 2 ** 31 - 1;
/** A found row consists of its number and of the start and end of its positions, each an i32. */
const FOUND = 3;
const FOUND_BYTES = 4 * FOUND;
const PLACE_BYTES = 8;

function hasRemoved(lists: readonly Doclist[]): boolean {
  return lists.some(({ removed }) => removed.size > 0);
}

interface TermReading {
  readonly among: readonly number[] | undefined;
  /** The number of rows of the lists, if known. */
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

/** Finds the rows of all terms, from the shortest list to the longest, then intersects their positions, from the fewest rows on. */
function readPhrase(lists: readonly (readonly Doclist[])[]): FoundRows {
  return PostingKernel.use((kernel) => {
    const weights = kernel.putNumbers(WEIGHTS);
    const terms = lists.map((ofTerm, behind) => ({ behind, term: new TermInMemory(kernel, ofTerm) }));
    let found: Extent | undefined;
    const rows = terms
      .toSorted((a, b) => a.term.bytes - b.term.bytes)
      .map(({ behind, term }) => ({ behind, term, found: (found = term.find(found)) }));
    let places: Extent | undefined;
    for (const { behind, term, found: some } of rows.toReversed()) {
      const at = kernel.reserve(PLACE_BYTES * term.bytes);
      const end = checked(kernel.run.places(some.at, some.end, behind, at));
      if (places === undefined) places = { at, end };
      else places = { at: places.at, end: kernel.run.common(places.at, places.end, at, end) };
    }
    const { at, end } = places ?? { at: 0, end: 0 };
    const max = (end - at) / PLACE_BYTES;
    const [into, frequencies] = [kernel.reserve(4 * max), kernel.reserve(8 * max)];
    return kernel.rows(into, frequencies, kernel.run.tally(at, end, weights, into, frequencies));
  });
}

/** A range of addresses in the memory of a kernel. */
interface Extent {
  readonly at: number;
  readonly end: number;
}

/** Copies wanted rows into the memory, in the format that `walk` expects. */
function putRows(kernel: PostingKernel, rows: readonly number[]): Extent {
  const numbers = new Int32Array(FOUND * (rows.length + 1));
  for (const [i, row] of rows.entries()) numbers[FOUND * i] = row;
  numbers[FOUND * rows.length] = NO_ROW;
  const at = kernel.putNumbers(numbers);
  return { at, end: at + FOUND_BYTES * rows.length };
}

interface ListInMemory extends Extent {
  /** The address of the restarts of the list. */
  readonly restarts: number;
  readonly removed: ReadonlySet<number>;
}

/** The lists of one term in the memory of a kernel. */
class TermInMemory {
  /** The total size of the lists. */
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

  /** The number of rows of the lists, including removed ones. */
  count(): number {
    const { run } = this.#kernel;
    return this.#lists.reduce((sum, { at, end, restarts }) => sum + checked(run.walk(at, end, restarts, 0, 0, 0)), 0);
  }

  /** The rows of the term, ascending, or those of them that are wanted, followed by a terminator. */
  find(wanted?: Extent, counted = wanted === undefined ? this.count() : 0): Extent {
    const kernel = this.#kernel;
    const max = wanted === undefined ? FOUND_BYTES * counted : wanted.end - wanted.at;
    const at = kernel.reserve(max + FOUND_BYTES);
    let end = at;
    const lasts: number[] = [];
    for (const list of this.#lists) {
      const found = checked(kernel.run.walk(list.at, list.end, list.restarts, wanted?.at ?? 0, end, at + max));
      end = this.#withoutRemoved(list, { at: end, end: found });
      lasts.push(end);
    }
    this.#sort(at, lasts);
    kernel.int32(end, 1)[0] = NO_ROW;
    return { at, end };
  }

  #withoutRemoved({ removed }: ListInMemory, { at, end }: Extent): number {
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

  /** Sorts rows unless they ascend already. Each list ascends, but lists overlap if documents were written again. */
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
