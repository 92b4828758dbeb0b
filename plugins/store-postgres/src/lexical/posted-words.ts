import type { DocumentId } from '@kebab/core';
import { INDEX_VERSION, postedTerms, type IndexText } from '@kebab/core/store';
import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';
import { indexTexts } from '../documents/index-texts.ts';
import type { DocumentWords, RemovedDocument, WordsWriter } from '../words-writer.ts';

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

/** Postings that one statement adds. */
const POSTINGS_AT_ONCE = 50_000;
/** Documents whose words are made again at a time. */
const REFRESHED_AT_ONCE = 100;
/** Before a token of the names of a chunk. */
export const NAME_MARK = '^';

/** Writes words into the tables of the index. The lock of the writer is held, so that words can be numbered here. */
export const POSTED_WORDS: WordsWriter = {
  put: async (tx, documents) => {
    const chunks = await chunksOf(tx, documents);
    for (let from = 0; from < chunks.length;) {
      let to = from;
      for (let postings = 0; to < chunks.length && postings < POSTINGS_AT_ONCE; to++)
        postings += chunks[to]?.terms.size ?? 0;
      await addChunks(tx, chunks.slice(from, to));
      from = to;
    }
    await changeTotals(tx, {
      chunks: chunks.length,
      code: chunks.filter(({ isCode }) => isCode).length,
      tokens: chunks.reduce((sum, { length }) => sum + length, 0),
    });
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

/** A chunk with its terms; those of its names have a mark. */
interface PostedWords {
  readonly seq: number;
  readonly isCode: boolean;
  readonly length: number;
  readonly nameLength: number;
  readonly terms: ReadonlyMap<string, number>;
}

async function chunksOf(tx: Db, documents: readonly DocumentWords[]): Promise<readonly PostedWords[]> {
  const code = await tx
    .selectFrom('documents')
    .select('seq')
    .where('media', '=', 'code')
    .where(sql<boolean>`seq = ANY(${documents.map(({ docSeq }) => docSeq)}::bigint[])`)
    .execute();
  const isCode = new Set(code.map(({ seq }) => seq));
  return documents.flatMap(({ docSeq, firstChunk, index }) =>
    index.map((text, at) => postedWords(text, { seq: firstChunk + at, isCode: isCode.has(docSeq) })),
  );
}

function postedWords(index: IndexText, chunk: Pick<PostedWords, 'seq' | 'isCode'>): PostedWords {
  const { length, terms, names, nameLength } = postedTerms(index);
  return {
    ...chunk,
    length,
    nameLength,
    terms: new Map([...terms, ...[...names].map((name) => [`${NAME_MARK}${name}`, 1] as const)]),
  };
}

async function addChunks(tx: Db, chunks: readonly PostedWords[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { terms } of chunks) for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const ids = await countWords(tx, counts);
  const columns = {
    words: [] as number[],
    chunks: [] as number[],
    counts: [] as number[],
    lengths: [] as number[],
    code: [] as boolean[],
  };
  for (const { seq, isCode, length, nameLength, terms } of chunks)
    for (const [term, count] of terms) {
      columns.words.push(ids.get(term) as number);
      columns.chunks.push(seq);
      columns.counts.push(Math.round(count * 10) / 10);
      columns.lengths.push(term.startsWith(NAME_MARK) ? nameLength : length);
      columns.code.push(isCode);
    }
  await sql`INSERT INTO postings SELECT * FROM unnest(${columns.words}::int[], ${columns.chunks}::int[],
    ${columns.counts}::real[], ${columns.lengths}::int[], ${columns.code}::boolean[])`.execute(tx);
  const own = chunks.map(({ seq, length, terms }) => ({
    chunk_seq: seq,
    length,
    word_ids: [...terms.keys()].map((term) => ids.get(term)),
  }));
  await sql`INSERT INTO chunk_words SELECT * FROM json_populate_recordset(null::chunk_words,
    ${JSON.stringify(own)}::json)`.execute(tx);
}

/** Adds to the number of chunks that have each word, and returns the numbers of the words. */
async function countWords(tx: Db, counts: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ readonly word_id: number; readonly word: string }>`
    UPDATE words w SET chunks = w.chunks + n.chunks
    FROM unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) AS n(word, chunks)
    WHERE w.word = n.word RETURNING w.word_id, w.word`.execute(tx);
  const ids = new Map(rows.map(({ word, word_id }) => [word, word_id]));
  const fresh = [...counts.keys()].filter((word) => !ids.has(word));
  const last = await tx
    .selectFrom('words')
    .select(({ fn }) => fn.max('word_id').as('id'))
    .executeTakeFirst();
  let id = last?.id ?? 0;
  for (const word of fresh) ids.set(word, ++id);
  if (fresh.length > 0)
    await sql`INSERT INTO words SELECT * FROM unnest(${fresh.map((word) => ids.get(word) as number)}::int[],
      ${fresh}::text[], ${fresh.map((word) => counts.get(word) as number)}::int[])`.execute(tx);
  return ids;
}

async function removePostings(tx: Db, documents: readonly RemovedDocument[]): Promise<void> {
  await sql`
    WITH ranges AS (SELECT * FROM unnest(${documents.map(({ firstChunk }) => firstChunk)}::bigint[],
        ${documents.map(({ chunkCount }) => chunkCount)}::bigint[]) AS r(first, count)),
      gone AS (DELETE FROM chunk_words c USING ranges r
        WHERE c.chunk_seq >= r.first AND c.chunk_seq < r.first + r.count RETURNING c.chunk_seq, c.word_ids),
      own AS MATERIALIZED (SELECT g.chunk_seq, w.word_id FROM gone g, unnest(g.word_ids) AS w(word_id)),
      removed AS (DELETE FROM postings p USING own o WHERE p.word_id = o.word_id AND p.chunk_seq = o.chunk_seq),
      fewer AS (SELECT word_id, count(*)::int AS chunks FROM own GROUP BY word_id)
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
