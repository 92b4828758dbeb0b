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
import { eachPair, PostingLists } from './posting-lists.ts';
import { CHUNK_BITS, listsOf, wordId } from './word-lists.ts';

/** The lexical index in the tables of a knowledge base. */
export function postgresLexicalIndex(database: PostgresDatabase): PostedLexicalIndex {
  return new PostedLexicalIndex({
    id: 'postgres',
    version: '1.0.0',
    engine: new PostgresWordEngine(database),
    documents: async () => ({ getChunks: (ids) => database.reads.statement((db) => chunksWithDocuments(db, ids)) }),
  });
}

/** The words of a knowledge base in tables of its own, read by plain SQL, and ranked here. Each call reads one snapshot. */
class PostgresWordEngine implements WordEngine {
  readonly #database: PostgresDatabase;
  #lists = new PostingLists({ revision: '', lastChunk: 0 });
  #asked: TokensOfTick | null = null;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async state(_options: AbortOptions): Promise<WordState> {
    return (await this.#database.reads.statement(readState)).state;
  }

  async frequencies(terms: readonly string[], _options: AbortOptions): Promise<readonly number[]> {
    return this.#read(async ({ db, lists }) => {
      const ids = terms.map(wordId);
      const { rows } = await sql<{ readonly id: number; readonly chunks: number }>`
        SELECT word_id AS id, chunks FROM words WHERE word_id = ANY(${ids}::bigint[])`.execute(db);
      const counts = new Map(rows.map(({ id, chunks }) => [id, chunks]));
      const others = terms.filter((term) => !isCounted(term));
      for (const [at, { chunks }] of (await lists.read(db, others)).entries())
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
      return hitsOf(reading, best(await scoresOf(ranking, reading), admits, ranking.limit));
    });
  }

  async matching(scope: PostedScope, _options: AbortOptions): Promise<readonly ChunkId[]> {
    return this.#read(async (reading) => {
      const chunks = await admitted(reading, scope);
      const rows = await reading.db
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
      const { db, lists } = reading;
      const [rarest = '', ...others] = tokens.map((token) => (inText ? token : `${NAME_MARK}${token}`));
      const conditions = await documentFilters(db, filters, lists.accepted);
      // The other words are looked up in the chunks of the rarest one: the list of a frequent word is long.
      const { rows } = await sql<NamedRow>`
        WITH own AS (SELECT p.chunk_seq, p.length FROM postings p
          WHERE p.list = ANY(${listsOf(rarest, lists.snapshot.lastChunk)}::bigint[])
            AND ${others.length} = (SELECT count(*) FROM unnest(${others.map(wordId)}::bigint[]) AS o(word)
              JOIN postings q ON q.list = ((p.chunk_seq >> ${CHUNK_BITS}::int)::bigint << 48) + o.word AND q.chunk_seq = p.chunk_seq)
            AND ${
              conditions.length === 0
                ? sql`true`
                : sql`p.chunk_seq IN (${db
                    .selectFrom('documents as d')
                    .select(sql`generate_series(d.first_chunk, d.first_chunk + d.chunk_count - 1)`.as('seq'))
                    .where((eb) => eb.and(conditions))})`
            }
          ORDER BY 2, 1 LIMIT ${limit})
        SELECT c.chunk_id AS "chunkId", d.doc_id AS "docId", c.ordinal, d.workspace_path AS "workspacePath", d.title,
          c.heading_path_json AS headings, c.section_label AS label, c.index_symbol AS symbol,
          CASE WHEN c.ordinal = 0 THEN d.metadata_json END AS metadata
        FROM own o JOIN chunks c ON c.seq = o.chunk_seq JOIN documents d ON d.seq = c.doc_seq
        ORDER BY o.length, o.chunk_seq`.execute(db);
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

  /** Requests of one tick are one statement: a word that may be misspelt has dozens of beginnings. */
  async tokens(request: TokensRequest, _options: AbortOptions): Promise<readonly IndexToken[]> {
    this.#asked ??= this.#tokensOfTick();
    const { requests, lists } = this.#asked;
    const at = requests.push(request) - 1;
    return (await lists)[at] ?? [];
  }

  #tokensOfTick(): TokensOfTick {
    const requests: TokensRequest[] = [];
    const lists = Promise.resolve().then(() => {
      this.#asked = null;
      return this.#database.reads.statement((db) => readTokens(db, requests));
    });
    return { requests, lists };
  }

  #read<T>(query: (reading: Reading) => Promise<T>): Promise<T> {
    return this.#database.reads.read(async (tx) => {
      const { state, lastChunk } = await readState(tx);
      if (state.version !== this.#lists.snapshot.revision)
        this.#lists = new PostingLists({ revision: state.version, lastChunk });
      return query({ db: tx, lists: this.#lists });
    });
  }
}

interface TokensOfTick {
  readonly requests: TokensRequest[];
  readonly lists: Promise<readonly (readonly IndexToken[])[]>;
}

async function readTokens(db: Db, requests: readonly TokensRequest[]): Promise<readonly (readonly IndexToken[])[]> {
  const beginnings = requests.map(({ beginning }) => beginning);
  const { rows } = await sql<IndexToken & { readonly place: number }>`
    SELECT r.place, t.token, t.chunks
    FROM unnest(${beginnings}::text[], ${beginnings.map((beginning) => `${beginning}\u{10FFFF}`)}::text[],
        ${requests.map(({ limit }) => limit)}::int[]) WITH ORDINALITY AS r(beginning, ending, max, place),
      LATERAL (SELECT word AS token, chunks FROM words
        WHERE word > r.beginning COLLATE "C" AND word < r.ending COLLATE "C" AND word !~ '[*]$'
        ORDER BY word LIMIT r.max) t`.execute(db);
  const lists: IndexToken[][] = requests.map(() => []);
  for (const { place, ...token } of rows) lists[place - 1]?.push(token);
  return lists;
}

/** The index at one revision. */
interface Reading {
  readonly db: Db;
  readonly lists: PostingLists;
}

async function readState(db: Db): Promise<{ readonly state: WordState; readonly lastChunk: number }> {
  const { rows } = await sql<{
    readonly revision: string | null;
    readonly totals: string | null;
    readonly lastChunk: number;
  }>`
    SELECT (SELECT string_agg(value, ' ' ORDER BY key) FROM kv WHERE key IN ('corpus_revision', 'knowledge_base')) AS revision,
      (SELECT value FROM kv WHERE key = ${TOTALS_KEY}) AS totals,
      coalesce((SELECT max(seq) FROM chunks), 0)::int AS "lastChunk"`.execute(db);
  const { revision = null, totals = null, lastChunk = 0 } = rows[0] ?? {};
  const { chunks, code, tokens } = readTotals(totals ?? undefined);
  const state = {
    version: revision ?? '',
    size: { chunks, code },
    averageLength: chunks === 0 ? 1 : tokens / chunks,
    isCurrent: totals !== null || lastChunk === 0,
  };
  return { state, lastChunk };
}

/** The numbers of the chunks in a scope. */
async function admitted(reading: Reading, scope: PostedScope): Promise<readonly number[]> {
  const admits = await admission(reading, scope, true);
  return Array.from({ length: reading.lists.snapshot.lastChunk }, (_, at) => at + 1).filter((chunk) => admits?.(chunk));
}

/** Which chunks a scope admits, by number; null for all, unless those are to be named. */
async function admission(
  reading: Reading,
  { all, filters }: PostedScope,
  isWhole = false,
): Promise<((chunk: number) => boolean) | null> {
  const { db, lists } = reading;
  const met = new Uint8Array(lists.snapshot.lastChunk + 1); // how many conditions, in order
  let conditions = 0;
  for (const list of all) {
    for (const { chunks } of await lists.read(db, list))
      for (const chunk of chunks) if (met[chunk] === conditions) met[chunk] = conditions + 1;
    conditions++;
  }
  const documents = await documentFilters(db, filters, lists.accepted);
  if (documents.length > 0 || isWhole) {
    const ranges = await db
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

async function hitsOf({ db }: Reading, scored: readonly Scored[]): Promise<readonly PostedHit[]> {
  const rows = await db
    .selectFrom('chunks as c')
    .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
    .select(['c.seq', 'c.chunk_id', 'c.ordinal', 'd.workspace_path as path', 'd.source_id as sourceId'])
    .where(
      isAnyOf(
        'c.seq',
        scored.map(({ chunk }) => chunk),
        'bigint',
      ),
    )
    .execute();
  const hits = new Map(rows.map(({ seq, chunk_id, ...row }) => [seq, { ...row, chunkId: chunk_id as ChunkId }]));
  return scored.flatMap(({ chunk, score }) => {
    const hit = hits.get(chunk);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
}

/** The score of each chunk, by its number. */
async function scoresOf({ terms, averageLength }: PostedRanking, { db, lists }: Reading): Promise<Float64Array> {
  const scores = new Float64Array(lists.snapshot.lastChunk + 1);
  const { lengths, areCode } = lists.chunks;
  const postings = await lists.read(
    db,
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
  return scores;
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
  const { chunkId, docId, ordinal, workspacePath, title } = row;
  const headingPath = decodeHeadingPath(headings, title);
  return {
    chunkId,
    docId,
    ordinal,
    workspacePath,
    title,
    aliases: metadata === null ? [] : aliasesIn(metadata),
    headingPath,
    // The symbol of the index also holds the parts of its words.
    symbol: symbol === null ? null : decodeSectionLabel(label, headingPath),
  };
}
