import type { VectorHit, VectorRecord } from '@kebab/core';
import { BestSlots } from './best-slots.ts';
import type { CodeScores } from './code-scores.ts';
import type { SegmentHead } from './database/segment-reader.ts';
import { SEGMENT_ROWS } from './segment-layout.ts';
import type { AdmittedRows } from './slot-filter.ts';
import { dotProduct } from './dot-product.ts';

/** What a search works on. */
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

/** So few vectors are compared in full precision at once: reading them costs less than scanning codes. */
const DIRECT_ROWS = 300;

/** How many candidates beyond the limit are at most compared in full precision. */
const SPARE_CANDIDATES = 256;

/**
 * How far a score by codes may be off, in scales of the vector: rounding errors are spread evenly over a scale, so that their
 * sum, weighted with a unit vector, has a standard deviation of scale / √12. Four of those are passed once in 16,000 times.
 */
const CODE_ERROR = 4 / Math.sqrt(12);

/** The vectors nearest to the query among those admitted: found by codes, ordered in full precision. */
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

/** Slots whose score by codes could, given its error, be among the best. */
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

function cosine(a: Float32Array, b: Float32Array): number {
  return Math.max(-1, Math.min(1, dotProduct(a, b)));
}
