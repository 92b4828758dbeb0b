import { INDEX_VERSION, postedTerms, type IndexText } from '@kebab/core/store';
import { sql, type Expression, type SqlBool } from 'kysely';
import { factOf } from '../database/facts.ts';
import { isAnyOf } from '../database/query-parts.ts';
import type { Db, PostingRow } from '../database/tables.ts';
import { indexedDocuments } from '../documents/index-texts.ts';
import type { ChunkWords, DocumentWords, WordsWriter } from '../words-writer.ts';
import { nameWord, PostingRows, tableOf, tenthsOf, termWord, withoutChunks } from './packed-postings.ts';

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
/** Documents that are analysed again at a time. */
const DOCUMENTS_AT_ONCE = 100;
/** Chunks whose words are made again before they are written: a transaction keeps each version of a row that it changes. */
const CHUNKS_AT_ONCE = 2000;
/** The count of a word of names, which ranks nothing. */
const OF_NAMES = 0;

/** Writes words into the table of the index. */
export const POSTED_WORDS: WordsWriter = {
  encode: (index) => index.map(wordsOf),
  put: async (tx, documents) => {
    for (const { rows, totals } of batchesOf(documents)) {
      await sql`INSERT INTO postings SELECT * FROM ${tableOf(rows.rows())} ORDER BY word, block
        ON CONFLICT (word, block) DO UPDATE SET chunks = postings.chunks || excluded.chunks`.execute(tx);
      await changeTotals(tx, totals, 1);
    }
  },
  remove: async (tx, documents) => {
    for (let from = 0; from < documents.length; from += DOCUMENTS_AT_ONCE) {
      const some = isAnyOf('d.seq', documents.slice(from, from + DOCUMENTS_AT_ONCE), 'bigint');
      for (const { rows, totals, chunks } of batchesOf(await storedDocuments(tx, some))) {
        const touched = await sql<PostingRow>`DELETE FROM postings p USING ${tableOf(rows.rows())}
          WHERE p.word = rows.word AND p.block = rows.block RETURNING p.word, p.block, p.chunks`.execute(tx);
        const left = touched.rows.flatMap((row) => withoutChunks(row, chunks) ?? []);
        await sql`INSERT INTO postings SELECT * FROM ${tableOf(left)} ORDER BY word, block`.execute(tx);
        await changeTotals(tx, totals, -1);
      }
    }
  },
  refresh: async (tx) => {
    const totals = await factOf(tx, TOTALS_KEY);
    if (totals !== undefined && readTotals(totals).version === INDEX_VERSION) return;
    await removeAll(tx);
    let waiting: DocumentWords[] = [];
    for (let last = 0; ;) {
      const documents = await storedDocuments(tx, sql<boolean>`d.seq > ${last}`);
      waiting.push(...documents);
      last = documents.at(-1)?.docSeq ?? last;
      const chunks = waiting.reduce((sum, { words }) => sum + words.length, 0);
      if (documents.length > 0 && chunks < CHUNKS_AT_ONCE) continue;
      await POSTED_WORDS.put(tx, waiting);
      if (documents.length === 0) break;
      waiting = [];
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
  await sql`TRUNCATE postings`.execute(tx);
  await tx.deleteFrom('kv').where('key', '=', TOTALS_KEY).execute();
}

/** The words of stored documents, analysed again. */
async function storedDocuments(
  tx: Db,
  condition: Expression<SqlBool>,
): Promise<readonly (DocumentWords & { readonly docSeq: number })[]> {
  const documents = await indexedDocuments(tx, condition, DOCUMENTS_AT_ONCE);
  return documents.map(({ index, ...document }) => ({ ...document, words: index.map(wordsOf) }));
}

/** The words of documents, in parts that one statement takes. */
function* batchesOf(documents: readonly DocumentWords[]) {
  let batch = { rows: new PostingRows(), chunks: new Set<number>(), totals: { chunks: 0, code: 0, tokens: 0 } };
  for (const { firstChunk, isCode, words: chunks } of documents)
    for (const [at, { length, nameLength, words, tenths }] of chunks.entries()) {
      const { rows, totals } = batch;
      const chunk = firstChunk + at;
      for (const [i, word] of words.entries()) {
        const own = tenths[i] ?? OF_NAMES;
        rows.add(word, { chunk, isCode, length: own === OF_NAMES ? nameLength : length, tenths: own });
      }
      batch.chunks.add(chunk);
      totals.chunks++;
      totals.tokens += length;
      if (isCode) totals.code++;
      if (rows.count < POSTINGS_AT_ONCE) continue;
      yield batch;
      batch = { rows: new PostingRows(), chunks: new Set(), totals: { chunks: 0, code: 0, tokens: 0 } };
    }
  yield batch;
}

function wordsOf(index: IndexText): ChunkWords {
  const { length, nameLength, terms, names } = postedTerms(index);
  return {
    length,
    nameLength,
    words: [...Array.from(terms.keys(), termWord), ...Array.from(names, nameWord)],
    tenths: Int16Array.from([...terms.values(), ...Array.from(names, () => OF_NAMES)], tenthsOf),
  };
}

async function changeTotals(tx: Db, change: Omit<WordTotals, 'version'>, sign: 1 | -1): Promise<void> {
  const known = readTotals(await factOf(tx, TOTALS_KEY));
  const totals: WordTotals = {
    version: INDEX_VERSION,
    chunks: known.chunks + sign * change.chunks,
    code: known.code + sign * change.code,
    tokens: known.tokens + sign * change.tokens,
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
