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

interface ScoredSlot {
  readonly slot: number;
  readonly score: number;
}

/** How many slots are collected before those that are not among the best are dropped, in capacities. */
const COLLECTED = 4;

/** Keeps the best of the offered slots: highest score first, equal scores by slot. */
export class BestSlots {
  readonly #capacity: number;
  #slots: ScoredSlot[] = [];
  #floor = -Infinity;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** A score must not be below this to be kept. */
  get floor(): number {
    return this.#floor;
  }

  offer(slot: number, score: number): void {
    if (score < this.#floor) return;
    this.#slots.push({ slot, score });
    if (this.#slots.length > this.#capacity * COLLECTED) this.#slots = [...this.sorted()];
  }

  /** The kept slots, best first. */
  sorted(): readonly ScoredSlot[] {
    const best = this.#slots.toSorted((a, b) => b.score - a.score || a.slot - b.slot).slice(0, this.#capacity);
    if (best.length === this.#capacity) this.#floor = best.at(-1)?.score ?? Infinity;
    return best;
  }
}

/** The dot product of two vectors of equal length; for unit vectors their cosine. */
function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
