import { sql } from 'kysely';
import { LRU } from 'tiny-lru';
import type { Db } from '../database/tables.ts';
import { isAnyOf } from '../database/query-parts.ts';
import { POSTING_BYTES, PostingBlock } from './packed-postings.ts';

/** A search asks for the same documents several times, and so do callers with equal rights. */
const MAX_FILTERS = 16;
/** The steps of one search ask for the same words: when they are ranked, ranked again for more hits, and tried in other spellings. */
const MAX_WORDS = 64;

/** Before the postings of a block: its number, and how many bytes they are. */
const HEADER_BYTES = 8;

/** A snapshot of the index. */
export interface IndexSnapshot {
  readonly revision: string;
  /** The highest number of a chunk; 0 without chunks. */
  readonly lastChunk: number;
}

/** What was read of one snapshot of the index, as far as one search asks for it several times. */
export class PostingLists {
  readonly snapshot: IndexSnapshot;
  /** The numbers of documents, by filters. */
  readonly accepted = new LRU<readonly number[]>(MAX_FILTERS);
  readonly #postings = new LRU<readonly PostingBlock[]>(MAX_WORDS);

  constructor(snapshot: IndexSnapshot) {
    this.snapshot = snapshot;
  }

  /** The postings of words. */
  async read(db: Db, words: readonly string[]): Promise<readonly (readonly PostingBlock[])[]> {
    const known = new Map(words.map((word) => [word, this.#postings.get(word)]));
    const missing = [...known].flatMap(([word, postings]) => (postings === undefined ? [word] : []));
    const found = missing.length === 0 ? new Map<string, Buffer>() : await blocksOf(db, missing);
    for (const word of missing) {
      const postings = separated(found.get(word) ?? Buffer.alloc(0));
      known.set(word, postings);
      this.#postings.set(word, postings);
    }
    return words.map((word) => known.get(word) ?? []);
  }
}

/** In how many chunks a word is, of its rows. */
export const CHUNK_COUNT = sql<number>`(sum(octet_length(chunks)) / ${sql.lit(POSTING_BYTES)})::int`;

/** The blocks of words, each after its header: one row a word is read faster than many. */
async function blocksOf(db: Db, words: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await db
    .selectFrom('postings')
    .select([
      'word',
      sql<Buffer>`string_agg(int4send(block) || int4send(octet_length(chunks)) || chunks, '')`.as('blocks'),
    ])
    .where(isAnyOf('word', words))
    .groupBy('word')
    .execute();
  return new Map(rows.map(({ word, blocks }) => [word, blocks]));
}

function separated(blocks: Buffer): readonly PostingBlock[] {
  const postings: PostingBlock[] = [];
  for (let at = 0; at < blocks.length;) {
    const start = at + HEADER_BYTES;
    const end = start + blocks.readInt32BE(at + 4);
    postings.push(new PostingBlock(blocks.readInt32BE(at), blocks.subarray(start, end)));
    at = end;
  }
  return postings;
}
