import type { VectorHit, VectorRecord } from '@kebab/core';
import type { CodeScores } from './code-scores.ts';
import type { SegmentHead } from './database/segment-reader.ts';
import { SEGMENT_ROWS } from './segment-layout.ts';
import type { AdmittedRows } from './slot-filter.ts';

/** The input of a search by codes. */
export interface NearestRequest {
  /** Every segment of the collection, by number. */
  readonly heads: readonly SegmentHead[];
  readonly codes: CodeScores;
  readonly record: (slot: number) => VectorRecord;
  readonly admitted: AdmittedRows;
  /** A unit vector. */
  readonly query: Float32Array;
  readonly limit: number;
}

/** Up to this many vectors are compared in full precision directly, because reading them costs less than scanning codes. */
const DIRECT_ROWS = 300;

/** The maximum number of candidates beyond the limit that are compared in full precision. */
const SPARE_CANDIDATES = 256;

/**
 * The assumed maximum error of a score by codes, in scales of the vector: rounding errors are uniformly distributed over a scale, so their
 * sum, weighted with a unit vector, has a standard deviation of scale / √12. Four of those are exceeded once in 16,000 times.
 */
const CODE_ERROR = 4 / Math.sqrt(12);

/** The allowed vectors nearest to the query: found by codes, ranked in full precision. */
export function nearest(request: NearestRequest): readonly VectorHit[] {
  const { admitted, query, limit } = request;
  const total = admitted.counts.reduce((sum, count) => sum + count, 0);
  const slots = total <= Math.max(DIRECT_ROWS, limit) ? slotsOf(admitted.mask) : candidates(request);
  return slots
    .map((slot) => ({ slot, record: request.record(slot) }))
    .map(({ slot, record }) => ({ slot, record, score: cosine(query, record.vector) }))
    .toSorted((a, b) => b.score - a.score || a.slot - b.slot)
    .slice(0, limit)
    .map(({ record: { embeddingId, chunkId }, score }) => ({ embeddingId, chunkId, score }));
}

/** Slots that could be among the best, given the error of their scores by codes. */
function candidates(request: NearestRequest): readonly number[] {
  const { heads, limit } = request;
  const best = new BestSlots(limit + SPARE_CANDIDATES);
  scan(request, best);
  const sorted = best.sorted();
  const error = (slot: number): number =>
    CODE_ERROR * ((heads[Math.floor(slot / SEGMENT_ROWS)] as SegmentHead).scales[slot % SEGMENT_ROWS] as number);
  const last = sorted[limit - 1];
  const least = last === undefined ? -Infinity : last.score - error(last.slot);
  return sorted.filter(({ slot, score }, rank) => rank < limit || score + error(slot) >= least).map(({ slot }) => slot);
}

function scan({ heads, codes, admitted, query }: NearestRequest, best: BestSlots): void {
  const { mask, counts } = admitted;
  const queryScale = codes.setQuery(query);
  for (let at = 0; at < heads.length; at++) {
    if (counts[at] === 0) continue;
    const { segment, scales } = heads[at] as SegmentHead;
    const start = at * SEGMENT_ROWS;
    const end = mask.lastIndexOf(1, start + SEGMENT_ROWS - 1) - start + 1;
    const dots = codes.scores(segment, end);
    let { floor } = best;
    for (let row = 0; row < end; row++) {
      if (mask[start + row] === 0) continue;
      const score = (dots[row] as number) * (scales[row] as number) * queryScale;
      if (score < floor) continue;
      best.offer(start + row, score);
      floor = best.floor;
    }
  }
}

function slotsOf(mask: Uint8Array): readonly number[] {
  const slots: number[] = [];
  for (let slot = mask.indexOf(1); slot >= 0; slot = mask.indexOf(1, slot + 1)) slots.push(slot);
  return slots;
}

/** The cosine of two unit vectors. */
function cosine(a: Float32Array, b: Float32Array): number {
  return Math.max(-1, Math.min(1, dotProduct(a, b)));
}

/**
 * Keeps the best of the offered slots: highest score first, equal scores by slot. A binary heap with the worst kept slot at its root, in
 * typed arrays, since a scan offers hundreds of thousands.
 */
export class BestSlots {
  readonly #capacity: number;
  readonly #scores: Float64Array;
  readonly #slots: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#scores = new Float64Array(capacity);
    this.#slots = new Float64Array(capacity);
  }

  /** A score must be above this to be kept, or equal to it with a smaller slot. */
  get floor(): number {
    return this.#size < this.#capacity ? -Infinity : (this.#scores[0] ?? Infinity);
  }

  /** Adds a slot; if it is full, replaces the worst one if this one is better. */
  offer(slot: number, score: number): void {
    if (this.#size < this.#capacity) {
      this.#rise(this.#size++, slot, score);
    } else if (this.#capacity > 0 && this.#isWorse(0, slot, score)) {
      this.#sink(slot, score);
    }
  }

  /** The kept slots, best first. */
  sorted(): readonly { readonly slot: number; readonly score: number }[] {
    return Array.from({ length: this.#size }, (_, at) => ({
      slot: this.#slots[at] as number,
      score: this.#scores[at] as number,
    })).toSorted((a, b) => b.score - a.score || a.slot - b.slot);
  }

  #isWorse(at: number, slot: number, score: number): boolean {
    const other = this.#scores[at] as number;
    return other < score || (other === score && (this.#slots[at] as number) > slot);
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, slot, score)) break;
      this.#put(at, this.#slots[parent] as number, this.#scores[parent] as number);
      at = parent;
    }
    this.#put(at, slot, score);
  }

  #sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      const right = child + 1;
      if (right < this.#size && !this.#isWorse(child, this.#slots[right] as number, this.#scores[right] as number))
        child = right;
      if (!this.#isWorse(child, slot, score)) break;
      this.#put(at, this.#slots[child] as number, this.#scores[child] as number);
      at = child;
    }
    this.#put(at, slot, score);
  }
}

/** The dot product of two vectors of equal length; for unit vectors their cosine. */
function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
