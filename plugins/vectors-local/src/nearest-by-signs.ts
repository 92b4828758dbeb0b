import type { VectorHit } from '@kebab/core';
import type { RowReader } from './database/row-reader.ts';
import type { SegmentHead } from './database/segment-reader.ts';
import { BestSlots, cosine } from './nearest.ts';
import { BLOCK_ROWS, SEGMENT_ROWS } from './segment-layout.ts';
import type { SignBounds, SignSource } from './sign-bounds.ts';
import type { SignQuery } from './sign-code.ts';
import type { AdmittedRows } from './slot-filter.ts';

/** The input of a search by signs. */
export interface SignRequest {
  readonly signs: SignBounds;
  readonly source: SignSource;
  readonly rows: RowReader;
  readonly admitted: AdmittedRows;
  /** A unit vector. */
  readonly query: Float32Array;
  readonly limit: number;
}

/** How many candidates the scan keeps: at most this many vectors are compared in full precision, fewer with second signs. */
function maxCandidates(limit: number, hasSeconds: boolean): number {
  return hasSeconds ? 2500 + 40 * limit : Math.min(1500 + 40 * limit, 4096 + 16 * limit);
}

/**
 * How many standard deviations bounds are above estimates: one vector in 82 exceeds two and a quarter of them, one in 44 two. In a long
 * list few vectors are so close to its end that this matters, and most of its cost is comparing candidates.
 */
function deviationsFor(limit: number): number {
  return limit > 50 ? 2 : 2.25;
}

/** How many candidates beyond the limit are compared in full precision regardless of their bounds; fewer with second signs. */
const [SURE_CANDIDATES, SURE_BY_SECONDS] = [256, 32];

/** How many candidates are compared before the floor is updated. */
const BATCH = 64;

/**
 * The allowed vectors nearest to the query, except for a few in a thousand: candidates with the highest bounds are compared in full
 * precision, from the highest down, until no bound reaches the last of the best. Null if signs are missing.
 */
export function nearestBySigns(request: SignRequest): readonly VectorHit[] | null {
  const { signs, source, rows, query, limit } = request;
  const signQuery = source.centre.code.query(query, deviationsFor(limit));
  const highest = highestBounds(request, signQuery);
  if (highest === null) return null;
  const best = new BestSlots(limit);
  const compare = (slots: Float64Array): number => {
    for (const slot of slots) best.offer(slot, cosine(query, rows.vector(source.row, slot)));
    return best.floor - signQuery.base;
  };
  const nearer = signs.nearer?.(signQuery, deviationsFor(limit));
  let floor = compare(highest.take(limit + (nearer === undefined ? SURE_CANDIDATES : SURE_BY_SECONDS), -Infinity));
  const candidates = nearer === undefined ? highest : highest.map(nearer, floor);
  for (let slots = candidates.take(BATCH, floor); slots.length > 0; slots = candidates.take(BATCH, floor))
    floor = compare(slots);
  return best.sorted().map(({ slot, score }) => {
    const { embeddingId, chunkId } = rows.record(source.row, slot);
    return { embeddingId, chunkId, score };
  });
}

function highestBounds(
  { signs, admitted: { mask, counts }, limit }: SignRequest,
  query: SignQuery,
): HighestBounds | null {
  const highest = new HighestBounds(maxCandidates(limit, signs.nearer !== undefined));
  signs.setQuery(query);
  const { heads } = signs;
  for (let at = 0; at < heads.length; at++) {
    if (counts[at] === 0) continue;
    const found = signs.bounds(heads[at] as SegmentHead, highest.floor);
    if (found === null) return null;
    const { bounds, reached } = found;
    const isWhole = counts[at] === SEGMENT_ROWS; // then the mask, which is no longer in the CPU cache, need not be read
    for (let block = 0; block < SEGMENT_ROWS / BLOCK_ROWS; block++)
      for (let bits = reached[block] as number; bits !== 0; bits &= bits - 1) {
        const row = block * BLOCK_ROWS + 31 - Math.clz32(bits & -bits);
        if (isWhole || mask[at * SEGMENT_ROWS + row] === 1)
          highest.offer(at * SEGMENT_ROWS + row, bounds[row] as number);
      }
  }
  return highest;
}

/**
 * Keeps the highest of the offered bounds. They are appended as they come, and when the buffer is full the lower half is dropped: a scan
 * offers tens of thousands, of which thousands remain, and a heap of that size would cost more than all later comparisons.
 */
export class HighestBounds {
  readonly #capacity: number;
  readonly #bounds: Float32Array;
  readonly #slots: Float64Array;
  #size = 0;
  #floor = -Infinity;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#bounds = new Float32Array(2 * capacity);
    this.#slots = new Float64Array(2 * capacity);
  }

  /** A bound must reach this to be kept. */
  get floor(): number {
    return this.#floor;
  }

  /** Adds a slot if its bound is high enough. */
  offer(slot: number, bound: number): void {
    if (bound < this.#floor) return;
    this.#slots[this.#size] = slot;
    this.#bounds[this.#size++] = bound;
    if (this.#size < this.#bounds.length) return;
    this.#trim();
    this.#floor = this.#bounds.subarray(0, this.#size).reduce((least, kept) => Math.min(least, kept));
  }

  /** The slots whose bounds are not below a floor, with new bounds. */
  map(boundOf: (slot: number, bound: number) => number, floor: number): HighestBounds {
    this.#trim();
    this.#drop(floor);
    const other = new HighestBounds(this.#capacity);
    for (let at = 0; at < this.#size; at++) {
      const slot = this.#slots[at] as number;
      other.offer(slot, boundOf(slot, this.#bounds[at] as number));
    }
    return other;
  }

  /** Removes and returns the slots with the highest bounds, none of them below a floor, by number, which is their order in the file. */
  take(count: number, floor: number): Float64Array {
    this.#trim();
    this.#drop(floor);
    const taken = Math.min(count, this.#size);
    this.#bringForward(taken);
    const slots = this.#slots.subarray(0, taken).toSorted();
    this.#slots.copyWithin(0, taken, this.#size);
    this.#bounds.copyWithin(0, taken, this.#size);
    this.#size -= taken;
    return slots;
  }

  #trim(): void {
    if (this.#size <= this.#capacity) return;
    this.#bringForward(this.#capacity);
    this.#size = this.#capacity;
  }

  #drop(floor: number): void {
    let kept = 0;
    for (let at = 0; at < this.#size; at++) if ((this.#bounds[at] as number) >= floor) this.#swap(kept++, at);
    this.#size = kept;
  }

  /** Moves the `count` highest bounds to the front (Hoare's quickselect). */
  #bringForward(count: number): void {
    const bounds = this.#bounds;
    let first = 0;
    let last = this.#size - 1;
    while (first < last) {
      const pivot = bounds[(first + last) >> 1] as number;
      let left = first;
      let right = last;
      while (left <= right) {
        while ((bounds[left] as number) > pivot) left++;
        while ((bounds[right] as number) < pivot) right--;
        if (left <= right) this.#swap(left++, right--);
      }
      if (count <= right) last = right;
      else if (count > left) first = left;
      else return;
    }
  }

  #swap(one: number, other: number): void {
    const bound = this.#bounds[one] as number;
    this.#bounds[one] = this.#bounds[other] as number;
    this.#bounds[other] = bound;
    const slot = this.#slots[one] as number;
    this.#slots[one] = this.#slots[other] as number;
    this.#slots[other] = slot;
  }
}
