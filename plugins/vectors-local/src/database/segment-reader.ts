import type { Database as Connection, Statement } from 'better-sqlite3';
import { ROW_ID_BYTES, SEGMENT_ROWS, segmentKey, strideOf } from '../segment-layout.ts';
import type { SegmentRows } from '../slot-filter.ts';
import { damaged } from '../vector-failure.ts';
import { floatsOf, wordsOf } from './blobs.ts';
import type { CollectionRow } from './collections.ts';

/** The data of a segment without its codes. */
export interface SegmentHead extends SegmentRows {
  /** Its number in the collection, from 0 without gaps. */
  readonly segment: number;
  /** The version of the collection in which its codes last changed. */
  readonly codesVersion: number;
  /** The number of used rows. */
  readonly vectors: number;
  /** By row: the scale of its codes, multiplied with the query's scale. */
  readonly scales: Float32Array;
}

type HeadRow = readonly [
  segment: number,
  codesVersion: number,
  vectors: number,
  live: Buffer,
  scales: Buffer,
  ids: Buffer | null,
];

const NO_IDS = new Uint32Array(0);
const HEAD = 'SELECT segment, codes_version, vectors, live, scales';
const RANGE = 'FROM vector_segments WHERE segment >= ? AND segment < ? AND version > ? ORDER BY segment';

/** Reads the segments of collections. Its methods belong inside the read transaction of a search. */
export class SegmentReader {
  readonly #file: string;
  readonly #heads: Statement;
  readonly #bareHeads: Statement;
  readonly #codes: Statement;

  constructor(db: Connection, file: string) {
    this.#file = file;
    this.#heads = db.prepare(`${HEAD}, ids ${RANGE}`).raw();
    this.#bareHeads = db.prepare(`${HEAD}, NULL ${RANGE}`).raw();
    this.#codes = db.prepare('SELECT codes FROM vector_codes WHERE segment = ?').pluck();
  }

  /** The segments that changed after a version, by number; all of them for version -1. Ids are read only if requested. */
  heads(
    { collection }: CollectionRow,
    { since = -1, ids }: { readonly since?: number; readonly ids: boolean },
  ): readonly SegmentHead[] {
    const first = segmentKey(collection, 0);
    const statement = ids ? this.#heads : this.#bareHeads;
    const rows = statement.all(first, segmentKey(collection + 1, 0), since) as readonly HeadRow[];
    return rows.map(([key, codesVersion, vectors, live, scales, words]) => {
      this.#check(key - first, live.length === SEGMENT_ROWS && scales.length === SEGMENT_ROWS * 4);
      this.#check(key - first, words === null || words.length === SEGMENT_ROWS * ROW_ID_BYTES);
      return {
        segment: key - first,
        codesVersion,
        vectors,
        live,
        scales: floatsOf(scales),
        ids: words === null ? NO_IDS : wordsOf(words),
      };
    });
  }

  /** Throws `store_damaged` unless these are all segments of the collection. */
  checkComplete(row: CollectionRow, heads: readonly SegmentHead[]): void {
    let vectors = 0;
    for (let at = 0; at < heads.length; at++) {
      this.#check(at, heads[at]?.segment === at);
      vectors += heads[at]?.vectors ?? 0;
    }
    if (vectors !== row.vectors)
      throw damaged(this.#file, {
        table: 'vector_segments',
        cause: `there are ${vectors} vectors where ${row.vectors} were written`,
      });
  }

  /** The codes of a segment. */
  codes({ collection, dimensions }: CollectionRow, segment: number): Buffer {
    const codes = this.#codes.get(segmentKey(collection, segment)) as Buffer | undefined;
    this.#check(segment, codes?.length === SEGMENT_ROWS * strideOf(dimensions), 'vector_codes');
    return codes as Buffer;
  }

  #check(segment: number, isSound: boolean, table = 'vector_segments'): void {
    if (!isSound) throw damaged(this.#file, { table, cause: `segment ${segment} is missing or malformed` });
  }
}
