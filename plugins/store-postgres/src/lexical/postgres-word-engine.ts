import type { AbortOptions, ChunkId, DocumentId } from '@kebab/core';
import {
  PostedLexicalIndex,
  saturated,
  searchExtras,
  type IndexToken,
  type NamedChunk,
  type NamesRequest,
  type PostedHit,
  type PostedRanking,
  type PostedScope,
  type TokensRequest,
  type WordEngine,
  type WordState,
} from '@kebab/core/store';
import { aliasesIn, decodeHeadingPath, decodeMetadata, decodeSectionLabel } from '@kebab/store-kit';
import { sql } from 'kysely';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { isAnyOf } from '../database/query-parts.ts';
import { documentFilters } from '../documents/document-filters.ts';
import { chunksWithDocuments } from '../documents/document-queries.ts';
import { isCounted, NAME_MARK, readTotals, TOTALS_KEY } from './posted-words.ts';
import { eachPair, PostingLists, type IndexSnapshot } from './posting-lists.ts';
import { listsOf, wordId } from './word-lists.ts';

/** The lexical index in the tables of a knowledge base. */
export function postgresLexicalIndex(database: PostgresDatabase): PostedLexicalIndex {
  return new PostedLexicalIndex({
    id: 'postgres',
    version: '1.0.0',
    engine: new PostgresWordEngine(database),
    documents: async () => ({ getChunks: (ids) => database.reads.read((tx) => chunksWithDocuments(tx, ids)) }),
  });
}

/** The words of a knowledge base in tables of its own, read by plain SQL, and ranked here. */
class PostgresWordEngine implements WordEngine {
  readonly #database: PostgresDatabase;
  readonly #scores = new WeakMap<
    PostedRanking['terms'],
    { readonly lists: PostingLists; readonly scores: Float64Array }
  >();
  #lists = new PostingLists({ revision: '', lastChunk: 0 });

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async state(_options: AbortOptions): Promise<WordState> {
    const rows = await this.#database.reads.statement((db) =>
      db.selectFrom('kv').select(['key', 'value']).where('key', 'in', [TOTALS_KEY, 'corpus_revision']).execute(),
    );
    const values = new Map(rows.map(({ key, value }) => [key, value]));
    const totals = values.get(TOTALS_KEY);
    const { chunks, code, tokens } = readTotals(totals);
    return {
      version: values.get('corpus_revision') ?? '',
      size: { chunks, code },
      averageLength: chunks === 0 ? 1 : tokens / chunks,
      isCurrent: totals !== undefined || !(await this.#database.reads.statement(hasDocuments)),
    };
  }

  async frequencies(terms: readonly string[], _options: AbortOptions): Promise<readonly number[]> {
    return this.#read(async ({ tx, lists }) => {
      const ids = terms.map(wordId);
      const { rows } = await sql<{ readonly id: number; readonly chunks: number }>`
        SELECT word_id AS id, chunks FROM words WHERE word_id = ANY(${ids}::bigint[])`.execute(tx);
      const counts = new Map(rows.map(({ id, chunks }) => [id, chunks]));
      const others = terms.filter((term) => !isCounted(term));
      for (const [at, { chunks }] of (await lists.read(tx, others)).entries())
        counts.set(wordId(others[at] ?? ''), chunks.length);
      return ids.map((id) => counts.get(id) ?? 0);
    });
  }

  async count(scope: PostedScope, _options: AbortOptions): Promise<number> {
    return this.#read(async (reading) => (await admitted(reading, scope)).length);
  }

  async rank(ranking: PostedRanking, _options: AbortOptions): Promise<readonly PostedHit[]> {
    return this.#read(async (reading) => {
      const admits = await admission(reading, ranking);
      return hitsOf(reading.tx, best(await this.#scoresOf(ranking, reading), admits, ranking.limit));
    });
  }

  /** The score of each chunk, by its number. Who asks for more of a ranking gives the same terms again. */
  async #scoresOf({ terms, averageLength }: PostedRanking, { lists, tx }: Reading): Promise<Float64Array> {
    const known = this.#scores.get(terms);
    if (known?.lists === lists) return known.scores;
    const scores = new Float64Array(lists.snapshot.lastChunk + 1);
    const { lengths, areCode } = lists.chunks;
    const postings = await lists.read(
      tx,
      terms.map(({ term }) => term),
    );
    for (const [at, { chunks, tenths }] of postings.entries()) {
      const { weight = 0, inCode = 0 } = terms[at] ?? {};
      for (let i = 0; i < chunks.length; i++) {
        const chunk = chunks[i] as number;
        const score = saturated((tenths[i] as number) / 10, lengths[chunk] as number, averageLength);
        scores[chunk] = (scores[chunk] as number) + score * (areCode[chunk] === 1 ? inCode : weight);
      }
    }
    this.#scores.set(terms, { lists, scores });
    return scores;
  }

  async matching(scope: PostedScope, _options: AbortOptions): Promise<readonly ChunkId[]> {
    return this.#read(async (reading) => {
      const chunks = await admitted(reading, scope);
      const rows = await reading.tx
        .selectFrom('chunks')
        .select('chunk_id')
        .where(isAnyOf('seq', chunks, 'bigint'))
        .execute();
      return rows.map(({ chunk_id }) => chunk_id as ChunkId);
    });
  }

  async named(
    tokens: readonly string[],
    { filters, limit, inText }: NamesRequest,
    _options: AbortOptions,
  ): Promise<readonly NamedChunk[]> {
    return this.#read(async (reading) => {
      const words = [...new Set(tokens)].map((token) => (inText ? token : `${NAME_MARK}${token}`));
      const conditions = await documentFilters(reading.tx, filters, reading.lists.accepted);
      const { rows } = await sql<NamedRow>`
        WITH own AS (SELECT p.chunk_seq, min(p.length) AS length FROM postings p
          WHERE p.list = ANY(${listsIn(words, reading.lists.snapshot)}::bigint[])
            AND ${
              conditions.length === 0
                ? sql`true`
                : sql`p.chunk_seq IN (${reading.tx
                    .selectFrom('documents as d')
                    .select(sql`generate_series(d.first_chunk, d.first_chunk + d.chunk_count - 1)`.as('seq'))
                    .where((eb) => eb.and(conditions))})`
            }
          GROUP BY p.chunk_seq HAVING count(*) = ${words.length}
          ORDER BY 2, 1 LIMIT ${limit})
        SELECT c.chunk_id AS "chunkId", d.doc_id AS "docId", c.ordinal, d.workspace_path AS "workspacePath", d.title,
          c.heading_path_json AS headings, c.section_label AS label, c.index_symbol AS symbol,
          CASE WHEN c.ordinal = 0 THEN d.metadata_json END AS metadata
        FROM own o JOIN chunks c ON c.seq = o.chunk_seq JOIN documents d ON d.seq = c.doc_seq
        ORDER BY o.length, o.chunk_seq`.execute(reading.tx);
      return rows.map(toNamedChunk);
    });
  }

  async extras(ids: readonly ChunkId[], _options: AbortOptions): Promise<ReadonlyMap<ChunkId, readonly string[]>> {
    const rows = await this.#database.reads.statement((db) =>
      db
        .selectFrom('chunks as c')
        .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
        .selectAll('d')
        .select('c.chunk_id')
        .where('c.ordinal', '=', 0)
        .where(isAnyOf('c.chunk_id', ids))
        .execute(),
    );
    return new Map(
      rows.map((row) => [row.chunk_id as ChunkId, searchExtras(decodeMetadata(row.metadata_json, row as never))]),
    );
  }

  async tokens({ beginning, limit }: TokensRequest, _options: AbortOptions): Promise<readonly IndexToken[]> {
    const { rows } = await this.#database.reads.statement((db) =>
      sql<IndexToken>`
        SELECT word AS token, chunks FROM words
        WHERE word > ${beginning} AND word < ${`${beginning}\u{10FFFF}`} AND word !~ '[*]$'
        ORDER BY word LIMIT ${limit}`.execute(db),
    );
    return rows;
  }

  #read<T>(query: (reading: Reading) => Promise<T>): Promise<T> {
    return this.#database.reads.read(async (tx) => {
      const { rows } = await sql<IndexSnapshot>`SELECT (SELECT value FROM kv WHERE key = 'corpus_revision') AS revision,
        coalesce((SELECT max(seq) FROM chunks), 0)::int AS "lastChunk"`.execute(tx);
      const [snapshot = { revision: '', lastChunk: 0 }] = rows;
      if (snapshot.revision !== this.#lists.snapshot.revision) this.#lists = new PostingLists(snapshot);
      return query({ tx, lists: this.#lists });
    });
  }
}

/** One snapshot of the index. */
interface Reading {
  readonly tx: Db;
  readonly lists: PostingLists;
}

async function hasDocuments(db: Db): Promise<boolean> {
  return (await db.selectFrom('documents').select('seq').limit(1).executeTakeFirst()) !== undefined;
}

function listsIn(terms: readonly string[], { lastChunk }: IndexSnapshot): readonly string[] {
  return terms.flatMap((term) => listsOf(term, lastChunk));
}

/** The numbers of the chunks in a scope. */
async function admitted(reading: Reading, scope: PostedScope): Promise<readonly number[]> {
  const admits = await admission(reading, scope, true);
  return Array.from({ length: reading.lists.snapshot.lastChunk }, (_, at) => at + 1).filter((chunk) => admits?.(chunk));
}

/** Which chunks a scope admits, by number; null for all, unless those are to be named. */
async function admission(
  { tx, lists }: Reading,
  { all, filters }: PostedScope,
  isWhole = false,
): Promise<((chunk: number) => boolean) | null> {
  const met = new Uint8Array(lists.snapshot.lastChunk + 1); // how many conditions, in order
  let conditions = 0;
  for (const list of all) {
    for (const { chunks } of await lists.read(tx, list))
      for (const chunk of chunks) if (met[chunk] === conditions) met[chunk] = conditions + 1;
    conditions++;
  }
  const documents = await documentFilters(tx, filters, lists.accepted);
  if (documents.length > 0 || isWhole) {
    const ranges = await tx
      .selectFrom('documents as d')
      .select(sql<Buffer | null>`array_send(array_agg((d.first_chunk << 32) | d.chunk_count))`.as('pairs'))
      .where((eb) => eb.and(documents))
      .executeTakeFirst();
    eachPair(ranges?.pairs ?? Buffer.alloc(0), (first, count) => {
      for (let chunk = first; chunk < first + count; chunk++)
        if (met[chunk] === conditions) met[chunk] = conditions + 1;
    });
    conditions++;
  }
  return conditions === 0 ? null : (chunk) => met[chunk] === conditions;
}

interface Scored {
  readonly chunk: number;
  readonly score: number;
}

/** The best chunks, best first. */
function best(scores: Float64Array, admits: ((chunk: number) => boolean) | null, limit: number): readonly Scored[] {
  const first: Scored[] = [];
  let least = 0;
  for (let chunk = 0; chunk < scores.length; chunk++) {
    const score = scores[chunk] as number;
    if (score <= least || admits?.(chunk) === false) continue;
    let at = first.length;
    while (at > 0 && (first[at - 1] as Scored).score < score) at--;
    first.splice(at, 0, { chunk, score });
    if (first.length > limit) first.pop();
    if (first.length === limit) least = first.at(-1)?.score ?? 0;
  }
  return first;
}

async function hitsOf(tx: Db, scored: readonly Scored[]): Promise<readonly PostedHit[]> {
  const scores = new Map(scored.map(({ chunk, score }) => [chunk, score]));
  const rows = await tx
    .selectFrom('chunks as c')
    .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
    .select(['c.seq', 'c.chunk_id as chunkId', 'c.ordinal', 'd.workspace_path as path', 'd.source_id as sourceId'])
    .where(isAnyOf('c.seq', [...scores.keys()], 'bigint'))
    .execute();
  return rows
    .map(({ seq, chunkId, ...rest }) => ({ ...rest, chunkId: chunkId as ChunkId, score: scores.get(seq) ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
}

interface NamedRow {
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  readonly ordinal: number;
  readonly workspacePath: string;
  readonly title: string;
  readonly headings: string;
  readonly label: string | null;
  readonly symbol: string | null;
  readonly metadata: string | null;
}

function toNamedChunk({ headings, label, symbol, metadata, ...row }: NamedRow): NamedChunk {
  const headingPath = decodeHeadingPath(headings, row.title);
  return {
    ...row,
    aliases: metadata === null ? [] : aliasesIn(metadata),
    headingPath,
    // The symbol of the index also holds the parts of its words.
    symbol: symbol === null ? null : decodeSectionLabel(label, headingPath),
  };
}
