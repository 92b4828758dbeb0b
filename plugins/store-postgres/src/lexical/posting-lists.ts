import { sql } from 'kysely';
import { LRU } from 'tiny-lru';
import type { Db } from '../database/tables.ts';
import { listsOf } from './word-lists.ts';

/** The chunks that have one term, in any order. */
interface Postings {
  readonly chunks: Int32Array;
  /** How often each chunk has the term, times 10, weighted by column. */
  readonly tenths: Int16Array;
}

/** What ranks a chunk besides its words, of the chunks whose postings have been read; by number of the chunk. */
interface ChunkFacts {
  /** In tokens; at most 32767. */
  readonly lengths: Int16Array;
  /** 1 for source code. */
  readonly areCode: Uint8Array;
}

/** A search asks for the same documents several times, and so do callers with equal rights. */
const MAX_FILTERS = 16;
/** The steps of one search ask for the same terms: when they are counted, ranked, ranked again for more hits, and tried in other spellings. */
const MAX_TERMS = 64;

/** An array of `array_send`: a header, then each element after its length. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const ELEMENT_BYTES = 12;

/** A snapshot of the index. */
export interface IndexSnapshot {
  readonly revision: string;
  /** The highest number of a chunk; 0 without chunks. */
  readonly lastChunk: number;
}

/** What was read of one snapshot of the index, as far as one search asks for it several times. */
export class PostingLists {
  readonly snapshot: IndexSnapshot;
  readonly chunks: ChunkFacts;
  /** The numbers of documents, by filters. */
  readonly accepted = new LRU<readonly number[]>(MAX_FILTERS);
  readonly #postings = new LRU<Postings>(MAX_TERMS);

  constructor(snapshot: IndexSnapshot) {
    this.snapshot = snapshot;
    this.chunks = {
      lengths: new Int16Array(snapshot.lastChunk + 1),
      areCode: new Uint8Array(snapshot.lastChunk + 1),
    };
  }

  /** The postings of terms. */
  async read(db: Db, terms: readonly string[]): Promise<readonly Postings[]> {
    const known = new Map(terms.map((term) => [term, this.#postings.get(term)]));
    const missing = [...known].flatMap(([term, postings]) => (postings === undefined ? [term] : []));
    for (const [term, postings] of await this.#fromTable(db, missing)) {
      known.set(term, postings);
      this.#postings.set(term, postings);
    }
    return terms.map((term) => known.get(term) as Postings);
  }

  /** Of each term. Each posting is read as one number: the server makes arrays of numbers several times as fast as rows. */
  async #fromTable(db: Db, terms: readonly string[]): Promise<readonly (readonly [string, Postings])[]> {
    const termOf = new Map(terms.flatMap((term) => listsOf(term, this.snapshot.lastChunk).map((list) => [list, term])));
    if (termOf.size === 0) return [];
    const { rows } = await sql<{ readonly list: string; readonly postings: Buffer }>`
      SELECT list::text AS list, array_send(array_agg(
        (chunk_seq::bigint << 32) | (least(length, 32767) << 16) | (tenths::int << 1) | is_code::int)) AS postings
      FROM postings WHERE list = ANY(${[...termOf.keys()]}::bigint[]) GROUP BY postings.list`.execute(db);
    const parts = new Map<string, Buffer[]>();
    for (const { list, postings } of rows) {
      const term = termOf.get(list) ?? '';
      const known = parts.get(term);
      if (known === undefined) parts.set(term, [postings]);
      else known.push(postings);
    }
    return terms.map((term) => [term, this.#decode(parts.get(term) ?? [])]);
  }

  #decode(arrays: readonly Buffer[]): Postings {
    const { lengths, areCode } = this.chunks;
    const count = arrays.reduce((sum, { length }) => sum + (length - HEADER_BYTES) / ELEMENT_BYTES, 0);
    const postings = { chunks: new Int32Array(count), tenths: new Int16Array(count) };
    let at = 0;
    for (const array of arrays)
      eachPair(array, (chunk, low) => {
        postings.chunks[at] = chunk;
        postings.tenths[at] = (low & 0xffff) >>> 1;
        lengths[chunk] = low >>> 16;
        areCode[chunk] = low & 1;
        at++;
      });
    return postings;
  }
}

/** Calls back for each number of an array, as `array_send` writes it: with its upper and its lower 32 bits. */
export function eachPair(array: Buffer, pair: (high: number, low: number) => void): void {
  const view = new DataView(array.buffer, array.byteOffset, array.length);
  for (let byte = HEADER_BYTES + LENGTH_BYTES; byte < array.length; byte += ELEMENT_BYTES)
    pair(view.getInt32(byte), view.getUint32(byte + 4));
}
