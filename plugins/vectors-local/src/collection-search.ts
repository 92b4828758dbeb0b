import type { VectorHit, VectorSearch } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { ResidentCodes, StreamedCodes, residentBytes, type CodeScores } from './code-scores.ts';
import type { CollectionRow } from './database/collections.ts';
import type { RowReader } from './database/row-reader.ts';
import { SegmentReader, type SegmentHead } from './database/segment-reader.ts';
import { nearest } from './nearest.ts';
import { SEGMENT_ROWS } from './segment-layout.ts';
import { SlotFilter, type AdmittedRows } from './slot-filter.ts';

/** The segments of a collection, and what scores them. */
interface SearchedCodes {
  readonly heads: readonly SegmentHead[];
  readonly codes: CodeScores;
}

/** What a filter let through, as long as the filter and the collection are the same. */
interface Admission {
  readonly rows: AdmittedRows;
  readonly filter: SlotFilter;
  readonly collection: number;
  readonly version: number;
}

/** Codes are kept in memory up to this size; larger collections are read again by each search. */
const MAX_RESIDENT_BYTES = 1.5 * 2 ** 30;

/**
 * Searches the collections of one connection. The first search of a collection reads the codes as it goes, since a command may
 * never search again; from the second on they are kept, and only what has changed is read.
 */
export class CollectionSearch {
  readonly #db: Connection;
  readonly #file: string;
  #reader: SegmentReader | undefined;
  #resident: ResidentCodes | undefined;
  /** The number of the collection that was searched last. */
  #searched: number | undefined;
  #admission: Admission | undefined;

  constructor(db: Connection, file: string) {
    this.#db = db;
    this.#file = file;
  }

  /** Finds the nearest vectors, inside the read transaction that the row came from. The query's vector is a unit vector. */
  find(row: CollectionRow, rows: RowReader, query: VectorSearch): readonly VectorHit[] {
    const filter = new SlotFilter(query.allow, query.except);
    if (query.limit < 1 || row.vectors === 0 || filter.isClosed) return [];
    const { heads, codes } = this.#open(row, filter);
    return nearest({
      heads,
      codes,
      record: (slot) => rows.record(row, slot),
      admitted: this.#admit(row, heads, filter),
      query: query.vector,
      limit: query.limit,
    });
  }

  #admit({ collection, version }: CollectionRow, heads: readonly SegmentHead[], filter: SlotFilter): AdmittedRows {
    const last = this.#admission;
    if (last?.collection === collection && last.version === version && last.filter.equals(filter)) return last.rows;
    const rows = filter.admit(heads);
    this.#admission = { rows, filter, collection, version };
    return rows;
  }

  #open(row: CollectionRow, filter: SlotFilter): SearchedCodes {
    this.#reader ??= new SegmentReader(this.#db, this.#file);
    const reader = this.#reader;
    const isFirst = this.#searched !== row.collection;
    this.#searched = row.collection;
    if (isFirst) this.#resident = undefined;
    if (isFirst || residentBytes(row, row.vectors / SEGMENT_ROWS) > MAX_RESIDENT_BYTES)
      return this.#stream(reader, row, filter);
    this.#resident ??= new ResidentCodes(row);
    this.#resident.refresh(reader, row);
    return { heads: this.#resident.heads, codes: this.#resident };
  }

  #stream(reader: SegmentReader, row: CollectionRow, filter: SlotFilter): SearchedCodes {
    const heads = reader.heads(row, { ids: filter.readsIds });
    reader.checkComplete(row, heads);
    return { heads, codes: new StreamedCodes(reader, row) };
  }
}
