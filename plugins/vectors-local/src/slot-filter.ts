import type { ChunkFilter, ChunkId } from '@kebab/core';
import { IdSet } from './id-set.ts';
import { CHUNK_WORD, DOCUMENT_WORD, ROW_ID_BYTES, SEGMENT_ROWS } from './segment-layout.ts';

/** What a segment says of its vectors: which rows are in use, and whose they are. */
export interface SegmentRows {
  /** By row: 1 for a vector, 0 for a free row. */
  readonly live: Uint8Array;
  /** By row: chunk id and document id, four words each. Empty when nobody asks for ids. */
  readonly ids: Uint32Array;
}

interface Test {
  readonly set: IdSet;
  readonly word: number;
  /** Whether members pass, or all others. */
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

/** Decides which rows of a segment a search may return: those in use that the filter of the search lets through. */
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

  /** Whether it must know the ids of a segment. */
  get readsIds(): boolean {
    return this.#tests.length > 0;
  }

  /** Whether nothing can pass. */
  get isClosed(): boolean {
    return this.#tests.some(({ set, isMember }) => isMember && set.size === 0);
  }

  /** Whether another filter, made of the same sets, lets the same rows through. */
  equals(other: SlotFilter): boolean {
    const theirs = other.#tests;
    return (
      this.#tests.length === theirs.length &&
      this.#tests.every(
        ({ set, word, isMember }, at) =>
          set === theirs[at]?.set && word === theirs[at]?.word && isMember === theirs[at]?.isMember,
      )
    );
  }

  /** The rows that pass, of all segments of a collection by number. */
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
