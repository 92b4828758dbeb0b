import { sql, type RawBuilder } from 'kysely';
import type { PostingRow } from '../database/tables.ts';

/** A row of `postings` has chunks of 2 ** 10 consecutive ones. */
const BLOCK_BITS = 10;
const IN_BLOCK = 2 ** BLOCK_BITS - 1;
const NUMBER_BYTES = 2;
/** A row has three numbers for each chunk. */
export const POSTING_BYTES = 3 * NUMBER_BYTES;
/** The largest count, in tenths. */
const MAX_TENTHS = 0x7fff;
const MAX_LENGTH = 0xffff;

/** Before words side by side, and before tokens of names: characters that sort before all tokens. */
const MARKS = { pair: ' ', name: '!' } as const;
/** Tokens sort after this. */
export const BEFORE_TOKENS = '/';
/** An index of the server has no entries of more than 2.7 kB: words that have so many characters in common count as one. */
const MAX_WORD = 400;

/** A term of a text as a word of the table. */
export function termWord(term: string): string {
  return (term.includes(' ') ? MARKS.pair + term : term).slice(0, MAX_WORD);
}

/** A token of names as a word of the table. */
export function nameWord(token: string): string {
  return (MARKS.name + token).slice(0, MAX_WORD);
}

/** A count as it is stored. */
export function tenthsOf(count: number): number {
  return Math.min(Math.round(count * 10), MAX_TENTHS);
}

/** A chunk that has a word. */
export interface Posting {
  readonly chunk: number;
  readonly isCode: boolean;
  /** In tokens; for a word of names, how many these are. */
  readonly length: number;
  /** How often it has the word, weighted by column, times 10. */
  readonly tenths: number;
}

/** Composes rows of `postings`. */
export class PostingRows {
  readonly #blocks = new Map<number, Map<string, number[]>>();
  #count = 0;

  /** The number of postings. */
  get count(): number {
    return this.#count;
  }

  /** Adds a posting; those of a word come in the order of their chunks. */
  add(word: string, { chunk, isCode, length, tenths }: Posting): void {
    const block = chunk >> BLOCK_BITS;
    let words = this.#blocks.get(block);
    if (words === undefined) this.#blocks.set(block, (words = new Map<string, number[]>()));
    let numbers = words.get(word);
    if (numbers === undefined) words.set(word, (numbers = []));
    numbers.push(chunk & IN_BLOCK, (tenths << 1) | Number(isCode), Math.min(length, MAX_LENGTH));
    this.#count++;
  }

  rows(): readonly PostingRow[] {
    return [...this.#blocks].flatMap(([block, words]) =>
      Array.from(words, ([word, numbers]) => {
        const chunks = Buffer.allocUnsafe(numbers.length * NUMBER_BYTES);
        for (const [at, number] of numbers.entries()) chunks.writeUInt16LE(number, at * NUMBER_BYTES);
        return { word, block, chunks };
      }),
    );
  }
}

/** A row without some chunks; null when it has no others. */
export function withoutChunks(row: PostingRow, gone: ReadonlySet<number>): PostingRow | null {
  const stored = new PostingBlock(row.block, row.chunks);
  const kept: Buffer[] = [];
  for (let at = 0; at < stored.count; at++)
    if (!gone.has(stored.chunk(at))) kept.push(row.chunks.subarray(at * POSTING_BYTES, (at + 1) * POSTING_BYTES));
  return kept.length === 0 ? null : { ...row, chunks: Buffer.concat(kept) };
}

/** Rows as a table `rows(word, block, chunks)`. */
export function tableOf(rows: readonly PostingRow[]): RawBuilder<PostingRow> {
  const words = rows.map(({ word }) => word).join('\n'); // words have no line ends, and a text is read faster than an array of texts
  const blocks = `{${rows.map(({ block }) => block).join(',')}}`;
  const sizes = `{${rows.map(({ chunks }) => chunks.length).join(',')}}`;
  const bytes = Buffer.concat(rows.map(({ chunks }) => chunks));
  return sql`(SELECT word COLLATE "C", block, substr(${bytes}::bytea, (sum(size) OVER (ORDER BY place) - size)::int + 1, size)
    FROM unnest(string_to_array(${words}, E'\n'), ${blocks}::int[], ${sizes}::int[])
      WITH ORDINALITY AS w(word, block, size, place)) AS rows(word, block, chunks)`;
}

/** The postings of one word in one block. */
export class PostingBlock {
  readonly count: number;
  readonly #first: number;
  readonly #bytes: DataView;

  constructor(block: number, chunks: Buffer) {
    this.count = chunks.length / POSTING_BYTES;
    this.#first = block << BLOCK_BITS;
    this.#bytes = new DataView(chunks.buffer, chunks.byteOffset, chunks.length);
  }

  chunk(at: number): number {
    return this.#first + this.#bytes.getUint16(at * POSTING_BYTES, true);
  }

  tenths(at: number): number {
    return this.#bytes.getUint16(at * POSTING_BYTES + 2, true) >> 1;
  }

  isCode(at: number): boolean {
    return (this.#bytes.getUint16(at * POSTING_BYTES + 2, true) & 1) === 1;
  }

  length(at: number): number {
    return this.#bytes.getUint16(at * POSTING_BYTES + 4, true);
  }
}
