import { statement, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { ROW_ID_BYTES, SEGMENT_ROWS, segmentKey, segmentRange, strideOf, type KeyRange } from '../segment-layout.ts';
import type { SegmentRows } from '../slot-filter.ts';
import { damaged } from '../vector-failure.ts';
import { build } from './vector-schema.ts';
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

const NO_IDS = new Uint32Array(0);

/** Reads the segments of collections. Its methods belong inside the read transaction of a search. */
export class SegmentReader {
  readonly #file: string;
  readonly #statements: ReturnType<typeof segmentStatements>;

  constructor(db: Connection, file: string) {
    this.#file = file;
    this.#statements = segmentStatements(db);
  }

  /** The segments that changed after a version, by number; all of them for version -1. Ids are read only if requested. */
  heads(
    { collection }: CollectionRow,
    { since = -1, ids }: { readonly since?: number; readonly ids: boolean },
  ): readonly SegmentHead[] {
    const range = segmentRange(collection);
    const { heads, headsWithIds } = this.#statements;
    const rows = ids ? headsWithIds.all({ ...range, since }) : heads.all({ ...range, since });
    return rows.map((row) => {
      const segment = row.segment - range.first;
      this.#check(segment, row.live.length === SEGMENT_ROWS && row.scales.length === SEGMENT_ROWS * 4);
      this.#check(segment, row.ids === null || row.ids.length === SEGMENT_ROWS * ROW_ID_BYTES);
      return {
        segment,
        codesVersion: row.codes_version,
        vectors: row.vectors,
        live: row.live,
        scales: floatsOf(row.scales),
        ids: row.ids === null ? NO_IDS : wordsOf(row.ids),
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
    const codes = this.#statements.codes.first({ segment: segmentKey(collection, segment) })?.codes;
    this.#check(segment, codes?.length === SEGMENT_ROWS * strideOf(dimensions), 'vector_codes');
    return codes as Buffer;
  }

  #check(segment: number, isSound: boolean, table = 'vector_segments'): void {
    if (!isSound) throw damaged(this.#file, { table, cause: `segment ${segment} is missing or malformed` });
  }
}

type Since = Placeholder<KeyRange & { readonly since: number }>;

const changed = (value: Since) =>
  build
    .selectFrom('vector_segments')
    .select(['segment', 'codes_version', 'vectors', 'live', 'scales'])
    .where('segment', '>=', value('first'))
    .where('segment', '<', value('end'))
    .where('version', '>', value('since'))
    .orderBy('segment');

function segmentStatements(db: Connection) {
  return {
    heads: statement(db, (value: Since) => changed(value).select((eb) => eb.lit(null).as('ids'))),
    headsWithIds: statement(db, (value: Since) => changed(value).select('ids')),
    codes: statement(db, (value: Placeholder<{ readonly segment: number }>) =>
      build.selectFrom('vector_codes').select('codes').where('segment', '=', value('segment')),
    ),
  };
}
