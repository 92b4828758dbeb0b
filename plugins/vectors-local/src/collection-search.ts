import type { VectorHit, VectorSearch } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { reaches, type CollectionSize } from './collection-size.ts';
import { ResidentCodes, StreamedCodes, residentBytes, type CodeScores } from './code-scores.ts';
import type { CollectionRow } from './database/collections.ts';
import type { RowReader } from './database/row-reader.ts';
import { SegmentReader, type SegmentHead } from './database/segment-reader.ts';
import { SignTable } from './database/sign-table.ts';
import { nearest } from './nearest.ts';
import { nearestBySigns } from './nearest-by-signs.ts';
import { SEGMENT_ROWS } from './segment-layout.ts';
import { residentSignBytes, ResidentSigns, StreamedSigns, type SignBounds, type SignSource } from './sign-bounds.ts';
import { SlotFilter, type AdmittedRows } from './slot-filter.ts';

/** The segments of a collection, and their scorer. */
interface SearchedCodes {
  readonly heads: readonly SegmentHead[];
  readonly codes: CodeScores;
}

/** The request to a collection. */
interface Wanted {
  readonly rows: RowReader;
  readonly query: VectorSearch;
  readonly filter: SlotFilter;
}

/** The cached result of a filter, valid as long as the filter and the collection are the same. */
interface Admission {
  readonly rows: AdmittedRows;
  readonly filter: SlotFilter;
  readonly collection: number;
  readonly version: number;
}

/** The maximum size of codes kept in memory; each search reads larger collections again. */
const MAX_RESIDENT_BYTES = 1.5 * 2 ** 30;

/** The same for signs and the data for filters: enough for 2.7 million vectors of 384 dimensions. */
const MAX_RESIDENT_SIGN_BYTES = 384 * 2 ** 20;

/** Longer lists than this are found by codes, however large the collection. */
const MAX_SIGN_LIMIT = 1000;

/** How many filter results are cached: a vector search queries without a filter, and for random passages. */
const ADMISSIONS = 3;

/**
 * Searches the collections of one connection: large ones by signs where they have them, all others by codes. The first search of a
 * collection streams them, since a command may never search again; from the second on they are cached, and only changes are read.
 */
export class CollectionSearch {
  readonly #db: Connection;
  readonly #file: string;
  readonly #large: CollectionSize;
  readonly #signs: SignTable;
  #reader: SegmentReader | undefined;
  #resident: ResidentCodes | undefined;
  #residentSigns: ResidentSigns | undefined;
  /** The number of the collection that was searched last. */
  #searched: number | undefined;
  /** Most recently used first. */
  #admissions: readonly Admission[] = [];

  constructor(db: Connection, file: string, large: CollectionSize) {
    this.#db = db;
    this.#file = file;
    this.#large = large;
    this.#signs = new SignTable(db);
  }

  /** Finds the nearest vectors, inside the read transaction of the row. The query's vector is a unit vector. */
  find(row: CollectionRow, rows: RowReader, query: VectorSearch): readonly VectorHit[] {
    const filter = new SlotFilter(query.allow, query.except);
    if (query.limit < 1 || row.vectors === 0 || filter.isClosed) return [];
    this.#reader ??= new SegmentReader(this.#db, this.#file);
    const isFirst = this.#searched !== row.collection;
    this.#searched = row.collection;
    if (isFirst) [this.#resident, this.#residentSigns] = [undefined, undefined];
    const source = this.#signSource(this.#reader, row);
    return (
      (source === null ? null : this.#findBySigns(source, { rows, query, filter, isFirst })) ??
      this.#findByCodes(this.#reader, { row, rows, query, filter, isSingle: isFirst || source !== null })
    );
  }

  /** Null if a collection cannot be searched by signs: they are missing or outdated. */
  #signSource(reader: SegmentReader, row: CollectionRow): SignSource | null {
    if (!reaches(row, this.#large)) return null;
    const centre = this.#signs.centre(row);
    if (centre === null || centre.version !== row.version) return null;
    return centre.signed < this.#signs.countSegments(row) ? null : { reader, table: this.#signs, row, centre };
  }

  #findBySigns(
    source: SignSource,
    { rows, query, filter, isFirst }: Wanted & { readonly isFirst: boolean },
  ): readonly VectorHit[] | null {
    if (query.limit > MAX_SIGN_LIMIT) return null;
    const signs = this.#openSigns(source, { ids: filter.readsIds, isFirst });
    if (signs === null) return null;
    this.#resident = undefined;
    const admitted = this.#admit(source.row, signs.heads, filter);
    return nearestBySigns({ signs, source, rows, admitted, query: query.vector, limit: query.limit });
  }

  #openSigns(
    source: SignSource,
    { ids, isFirst }: { readonly ids: boolean; readonly isFirst: boolean },
  ): SignBounds | null {
    const { row, centre } = source;
    if (isFirst || residentSignBytes(row) > MAX_RESIDENT_SIGN_BYTES) return new StreamedSigns(source, { ids });
    if (this.#residentSigns?.checksum !== centre.checksum) this.#residentSigns = undefined;
    const resident = this.#residentSigns ?? new ResidentSigns(source);
    this.#residentSigns = resident.refresh(source, { ids }) ? resident : undefined;
    return this.#residentSigns ?? null;
  }

  #findByCodes(
    reader: SegmentReader,
    { row, rows, query, filter, isSingle }: Wanted & { readonly row: CollectionRow; readonly isSingle: boolean },
  ): readonly VectorHit[] {
    const { heads, codes } = this.#openCodes(reader, row, { filter, isSingle });
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
    const others = this.#admissions.filter((one) => one.collection === collection && one.version === version);
    const known = others.find((one) => one.filter.equals(filter));
    const found = known ?? { rows: filter.admit(heads), filter, collection, version };
    this.#admissions = [found, ...others.filter((one) => one !== known)].slice(0, ADMISSIONS);
    return found.rows;
  }

  /** `isSingle`: nothing is cached. */
  #openCodes(
    reader: SegmentReader,
    row: CollectionRow,
    { filter, isSingle }: { readonly filter: SlotFilter; readonly isSingle: boolean },
  ): SearchedCodes {
    if (isSingle || residentBytes(row, row.vectors / SEGMENT_ROWS) > MAX_RESIDENT_BYTES)
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
