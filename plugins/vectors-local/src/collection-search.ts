import type { VectorHit, VectorSearch } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { ResidentCodes, StreamedCodes, residentBytes, type CodeScores } from './code-scores.ts';
import type { CollectionRow } from './database/collections.ts';
import type { RowReader } from './database/row-reader.ts';
import { SegmentReader, type SegmentHead } from './database/segment-reader.ts';
import { nearest } from './nearest.ts';
import { SEGMENT_ROWS } from './segment-layout.ts';
import { SlotFilter } from './slot-filter.ts';

/** The segments of a collection, and their scorer. */
interface SearchedCodes {
  readonly heads: readonly SegmentHead[];
  readonly codes: CodeScores;
}

/** The maximum size of codes kept in memory; each search reads larger collections again. */
const MAX_RESIDENT_BYTES = 1.5 * 2 ** 30;

/**
 * Searches the collections of one connection. The first search of a collection streams its codes, since a command may never search again;
 * from the second on they are cached, and only changes are read.
 */
export class CollectionSearch {
  readonly #db: Connection;
  readonly #file: string;
  #reader: SegmentReader | undefined;
  #resident: ResidentCodes | undefined;
  /** The number of the collection that was searched last. */
  #searched: number | undefined;

  constructor(db: Connection, file: string) {
    this.#db = db;
    this.#file = file;
  }

  /** Finds the nearest vectors, inside the read transaction of the row. The query's vector is a unit vector. */
  find(row: CollectionRow, rows: RowReader, query: VectorSearch): readonly VectorHit[] {
    const filter = new SlotFilter(query.allow, query.except);
    if (query.limit < 1 || row.vectors === 0 || filter.isClosed) return [];
    const isFirst = this.#searched !== row.collection;
    this.#searched = row.collection;
    if (isFirst) this.#resident = undefined;
    const { heads, codes } = this.#openCodes(row, { filter, isFirst });
    return nearest({
      heads,
      codes,
      record: (slot) => rows.record(row, slot),
      admitted: filter.admit(heads),
      query: query.vector,
      limit: query.limit,
    });
  }

  #openCodes(
    row: CollectionRow,
    { filter, isFirst }: { readonly filter: SlotFilter; readonly isFirst: boolean },
  ): SearchedCodes {
    const reader = (this.#reader ??= new SegmentReader(this.#db, this.#file));
    if (isFirst || residentBytes(row, row.vectors / SEGMENT_ROWS) > MAX_RESIDENT_BYTES) {
      const heads = reader.heads(row, { ids: filter.readsIds });
      reader.checkComplete(row, heads);
      return { heads, codes: new StreamedCodes(reader, row) };
    }
    this.#resident ??= new ResidentCodes(row);
    this.#resident.refresh(reader, row);
    return { heads: this.#resident.heads, codes: this.#resident };
  }
}
