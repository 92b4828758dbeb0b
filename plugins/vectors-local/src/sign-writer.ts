import type { Database as Connection } from 'better-sqlite3';
import { reaches, type CollectionSize } from './collection-size.ts';
import type { CollectionRow } from './database/collections.ts';
import { SignTable, type Centre } from './database/sign-table.ts';
import { secondBytes, signBytes, strideOf } from './segment-layout.ts';

/** Segments whose signs a transaction computes in addition to its own work, in some 15 ms. */
const EXTRA_SEGMENTS = 8;

/** The rows whose codes a transaction wrote, by segment. */
type WrittenRows = ReadonlyMap<number, readonly number[]>;

/** Maintains the signs of large collections, a few in every transaction, so that the cost of a write stays proportional to its size. */
export class SignWriter {
  readonly #table: SignTable;
  readonly #large: CollectionSize;

  constructor(db: Connection, large: CollectionSize) {
    this.#table = new SignTable(db);
    this.#large = large;
  }

  /** Whether signs that a search would use are missing. */
  isBehind(row: CollectionRow): boolean {
    if (!reaches(row, this.#large)) return false;
    const centre = this.#table.centre(row);
    return centre === null || centre.version !== row.version || centre.signed < this.#table.countSegments(row);
  }

  /** Computes some of the missing signs. Returns whether there are more. To be called in a transaction. */
  advance(row: CollectionRow): boolean {
    this.#keep(row, { before: row.version, written: new Map() });
    return this.isBehind(row);
  }

  /** Computes the signs of the rows that the transaction has written, and some of the missing ones. */
  follow(row: CollectionRow, written: WrittenRows): void {
    if (reaches(row, this.#large)) this.#keep(row, { before: row.version - 1, written });
  }

  #keep(row: CollectionRow, { before, written }: { readonly before: number; readonly written: WrittenRows }): void {
    const segments = this.#table.countSegments(row);
    const centre = this.#table.centre(row) ?? this.#table.makeCentre(row, segments);
    // A version without signs has written, or the collection was small in the meantime: every segment is checked again.
    const from = centre.version === before ? centre.signed : 0;
    for (const [number, rows] of written) if (number < from) this.#sign(row, { number, rows, centre });
    const to = Math.min(segments, from + EXTRA_SEGMENTS);
    for (let number = from; number < to; number++) this.#sign(row, { number, centre });
    this.#table.settle(row, { version: row.version, signed: to });
  }

  /** Writes the signs of a segment: of some rows if the others already have signs, otherwise of all. */
  #sign(
    row: CollectionRow,
    { number, rows, centre }: { readonly number: number; readonly rows?: readonly number[]; readonly centre: Centre },
  ): void {
    const coded = this.#table.coded(row, number);
    if (coded === null) return;
    const { codesVersion, scales, codes } = coded;
    const stored = this.#table.storedPairs(row, number, centre);
    if (stored?.codesVersion === codesVersion) return;
    const stride = strideOf(row.dimensions);
    const kept = rows === undefined ? null : stored;
    const { signs, seconds } = kept ?? {
      signs: new Uint8Array(signBytes(row.dimensions)),
      seconds: new Uint8Array(secondBytes(row.dimensions)),
    };
    for (const place of kept === null ? scales.keys() : (rows ?? []))
      centre.code.write(codes.subarray(place * stride, (place + 1) * stride), scales[place] as number, {
        signs,
        seconds,
        row: place,
      });
    this.#table.put(row, { number, codesVersion, signs, seconds }, centre);
  }
}
