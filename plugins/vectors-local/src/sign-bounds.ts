import { floatsOf } from './database/blobs.ts';
import type { CollectionRow } from './database/collections.ts';
import type { SegmentHead, SegmentReader } from './database/segment-reader.ts';
import type { Centre, SignTable } from './database/sign-table.ts';
import { BoundKernel, type SegmentBounds } from './kernel/bound-kernel.ts';
import { SEGMENT_ROWS, secondBytes, signBytes, strideOf } from './segment-layout.ts';
import { SecondBounds, type SecondSigns, type SignQuery } from './sign-code.ts';

/** Computes bounds of segments from their signs, wherever these are stored. */
export interface SignBounds {
  /** The segments of the collection, by number. */
  readonly heads: readonly SegmentHead[];
  setQuery(query: SignQuery): void;
  /** Bounds, valid until the next call; null if the signs of the segment are missing or damaged. */
  bounds(segment: SegmentHead, floor: number): SegmentBounds | null;
  /** Tightens the bound of a single row with second signs, if available: a function of the slot and its bound by signs. */
  nearer?(query: SignQuery, deviations: number): (slot: number, bound: number) => number;
}

/** Access to signs, inside the read transaction of a search. */
export interface SignSource {
  readonly reader: SegmentReader;
  readonly table: SignTable;
  readonly row: CollectionRow;
  readonly centre: Centre;
}

/** Signs that are read while they are scanned, through a buffer of one segment: the cheapest way for a single search. */
export class StreamedSigns implements SignBounds {
  readonly heads: readonly SegmentHead[];
  readonly #source: SignSource;
  readonly #kernel: BoundKernel;

  constructor(source: SignSource, { ids }: { readonly ids: boolean }) {
    const { reader, row } = source;
    this.heads = reader.heads(row, { ids });
    reader.checkComplete(row, this.heads);
    this.#source = source;
    this.#kernel = new BoundKernel(strideOf(row.dimensions));
  }

  setQuery(query: SignQuery): void {
    this.#kernel.setQuery(query);
  }

  bounds(segment: SegmentHead, floor: number): SegmentBounds | null {
    const signs = signsOf(this.#source, segment);
    if (signs === null) return null;
    this.#kernel.load(0, signs);
    return this.#kernel.bounds(0, floor);
  }
}

/** The signs of one collection in memory; updated by reading those that have changed. */
export class ResidentSigns implements SignBounds {
  readonly collection: number;
  /** The checksum of the centre with which the signs were computed. */
  readonly checksum: number;
  readonly #kernel: BoundKernel;
  readonly #heads: SegmentHead[] = [];
  readonly #seconds: SecondSigns[] = [];
  #hasIds = false;
  #version = -1;

  constructor({ row, centre }: SignSource) {
    this.collection = row.collection;
    this.checksum = centre.checksum;
    this.#kernel = new BoundKernel(strideOf(row.dimensions));
  }

  get heads(): readonly SegmentHead[] {
    return this.#heads;
  }

  /**
   * Reads signs that have changed since the last call. Returns whether all signs exist and are valid; otherwise this object must not be
   * used any more.
   */
  refresh(source: SignSource, { ids }: { readonly ids: boolean }): boolean {
    const { reader, row } = source;
    const isWider = ids && !this.#hasIds;
    if (row.version === this.#version && !isWider) return true;
    this.#hasIds ||= ids;
    const changed = reader.heads(row, { since: isWider ? -1 : this.#version, ids: this.#hasIds });
    this.#kernel.reserve((changed.at(-1)?.segment ?? -1) + 1);
    for (const head of changed) {
      if (head.codesVersion > this.#version) {
        const stored = source.table.storedPairs(row, head.segment, source.centre);
        if (stored?.codesVersion !== head.codesVersion) return false;
        this.#kernel.load(head.segment, stored.signs);
        this.#seconds[head.segment] = secondsOf(stored.seconds);
      }
      this.#heads[head.segment] = head;
    }
    reader.checkComplete(row, this.#heads);
    this.#version = row.version;
    return true;
  }

  setQuery(query: SignQuery): void {
    this.#kernel.setQuery(query);
  }

  bounds({ segment }: SegmentHead, floor: number): SegmentBounds {
    return this.#kernel.bounds(segment, floor);
  }

  nearer(query: SignQuery, deviations: number): (slot: number, bound: number) => number {
    const second = new SecondBounds(query, deviations);
    return (slot, bound) => {
      const segment = Math.floor(slot / SEGMENT_ROWS);
      const row = slot % SEGMENT_ROWS;
      const seconds = this.#seconds[segment] as SecondSigns;
      const [factor, shift] = [this.#kernel.factor(segment, row), this.#kernel.shift(segment, row)];
      return second.bound(bound, { factor, shift, seconds, row });
    };
  }
}

function secondsOf(stored: Buffer): SecondSigns {
  const factorsAt = stored.length - SEGMENT_ROWS * 4;
  return { bits: stored.subarray(0, factorsAt), factors: floatsOf(stored.subarray(factorsAt)) };
}

/** The memory of a collection's signs and of the data for filters, in bytes. */
export function residentSignBytes({ dimensions, vectors }: CollectionRow): number {
  return (vectors / SEGMENT_ROWS) * (signBytes(dimensions) + secondBytes(dimensions)) + vectors * 40;
}

function signsOf({ table, row, centre }: SignSource, { segment, codesVersion }: SegmentHead): Buffer | null {
  const stored = table.stored(row, segment, centre);
  return stored?.codesVersion === codesVersion ? stored.signs : null;
}
