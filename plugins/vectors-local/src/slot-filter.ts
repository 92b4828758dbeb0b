import type { ChunkFilter, ChunkId } from '@kebab/core';
import { CHUNK_WORD, DOCUMENT_WORD, ROW_ID_BYTES, SEGMENT_ROWS } from './segment-layout.ts';

/** The rows of a segment: which are in use, and the ids they belong to. */
export interface SegmentRows {
  /** By row: 1 for a vector, 0 for a free row. */
  readonly live: Uint8Array;
  /** By row: chunk id and document id, four words each. Empty if no filter uses ids. */
  readonly ids: Uint32Array;
}

interface Test {
  readonly set: IdSet;
  readonly word: number;
  /** Whether members pass, or non-members. */
  readonly isMember: boolean;
}

const ROW_WORDS = ROW_ID_BYTES / 4;

/** The rows of a collection that a search may return. */
export interface AdmittedRows {
  /** By slot: 1 for a row that passes. */
  readonly mask: Uint8Array;
  /** How many rows of each segment pass. */
  readonly counts: readonly number[];
}

/** Decides which rows of a segment a search may return: used rows that pass the search's filter. */
export class SlotFilter {
  readonly #tests: readonly Test[];

  constructor(allow: ChunkFilter, except?: ReadonlySet<ChunkId>) {
    const tests: readonly (Test | undefined)[] = [
      allowTest(allow),
      except === undefined || except.size === 0
        ? undefined
        : { set: IdSet.of(except), word: CHUNK_WORD, isMember: false },
    ];
    this.#tests = tests.filter((test) => test !== undefined);
  }

  /** Whether it needs the ids of a segment. */
  get readsIds(): boolean {
    return this.#tests.length > 0;
  }

  /** Whether nothing can pass. */
  get isClosed(): boolean {
    return this.#tests.some(({ set, isMember }) => isMember && set.size === 0);
  }

  /** The rows that pass, for all segments of a collection by number. */
  admit(segments: readonly SegmentRows[]): AdmittedRows {
    const mask = new Uint8Array(segments.length * SEGMENT_ROWS);
    return { mask, counts: segments.map((rows, at) => this.#mark(rows, mask, at * SEGMENT_ROWS)) };
  }

  #mark({ live, ids }: SegmentRows, mask: Uint8Array, at: number): number {
    mask.set(live, at);
    for (const { set, word, isMember } of this.#tests) set.keep({ ids, word, width: ROW_WORDS, isMember }, mask, at);
    let count = 0;
    for (let row = at; row < at + SEGMENT_ROWS; row++) count += mask[row] as number;
    return count;
  }
}

function allowTest(allow: ChunkFilter): Test | undefined {
  switch (allow.kind) {
    case 'all':
      return undefined;
    case 'only':
      return { set: IdSet.of(allow.chunkIds), word: CHUNK_WORD, isMember: true };
    case 'documents':
      return { set: IdSet.of(allow.docIds), word: DOCUMENT_WORD, isMember: true };
    default:
      return allow satisfies never;
  }
}

const ID_WORDS = 4;
const HEX32 = /^[0-9a-f]{32}$/;

/** Cached id sets by their source set, because filters are often reused. */
const made = new WeakMap<ReadonlySet<string>, IdSet>();

/**
 * A set of ids that is compared with ids in the layout of a segment, four 32-bit words each. A scan compares hundreds of thousands, each of
 * which would have to be converted to a string for a set of strings.
 */
class IdSet {
  readonly size: number;
  readonly #given: number;
  readonly #words: Uint32Array;
  /** A hash table with open addressing, whose hash is the first word of an id: the index of the id plus one. */
  readonly #places: Int32Array;
  readonly #mask: number;

  private constructor(ids: ReadonlySet<string>) {
    this.#given = ids.size;
    this.#words = wordsOf(ids);
    this.size = this.#words.length / ID_WORDS;
    let capacity = 16;
    while (capacity < this.size * 2) capacity *= 2;
    this.#places = new Int32Array(capacity);
    this.#mask = capacity - 1;
    for (let id = 0; id < this.size; id++) {
      let place = (this.#words[id * ID_WORDS] as number) & this.#mask;
      while (this.#places[place] !== 0) place = (place + 1) & this.#mask;
      this.#places[place] = id + 1;
    }
  }

  /** The set of these ids, without strings that are not ids. The given set must not change afterwards. */
  static of(ids: ReadonlySet<string>): IdSet {
    let set = made.get(ids);
    if (set === undefined || set.#given !== ids.size) {
      set = new IdSet(ids);
      made.set(ids, set);
    }
    return set;
  }

  /**
   * Clears the mask of rows that do not pass: for each row whose byte of `mask`, from `at` on, is 1, the id to check begins at word `row ×
   * width + word` of `ids`.
   */
  keep({ ids, word, width, isMember }: IdColumn, mask: Uint8Array, at: number): void {
    const own = this.#words;
    const places = this.#places;
    const last = this.#mask;
    for (let from = word, row = at; from < ids.length; from += width, row++) {
      if (mask[row] === 0) continue;
      let place = (ids[from] as number) & last;
      let isFound = false;
      for (let found = places[place] as number; found !== 0 && !isFound; found = places[place] as number) {
        const id = (found - 1) * ID_WORDS;
        isFound =
          own[id] === ids[from] &&
          own[id + 1] === ids[from + 1] &&
          own[id + 2] === ids[from + 2] &&
          own[id + 3] === ids[from + 3];
        place = (place + 1) & last;
      }
      if (isFound !== isMember) mask[row] = 0;
    }
  }
}

/** A column of ids in the layout of a segment, and how to filter it. */
interface IdColumn {
  readonly ids: Uint32Array;
  /** The first word of the id of a row, and the words from row to row. */
  readonly word: number;
  readonly width: number;
  /** Whether members are kept, or non-members. */
  readonly isMember: boolean;
}

/** Decodes all ids at once, which is several times faster than one by one. */
function wordsOf(ids: ReadonlySet<string>): Uint32Array {
  let bytes = Buffer.from([...ids].join(''), 'hex');
  if (bytes.length !== ids.size * ID_WORDS * 4)
    bytes = Buffer.from([...ids].filter((id) => HEX32.test(id)).join(''), 'hex');
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
