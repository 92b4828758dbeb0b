import { crc32 } from 'node:zlib';
import type { Database as Connection, Statement } from 'better-sqlite3';
import { SEGMENT_ROWS, secondBytes, segmentKey, signBytes, strideOf } from '../segment-layout.ts';
import { SignCode, type SegmentSigns } from '../sign-code.ts';
import { bytesOf, floatsOf } from './blobs.ts';
import type { CollectionRow } from './collections.ts';

/**
 * Data derived from the codes of large collections. It may be deleted at any time: searches then scan codes, and the next write recreates
 * it. Signs belong to one version of the codes of a segment, and their checksum covers the centre.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS vector_centres (
  collection INTEGER PRIMARY KEY, version INTEGER NOT NULL,  -- of the collection when its signs were last kept up to date
  signed INTEGER NOT NULL,                                   -- segments before this one have signs
  checksum INTEGER NOT NULL, centre BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS vector_signs (                    -- seconds last: where they are not wanted their pages are not read
  segment INTEGER PRIMARY KEY, codes_version INTEGER NOT NULL, checksum INTEGER NOT NULL, seconds_checksum INTEGER NOT NULL,
  signs BLOB NOT NULL, seconds BLOB NOT NULL);
`;

/** Segments from which a centre is computed, spread over the collection. */
const SAMPLED_SEGMENTS = 64;

/** The centre with which the signs of a collection were computed. */
export interface Centre {
  readonly version: number;
  readonly signed: number;
  readonly checksum: number;
  readonly code: SignCode;
}

/** The signs of a segment. */
export interface StoredSigns {
  readonly codesVersion: number;
  readonly signs: Buffer;
}

/** The signs of a segment with the second signs. */
export interface StoredPairs extends StoredSigns {
  readonly seconds: Buffer;
}

/** The stored rows of a segment, for computing signs. */
interface CodedSegment {
  readonly codesVersion: number;
  readonly scales: Float32Array;
  readonly codes: Int8Array;
}

/** The signs of collections in a vector file. Its methods belong inside a transaction. */
export class SignTable {
  readonly #db: Connection;
  #statements: Statements | undefined;
  /** Cached data of the centre that was read last. */
  #code: { readonly collection: number; readonly checksum: number; readonly code: SignCode } | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The centre of a collection; null if there is none that can be used. */
  centre(row: CollectionRow): Centre | null {
    const found = this.#open()?.centre.get(row.collection) as
      | readonly [version: number, signed: number, checksum: number]
      | undefined;
    if (found === undefined) return null;
    const [version, signed, checksum] = found;
    const code = this.#codeOf(row, checksum);
    return code === null ? null : { version, signed, checksum, code };
  }

  /** The signs of a segment, and the version of the codes they belong to; null if missing or corrupt. */
  stored({ collection, dimensions }: CollectionRow, number: number, { checksum }: Centre): StoredSigns | null {
    const found = this.#open()?.signs.get(segmentKey(collection, number)) as
      | readonly [codesVersion: number, checksum: number, signs: Buffer]
      | undefined;
    if (found === undefined) return null;
    const [codesVersion, expected, signs] = found;
    return signs.length === signBytes(dimensions) && crc32(signs, checksum) === expected
      ? { codesVersion, signs }
      : null;
  }

  /** The same with the second signs. */
  storedPairs({ collection, dimensions }: CollectionRow, number: number, { checksum }: Centre): StoredPairs | null {
    const found = this.#open()?.pairs.get(segmentKey(collection, number)) as
      | readonly [codesVersion: number, checksum: number, secondsChecksum: number, signs: Buffer, seconds: Buffer]
      | undefined;
    if (found === undefined) return null;
    const [codesVersion, expected, expectedOfSeconds, signs, seconds] = found;
    return signs.length === signBytes(dimensions) &&
      seconds.length === secondBytes(dimensions) &&
      crc32(signs, checksum) === expected &&
      crc32(seconds, checksum) === expectedOfSeconds
      ? { codesVersion, signs, seconds }
      : null;
  }

  /** Writes the signs of a segment. */
  put(
    { collection }: CollectionRow,
    segment: SegmentSigns & { readonly number: number; readonly codesVersion: number },
    { checksum }: Centre,
  ): void {
    const { number, codesVersion, signs, seconds } = segment;
    const [first, second] = [crc32(signs, checksum), crc32(seconds, checksum)];
    this.#made().putSigns.run(segmentKey(collection, number), codesVersion, first, second, signs, seconds);
  }

  /** Records up to which version and segment a collection has signs. */
  settle({ collection }: CollectionRow, { version, signed }: Pick<Centre, 'version' | 'signed'>): void {
    this.#made().settle.run(version, signed, collection);
  }

  /** Computes the centre of a collection, the mean of some of its vectors, and creates the tables. */
  makeCentre(row: CollectionRow, segments: number): Centre {
    const centre = new Float32Array(row.dimensions);
    const stride = strideOf(row.dimensions);
    let vectors = 0;
    const step = Math.max(1, segments / SAMPLED_SEGMENTS);
    for (let at = 0; at < segments; at += step) {
      const { scales, codes } = this.coded(row, Math.floor(at)) ?? NO_CODES;
      for (const [place, scale] of scales.entries()) {
        if (scale === 0) continue;
        vectors++;
        for (let dimension = 0; dimension < row.dimensions; dimension++)
          centre[dimension] = (centre[dimension] as number) + (codes[place * stride + dimension] as number) * scale;
      }
    }
    if (vectors > 0) for (const [at, sum] of centre.entries()) centre[at] = sum / vectors;
    const bytes = bytesOf(centre);
    this.#made().putCentre.run(row.collection, row.version, crc32(bytes), bytes);
    return { version: row.version, signed: 0, checksum: crc32(bytes), code: new SignCode(row.dimensions, centre) };
  }

  /** How many segments a collection has. */
  countSegments({ collection }: CollectionRow): number {
    const first = segmentKey(collection, 0);
    const last = this.#made().lastSegment.get(first, segmentKey(collection + 1, 0)) as number | null;
    return last === null ? 0 : last - first + 1;
  }

  /** The codes of a segment; null when they are missing or malformed. */
  coded({ collection, dimensions }: CollectionRow, number: number): CodedSegment | null {
    const found = this.#made().coded.get(segmentKey(collection, number)) as
      | readonly [codesVersion: number, scales: Buffer, codes: Buffer]
      | undefined;
    if (found === undefined) return null;
    const [codesVersion, scales, codes] = found;
    if (scales.length !== SEGMENT_ROWS * 4 || codes.length !== SEGMENT_ROWS * strideOf(dimensions)) return null;
    return {
      codesVersion,
      scales: floatsOf(scales),
      codes: new Int8Array(codes.buffer, codes.byteOffset, codes.length),
    };
  }

  /** The number of segments that should have signs but whose signs are missing or corrupt; all of them without a valid centre. */
  countUnsound(row: CollectionRow): number {
    const statements = this.#open();
    if (statements?.centre.get(row.collection) === undefined) return 0;
    const centre = this.centre(row);
    if (centre === null) return this.countSegments(row);
    if (centre.version !== row.version) return 0;
    const first = segmentKey(row.collection, 0);
    const versions = statements.versions.all(first, first + centre.signed) as readonly (readonly [number, number])[];
    return versions.filter(([key, version]) => this.storedPairs(row, key - first, centre)?.codesVersion !== version)
      .length;
  }

  /** The size of all signs. */
  bytes(): number {
    return (this.#open()?.bytes.get() as number | undefined) ?? 0;
  }

  /** Removes the signs of a collection from a segment on; from the first on, also its centre. */
  remove(collection: number, from: number): void {
    const statements = this.#open();
    statements?.removeSigns.run(segmentKey(collection, from), segmentKey(collection + 1, 0));
    if (from === 0) statements?.removeCentre.run(collection);
  }

  #codeOf({ collection, dimensions }: CollectionRow, checksum: number): SignCode | null {
    if (this.#code?.collection === collection && this.#code.checksum === checksum) return this.#code.code;
    const blob = this.#open()?.centreOf.get(collection) as Buffer | undefined;
    if (blob?.length !== dimensions * 4 || crc32(blob) !== checksum) return null;
    const code = new SignCode(dimensions, floatsOf(blob).slice());
    this.#code = { collection, checksum, code };
    return code;
  }

  #made(): Statements {
    if (this.#open() === undefined)
      this.#db.exec(`DROP TABLE IF EXISTS vector_centres; DROP TABLE IF EXISTS vector_signs; ${TABLES}`);
    return this.#open() as Statements;
  }

  /** Undefined if there are no such tables, or they have no second signs. */
  #open(): Statements | undefined {
    if (this.#statements !== undefined) return this.#statements;
    const columns = `SELECT count(*) FROM (SELECT name FROM pragma_table_info('vector_centres') UNION ALL
      SELECT name FROM pragma_table_info('vector_signs')) WHERE name IN ('centre', 'seconds')`;
    if (this.#db.prepare(columns).pluck().get() !== 2) return undefined;
    this.#statements = new Statements(this.#db);
    return this.#statements;
  }
}

const NO_CODES = { scales: new Float32Array(0), codes: new Int8Array(0) };

class Statements {
  readonly centre: Statement;
  readonly centreOf: Statement;
  readonly signs: Statement;
  readonly pairs: Statement;
  readonly coded: Statement;
  readonly bytes: Statement;
  readonly lastSegment: Statement;
  readonly versions: Statement;
  readonly putSigns: Statement;
  readonly settle: Statement;
  readonly putCentre: Statement;
  readonly removeSigns: Statement;
  readonly removeCentre: Statement;

  constructor(db: Connection) {
    this.centre = db.prepare('SELECT version, signed, checksum FROM vector_centres WHERE collection = ?').raw();
    this.centreOf = db.prepare('SELECT centre FROM vector_centres WHERE collection = ?').pluck();
    this.signs = db.prepare('SELECT codes_version, checksum, signs FROM vector_signs WHERE segment = ?').raw();
    this.pairs = db
      .prepare('SELECT codes_version, checksum, seconds_checksum, signs, seconds FROM vector_signs WHERE segment = ?')
      .raw();
    this.coded = db
      .prepare(
        'SELECT s.codes_version, s.scales, c.codes FROM vector_segments s JOIN vector_codes c ON c.segment = s.segment WHERE s.segment = ?',
      )
      .raw();
    this.bytes = db.prepare('SELECT coalesce(sum(length(signs) + length(seconds)), 0) FROM vector_signs').pluck();
    this.lastSegment = db
      .prepare('SELECT max(segment) FROM vector_segments WHERE segment >= ? AND segment < ?')
      .pluck();
    this.versions = db
      .prepare('SELECT segment, codes_version FROM vector_segments WHERE segment >= ? AND segment < ?')
      .raw();
    this.putSigns = db.prepare('INSERT OR REPLACE INTO vector_signs VALUES (?, ?, ?, ?, ?, ?)');
    this.settle = db.prepare('UPDATE vector_centres SET version = ?, signed = ? WHERE collection = ?');
    this.putCentre = db.prepare('INSERT OR REPLACE INTO vector_centres VALUES (?, ?, 0, ?, ?)');
    this.removeSigns = db.prepare('DELETE FROM vector_signs WHERE segment >= ? AND segment < ?');
    this.removeCentre = db.prepare('DELETE FROM vector_centres WHERE collection = ?');
  }
}
