import type { AbortOptions, ChunkId, DocumentId, SearchFilters } from '@kebab/core';
import {
  searchExtras,
  type IndexToken,
  type NamedChunk,
  type NamesRequest,
  type PostedHit,
  type PostedRanking,
  type PostedScope,
  type RequiredTerms,
  type TokensRequest,
  type WordEngine,
  type WordState,
} from '@kebab/core/store';
import { aliasesIn, decodeHeadingPath, decodeMetadata, decodeSectionLabel } from '@kebab/store-kit';
import { sql, type RawBuilder } from 'kysely';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { documentFilters } from '../documents/document-filters.ts';
import { isCounted, NAME_MARK, readTotals, TOTALS_KEY } from './posted-words.ts';
import { listsOf, wordId } from './word-lists.ts';

/** The most that BM25 gives a term, times its weight. */
const MAX_FACTOR = 2.2;
/** Candidates come from the rarest words, until all others can add no more than this share of what all can. */
const CLOSING_SHARE = 0.3;
/** Postings that are read for candidates in any case: fewer are not worth a second look. */
const MIN_CANDIDATE_POSTINGS = 1000;
/** Absorbs the rounding of sums. */
const ROUNDING = 1e-9;

type Term = PostedRanking['terms'][number];

/** The words of a knowledge base in tables of its own, ranked by plain SQL. */
export class PostgresWordEngine implements WordEngine {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async state(_options: AbortOptions): Promise<WordState> {
    const rows = await this.#database.statement((db) =>
      db.selectFrom('kv').select(['key', 'value']).where('key', 'in', [TOTALS_KEY, 'corpus_revision']).execute(),
    );
    const values = new Map(rows.map(({ key, value }) => [key, value]));
    const { chunks, code, tokens } = readTotals(values.get(TOTALS_KEY));
    return {
      version: values.get('corpus_revision') ?? '',
      size: { chunks, code },
      averageLength: chunks === 0 ? 1 : tokens / chunks,
      isCurrent: true,
    };
  }

  async frequencies(terms: readonly string[], _options: AbortOptions): Promise<readonly number[]> {
    const ids = terms.map(wordId);
    const counted = terms.flatMap((term, at) => (isCounted(term) ? [ids[at]] : []));
    const others = terms.filter((term) => !isCounted(term));
    const { rows } = await this.#read(({ tx, lists }) =>
      sql<{ readonly id: number; readonly chunks: number }>`
        SELECT word_id AS id, chunks FROM words WHERE word_id = ANY(${counted}::bigint[])
        UNION ALL SELECT list & ((1::bigint << 48) - 1), count(*)::int FROM postings
          WHERE list = ANY(${lists(others)}::bigint[]) GROUP BY 1`.execute(tx),
    );
    const counts = new Map(rows.map(({ id, chunks }) => [id, chunks]));
    return ids.map((id) => counts.get(id) ?? 0);
  }

  async count(counted: PostedScope, _options: AbortOptions): Promise<number> {
    return this.#read(async (reading) => {
      const scope = await scopeOf(reading, counted);
      const { rows } = await sql<{ readonly chunks: number }>`
        SELECT count(*)::int AS chunks FROM chunks c WHERE ${within(scope, sql`c.seq`)}`.execute(reading.tx);
      return rows[0]?.chunks ?? 0;
    });
  }

  async rank(ranking: PostedRanking, _options: AbortOptions): Promise<readonly PostedHit[]> {
    const { all, limit, terms, averageLength: average, filters } = ranking;
    return this.#read(async (reading) => {
      const scope = await scopeOf(reading, { all, filters });
      const from = candidateTerms(terms);
      const first = await ranked(reading, { scope, limit, average, from, rest: terms.slice(from.length) });
      const missed = sumOfBounds(terms.slice(from.length));
      const isWhole = from.length === terms.length || (first.length >= limit && (first.at(-1)?.score ?? 0) > missed);
      return isWhole ? first : ranked(reading, { scope, limit, average, from: terms, rest: [] });
    });
  }

  async matching({ all, filters }: PostedScope, _options: AbortOptions): Promise<readonly ChunkId[]> {
    return this.#read(async (reading) => {
      const scope = await scopeOf(reading, { all, filters });
      const { rows } = await sql<{ readonly chunk_id: ChunkId }>`
        SELECT c.chunk_id FROM chunks c WHERE ${within(scope, sql`c.seq`)}`.execute(reading.tx);
      return rows.map(({ chunk_id }) => chunk_id);
    });
  }

  async named(
    tokens: readonly string[],
    { filters, limit, inText }: NamesRequest,
    _options: AbortOptions,
  ): Promise<readonly NamedChunk[]> {
    return this.#read(async (reading) => {
      const words = [...new Set(tokens)].map((token) => (inText ? token : `${NAME_MARK}${token}`));
      const scope = await scopeOf(reading, { all: [], filters });
      const { rows } = await sql<NamedRow>`
        WITH own AS (SELECT p.chunk_seq, min(p.length) AS length FROM postings p
          WHERE p.list = ANY(${reading.lists(words)}::bigint[])
            AND ${within(scope, sql`p.chunk_seq`)}
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
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('chunks as c')
        .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
        .selectAll('d')
        .select('c.chunk_id')
        .where('c.ordinal', '=', 0)
        .where(sql<boolean>`c.chunk_id = ANY(${ids}::text[])`)
        .execute(),
    );
    return new Map(
      rows.map((row) => [row.chunk_id as ChunkId, searchExtras(decodeMetadata(row.metadata_json, row as never))]),
    );
  }

  async tokens({ beginning, limit }: TokensRequest, _options: AbortOptions): Promise<readonly IndexToken[]> {
    const { rows } = await this.#database.statement((db) =>
      sql<IndexToken>`
        SELECT word AS token, chunks FROM words
        WHERE word > ${beginning} AND word < ${`${beginning}\u{10FFFF}`} AND word !~ '[*]$'
        ORDER BY word LIMIT ${limit}`.execute(db),
    );
    return rows;
  }

  #read<T>(query: (reading: Reading) => Promise<T>): Promise<T> {
    return this.#database.read(async (tx) => {
      const last = await tx
        .selectFrom('chunks')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .executeTakeFirst();
      return query({ tx, lists: (terms) => terms.flatMap((term) => listsOf(term, last?.seq ?? 0)) });
    });
  }
}

/** One snapshot of the index. */
interface Reading {
  readonly tx: Db;
  /** The lists of terms. */
  readonly lists: (terms: readonly string[]) => readonly string[];
}

/** The numbers of the chunks that have a term of each list. */
function chunksWith({ lists }: Reading, all: RequiredTerms): RawBuilder<unknown> {
  const sets = all.map((terms) => sql`SELECT chunk_seq FROM postings WHERE list = ANY(${lists(terms)}::bigint[])`);
  return sql.join(sets, sql` INTERSECT `);
}

/** Conditions on the number of a chunk; none means all chunks. */
interface Scope {
  readonly sets: readonly RawBuilder<unknown>[];
}

async function scopeOf(reading: Reading, { all, filters }: PostedScope): Promise<Scope> {
  const withTerms = all.length === 0 ? [] : [chunksWith(reading, all)];
  return { sets: [...withTerms, ...(await filterSets(reading.tx, filters))] };
}

async function filterSets(tx: Db, filters: SearchFilters): Promise<readonly RawBuilder<unknown>[]> {
  const conditions = await documentFilters(tx, filters);
  if (conditions.length === 0) return [];
  const passing = tx
    .selectFrom('documents as d')
    .select(sql<number>`generate_series(d.first_chunk, d.first_chunk + d.chunk_count - 1)`.as('seq'))
    .where((eb) => eb.and(conditions));
  return [sql`${passing}`];
}

function within({ sets }: Scope, seq: RawBuilder<unknown>): RawBuilder<boolean> {
  if (sets.length === 0) return sql<boolean>`true`;
  return sql<boolean>`${sql.join(
    sets.map((set) => sql`${seq} IN (${set})`),
    sql` AND `,
  )}`;
}

/** The rarest terms, from whose postings candidates are taken. */
function candidateTerms(terms: readonly Term[]): readonly Term[] {
  const closing = CLOSING_SHARE * sumOfBounds(terms);
  let postings = 0;
  let count = 0;
  for (const { frequency } of terms) {
    const isEnough = postings + frequency > MIN_CANDIDATE_POSTINGS && sumOfBounds(terms.slice(count)) < closing;
    if (count > 0 && isEnough) break;
    postings += frequency;
    count++;
  }
  return terms.slice(0, count);
}

function sumOfBounds(terms: readonly Term[]): number {
  return terms.reduce((sum, { weight, inCode }) => sum + MAX_FACTOR * Math.max(weight, inCode), ROUNDING);
}

interface RankedTerms {
  readonly scope: Scope;
  readonly limit: number;
  readonly average: number;
  /** Terms of which a chunk must have one. */
  readonly from: readonly Term[];
  /** Terms that only add to the scores of the chunks that can still be among the best. */
  readonly rest: readonly Term[];
}

async function ranked(
  { tx, lists }: Reading,
  { scope, limit, average, from, rest }: RankedTerms,
): Promise<readonly PostedHit[]> {
  const last = sql`coalesce((SELECT score FROM partial ORDER BY score DESC OFFSET ${limit - 1} LIMIT 1), 0)`;
  const first = from.flatMap(({ term, ...weights }) => lists([term]).map((id) => ({ ...weights, id })));
  const others = rest.map(({ term, ...weights }) => ({ ...weights, id: wordId(term).toString() }));
  const { rows } = await sql<PostedHit>`
    WITH partial AS MATERIALIZED (
        SELECT p.chunk_seq, sum(${scoreOf(average)}) AS score
        FROM ${weightRows(first)} JOIN postings p ON p.list = t.id
        WHERE ${within(scope, sql`p.chunk_seq`)} GROUP BY p.chunk_seq),
      candidates AS MATERIALIZED (
        SELECT chunk_seq, score FROM partial WHERE score >= ${last} - ${sumOfBounds(rest)}::float8),
      whole AS (
        SELECT c.chunk_seq, c.score + coalesce(sum(${scoreOf(average)}), 0) AS score
        FROM candidates c LEFT JOIN ${weightRows(others)} ON true
          LEFT JOIN postings p ON p.list = ((c.chunk_seq >> 14)::bigint << 48) + t.id AND p.chunk_seq = c.chunk_seq
        GROUP BY c.chunk_seq, c.score ORDER BY 2 DESC LIMIT ${limit})
    SELECT k.chunk_id AS "chunkId", w.score, d.workspace_path AS path, k.ordinal, d.source_id AS "sourceId"
    FROM whole w JOIN chunks k ON k.seq = w.chunk_seq JOIN documents d ON d.seq = k.doc_seq
    ORDER BY w.score DESC`.execute(tx);
  return rows;
}

/** The numbers of lists or words, with weights. */
function weightRows(rows: readonly (Pick<Term, 'weight' | 'inCode'> & { readonly id: string })[]): RawBuilder<unknown> {
  return sql`unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ weight }) => weight)}::float8[],
    ${rows.map(({ inCode }) => inCode)}::float8[]) AS t(id, weight, in_code)`;
}

/** BM25 of one posting `p` for one term `t`, with the parameters of FTS5. */
function scoreOf(average: number): RawBuilder<number> {
  return sql<number>`CASE WHEN p.is_code THEN t.in_code ELSE t.weight END * p.tenths * 2.2::float8
    / (p.tenths + 12::float8 * (0.25::float8 + 0.75::float8 * p.length / ${average}::float8))`;
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
