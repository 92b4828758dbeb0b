import type { DocumentId } from '@kebab/core';
import { INDEX_VERSION, postedTerms, type IndexText } from '@kebab/core/store';
import { sql } from 'kysely';
import { factOf } from '../database/facts.ts';
import { NumberArray } from '../database/number-array.ts';
import type { Db } from '../database/tables.ts';
import { indexTexts } from '../documents/index-texts.ts';
import type { ChunkWords, DocumentWords, RemovedDocument, WordsWriter } from '../words-writer.ts';
import { listOf, wordId } from './word-lists.ts';

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
/** The count of a posting of a name, which ranks nothing. */
const OF_NAMES = 0;
/** The largest count that a posting holds. */
const MAX_TENTHS = 32_767;
/** Before a token of the names of a chunk. */
export const NAME_MARK = '^';

/** Writes words into the tables of the index. */
export const POSTED_WORDS: WordsWriter = {
  encode: (index) => index.map(wordsOf),
  put: async (tx, documents) => {
    const code = await codeAmong(tx, documents);
    const added = { chunks: 0, code: 0, tokens: 0 };
    let rows = new WordRows();
    for (const { docSeq, firstChunk, words } of documents) {
      const isCode = code.has(docSeq);
      for (const [at, chunk] of words.entries()) {
        rows.add(chunk, { seq: firstChunk + at, isCode });
        added.chunks++;
        added.tokens += chunk.length;
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
    const totals = await factOf(tx, TOTALS_KEY);
    if (totals !== undefined && readTotals(totals).version === INDEX_VERSION) return;
    await removeAll(tx);
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
        words.push({ docSeq: seq, firstChunk, words: POSTED_WORDS.encode(await indexTexts(tx, docId as DocumentId)) });
      await POSTED_WORDS.put(tx, words);
      last = documents.at(-1)?.seq ?? last;
    }
  },
};

/** For a knowledge base whose words are indexed elsewhere: none are written, and those of before are removed. */
export const NO_WORDS: WordsWriter = {
  encode: () => [],
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  refresh: async (tx) => {
    if ((await factOf(tx, TOTALS_KEY)) !== undefined) await removeAll(tx);
  },
};

async function removeAll(tx: Db): Promise<void> {
  await sql`TRUNCATE words, postings, chunk_words`.execute(tx);
  await tx.deleteFrom('kv').where('key', '=', TOTALS_KEY).execute();
}

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
  /** In how many of the chunks the counted words are. */
  readonly #counts = new Map<string, number>();
  readonly #lists = new NumberArray('bigint');
  readonly #tenths = new NumberArray('smallint');
  readonly #chunks = {
    seqs: [] as number[],
    lengths: [] as number[],
    nameLengths: [] as number[],
    areCode: [] as boolean[],
    ends: [] as number[],
  };

  get postings(): number {
    return this.#lists.length;
  }

  add(
    { length, nameLength, ids, tenths, counted }: ChunkWords,
    chunk: { readonly seq: number; readonly isCode: boolean },
  ): void {
    for (let at = 0; at < ids.length; at++) {
      const { low, high } = listOf(ids[at] as number, chunk.seq);
      this.#lists.add(low, high);
      this.#tenths.add(tenths[at] as number);
    }
    for (const term of counted) this.#counts.set(term, (this.#counts.get(term) ?? 0) + 1);
    const { seqs, lengths, nameLengths, areCode, ends } = this.#chunks;
    seqs.push(chunk.seq);
    lengths.push(length);
    nameLengths.push(nameLength);
    areCode.push(chunk.isCode);
    ends.push(this.postings);
  }

  async insert(tx: Db): Promise<void> {
    const { seqs, lengths, nameLengths, areCode, ends } = this.#chunks;
    if (seqs.length === 0) return;
    const starts = [1, ...ends.slice(0, -1).map((end) => end + 1)];
    // Postings in the order of the index, which is then written from one end to the other.
    await sql`
      WITH chunk AS MATERIALIZED (
          SELECT seq, length, name_length, is_code, (${this.#lists.parameter()}::bigint[])[first : last] AS lists,
            (${this.#tenths.parameter()}::smallint[])[first : last] AS tenths
          FROM unnest(${seqs}::int[], ${lengths}::int[], ${nameLengths}::int[], ${areCode}::boolean[], ${starts}::int[],
            ${ends}::int[]) AS c(seq, length, name_length, is_code, first, last)),
        own AS (INSERT INTO chunk_words SELECT seq, length, lists FROM chunk)
      INSERT INTO postings
      SELECT p.list, c.seq, CASE WHEN p.tenths = ${OF_NAMES} THEN c.name_length ELSE c.length END, p.tenths, c.is_code
      FROM chunk c, unnest(c.lists, c.tenths) AS p(list, tenths) ORDER BY 1, 2`.execute(tx);
    const words = new Map([...this.#counts].map(([word, chunks]) => [wordId(word), { word, chunks }]));
    const counted = [...words.values()];
    await sql`INSERT INTO words SELECT * FROM unnest(${[...words.keys()]}::bigint[],
        ${counted.map(({ word }) => word)}::text[], ${counted.map(({ chunks }) => chunks)}::int[]) ORDER BY 1
      ON CONFLICT (word_id) DO UPDATE SET chunks = words.chunks + excluded.chunks`.execute(tx);
  }
}

function wordsOf(index: IndexText): ChunkWords {
  const { length, nameLength, terms, names } = postedTerms(index);
  const entries = [
    ...[...terms].map(([term, count]) => [term, Math.min(Math.round(count * 10), MAX_TENTHS)] as const),
    ...[...names].map((name) => [NAME_MARK + name, OF_NAMES] as const),
  ];
  return {
    length,
    nameLength,
    ids: Float64Array.from(entries, ([word]) => wordId(word)),
    tenths: Int16Array.from(entries, ([, tenths]) => tenths),
    counted: [...terms.keys()].filter(isCounted),
  };
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
  const known = readTotals(await factOf(tx, TOTALS_KEY));
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
