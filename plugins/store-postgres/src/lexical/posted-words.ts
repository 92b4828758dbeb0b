import type { DocumentId } from '@kebab/core';
import { INDEX_VERSION, postedTerms, type IndexText, type PostedChunk } from '@kebab/core/store';
import { sql } from 'kysely';
import { NumberArray } from '../database/number-array.ts';
import type { Db } from '../database/tables.ts';
import { indexTexts } from '../documents/index-texts.ts';
import type { DocumentWords, RemovedDocument, WordsWriter } from '../words-writer.ts';
import { segmentOf, wordId, wordNumber, type WordId } from './word-lists.ts';

/** The totals of the index, in a row of `kv`. */
export interface WordTotals {
  /** The version of the analysis that made the index. */
  readonly version: string;
  readonly chunks: number;
  readonly code: number;
  readonly tokens: number;
}

/** The key of the totals in `kv`. */
export const TOTALS_KEY = 'word_totals';

/** Postings that one statement adds, at least. */
const POSTINGS_AT_ONCE = 250_000;
/** Documents whose words are made again at a time. */
const REFRESHED_AT_ONCE = 100;
/** The largest count that a posting holds. */
const MAX_TENTHS = 32_767;
/** Before a token of the names of a chunk. */
export const NAME_MARK = '^';

/** Writes words into the tables of the index. */
export const POSTED_WORDS: WordsWriter = {
  put: async (tx, documents) => {
    const code = await codeAmong(tx, documents);
    const added = { chunks: 0, code: 0, tokens: 0 };
    let rows = new WordRows();
    for (const { docSeq, firstChunk, index } of documents) {
      const isCode = code.has(docSeq);
      for (const [at, text] of index.entries()) {
        const { length } = rows.add(text, { seq: firstChunk + at, isCode });
        added.chunks++;
        added.tokens += length;
        if (isCode) added.code++;
        if (rows.postings < POSTINGS_AT_ONCE) continue;
        await rows.insert(tx);
        rows = new WordRows();
      }
    }
    await rows.insert(tx);
    await changeTotals(tx, added);
  },
  remove: async (tx, documents) => {
    const { rows } = await sql<Omit<WordTotals, 'version'>>`
      SELECT count(*)::int AS chunks, coalesce(sum(w.length), 0)::bigint AS tokens,
        count(*) FILTER (WHERE d.media = 'code')::int AS code
      FROM documents d JOIN chunk_words w
        ON w.chunk_seq >= d.first_chunk AND w.chunk_seq < d.first_chunk + d.chunk_count
      WHERE d.seq = ANY(${documents.map(({ docSeq }) => docSeq)}::bigint[])`.execute(tx);
    await removePostings(tx, documents);
    const { chunks = 0, code = 0, tokens = 0 } = rows[0] ?? {};
    await changeTotals(tx, { chunks: -chunks, code: -code, tokens: -tokens });
  },
  refresh: async (tx) => {
    const row = await tx.selectFrom('kv').select('value').where('key', '=', TOTALS_KEY).executeTakeFirst();
    if (row !== undefined && readTotals(row.value).version === INDEX_VERSION) return;
    await sql`TRUNCATE words, postings, chunk_words`.execute(tx);
    await tx.deleteFrom('kv').where('key', '=', TOTALS_KEY).execute();
    for (let last = 0; ;) {
      const documents = await tx
        .selectFrom('documents')
        .select(['seq', 'doc_id', 'first_chunk'])
        .where('seq', '>', last)
        .orderBy('seq')
        .limit(REFRESHED_AT_ONCE)
        .execute();
      if (documents.length === 0) break;
      const words: DocumentWords[] = [];
      for (const { seq, doc_id: docId, first_chunk: firstChunk } of documents)
        words.push({ docSeq: seq, firstChunk, index: await indexTexts(tx, docId as DocumentId) });
      await POSTED_WORDS.put(tx, words);
      last = documents.at(-1)?.seq ?? last;
    }
  },
};

/** The numbers of those documents that are source code. */
async function codeAmong(tx: Db, documents: readonly DocumentWords[]): Promise<ReadonlySet<number>> {
  const code = await tx
    .selectFrom('documents')
    .select('seq')
    .where('media', '=', 'code')
    .where(sql<boolean>`seq = ANY(${documents.map(({ docSeq }) => docSeq)}::bigint[])`)
    .execute();
  return new Set(code.map(({ seq }) => seq));
}

/** The rows of some chunks. */
class WordRows {
  readonly #words = new Map<number, { readonly word: string; readonly id: WordId; chunks: number }>();
  readonly #lists = new NumberArray('bigint');
  readonly #chunks = new NumberArray('integer');
  readonly #lengths = new NumberArray('integer');
  readonly #tenths = new NumberArray('smallint');
  readonly #areCode = new NumberArray('boolean');
  readonly #own = { chunks: [] as number[], lengths: [] as number[], ends: [] as number[] };

  get postings(): number {
    return this.#lists.length;
  }

  add(index: IndexText, { seq, isCode }: { readonly seq: number; readonly isCode: boolean }): PostedChunk {
    const posted = postedTerms(index);
    const { length, nameLength, terms, names } = posted;
    const segment = segmentOf(seq);
    const post = (id: WordId, tenths: number, from: number): void => {
      this.#lists.add(id.low, (segment << 16) | id.high);
      this.#chunks.add(seq);
      this.#lengths.add(from);
      this.#tenths.add(tenths);
      this.#areCode.add(isCode ? 1 : 0);
    };
    for (const [term, count] of terms) {
      const id = wordId(term);
      if (isCounted(term)) this.#count(term, id);
      post(id, Math.min(Math.round(count * 10), MAX_TENTHS), length);
    }
    for (const name of names) post(wordId(NAME_MARK + name), 10, nameLength);
    this.#own.chunks.push(seq);
    this.#own.lengths.push(length);
    this.#own.ends.push(this.postings);
    return posted;
  }

  #count(word: string, id: WordId): void {
    const number = wordNumber(id);
    const known = this.#words.get(number);
    if (known === undefined) this.#words.set(number, { word, id, chunks: 1 });
    else known.chunks++;
  }

  async insert(tx: Db): Promise<void> {
    if (this.#own.chunks.length === 0) return;
    const lists = this.#lists.parameter();
    // In the order of the index, which is then written from one end to the other.
    await sql`INSERT INTO postings SELECT * FROM unnest(${lists}::bigint[], ${this.#chunks.parameter()}::int[],
      ${this.#lengths.parameter()}::int[], ${this.#tenths.parameter()}::smallint[],
      ${this.#areCode.parameter()}::boolean[]) ORDER BY 1, 2`.execute(tx);
    const { chunks, lengths, ends } = this.#own;
    await sql`INSERT INTO chunk_words SELECT c.chunk_seq, c.length, (${lists}::bigint[])[c.start : c.last]
      FROM unnest(${chunks}::int[], ${lengths}::int[], ${[0, ...ends.slice(0, -1)].map((end) => end + 1)}::int[],
        ${ends}::int[]) AS c(chunk_seq, length, start, last)`.execute(tx);
    const words = [...this.#words].toSorted(([a], [b]) => a - b);
    const ids = new NumberArray('bigint');
    for (const [, { id }] of words) ids.add(id.low, id.high);
    await sql`INSERT INTO words SELECT * FROM unnest(${ids.parameter()}::bigint[],
        ${words.map(([, { word }]) => word)}::text[], ${words.map(([, { chunks: count }]) => count)}::int[])
      ON CONFLICT (word_id) DO UPDATE SET chunks = words.chunks + excluded.chunks`.execute(tx);
  }
}

/** Whether `words` has how many chunks contain a term: the others are too many, and each of them in few chunks. */
export function isCounted(term: string): boolean {
  return !term.includes(' ');
}

async function removePostings(tx: Db, documents: readonly RemovedDocument[]): Promise<void> {
  await sql`
    WITH ranges AS (SELECT * FROM unnest(${documents.map(({ firstChunk }) => firstChunk)}::bigint[],
        ${documents.map(({ chunkCount }) => chunkCount)}::bigint[]) AS r(first, count)),
      gone AS (DELETE FROM chunk_words c USING ranges r
        WHERE c.chunk_seq >= r.first AND c.chunk_seq < r.first + r.count RETURNING c.chunk_seq, c.lists),
      own AS MATERIALIZED (SELECT g.chunk_seq, l.list FROM gone g, unnest(g.lists) AS l(list)),
      removed AS (DELETE FROM postings p USING own o WHERE p.list = o.list AND p.chunk_seq = o.chunk_seq),
      fewer AS (SELECT list & ((1::bigint << 48) - 1) AS word_id, count(*)::int AS chunks FROM own GROUP BY 1)
    UPDATE words w SET chunks = w.chunks - f.chunks FROM fewer f WHERE w.word_id = f.word_id`.execute(tx);
  await tx.deleteFrom('words').where('chunks', '<=', 0).execute();
}

async function changeTotals(tx: Db, change: Omit<WordTotals, 'version'>): Promise<void> {
  const row = await tx.selectFrom('kv').select('value').where('key', '=', TOTALS_KEY).executeTakeFirst();
  const known = readTotals(row?.value);
  const totals: WordTotals = {
    version: INDEX_VERSION,
    chunks: known.chunks + change.chunks,
    code: known.code + change.code,
    tokens: known.tokens + change.tokens,
  };
  const value = JSON.stringify(totals);
  await tx
    .insertInto('kv')
    .values({ key: TOTALS_KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** The totals in `kv`; zero where there are none. */
export function readTotals(value: string | undefined): WordTotals {
  return value === undefined
    ? { version: INDEX_VERSION, chunks: 0, code: 0, tokens: 0 }
    : (JSON.parse(value) as WordTotals);
}
