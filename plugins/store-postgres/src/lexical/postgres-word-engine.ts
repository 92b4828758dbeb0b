import type { AbortOptions, ChunkId, DocumentId } from '@kebab/core';
import {
  comparedScore,
  MAX_TIED,
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
import { perform } from '../database/engine.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { isAnyOf } from '../database/query-parts.ts';
import { documentFilters } from '../documents/document-filters.ts';
import { chunksWithDocuments } from '../documents/document-queries.ts';
import { BEFORE_TOKENS, nameWord, termWord } from './packed-postings.ts';
import { readTotals, TOTALS_KEY } from './posted-words.ts';
import { CHUNK_COUNT, PostingLists } from './posting-lists.ts';

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
    const words = terms.map(termWord);
    const rows = await this.#database.reads.statement((db) =>
      db
        .selectFrom('postings')
        .select(['word', CHUNK_COUNT.as('chunks')])
        .where(isAnyOf('word', words))
        .groupBy('word')
        .execute(),
    );
    const counts = new Map(rows.map(({ word, chunks }) => [word, chunks]));
    return words.map((word) => counts.get(word) ?? 0);
  }

  async count(scope: PostedScope, _options: AbortOptions): Promise<number> {
    return this.#read(async (reading) => (await admitted(reading, scope)).length);
  }

  async rank(ranking: PostedRanking, _options: AbortOptions): Promise<readonly PostedHit[]> {
    return this.#read(async (reading) => {
      const admits = await admission(reading, ranking);
      return hitsOf(reading, best(await scoresOf(reading, ranking), admits, ranking.limit));
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
    const wordOf = inText ? termWord : nameWord;
    return this.#read(async (reading) => {
      const { db, lists } = reading;
      const admits = await admission(reading, { all: tokens.map((token) => [token]), filters }, { wordOf });
      const [rarest = []] = await lists.read(db, tokens.slice(0, 1).map(wordOf));
      const named = rarest.flatMap((block) =>
        Array.from({ length: block.count }, (_, at) => ({ chunk: block.chunk(at), length: block.length(at) })),
      );
      const first = named
        .filter(({ chunk }) => admits?.(chunk))
        .toSorted((a, b) => a.length - b.length || a.chunk - b.chunk)
        .slice(0, limit)
        .map(({ chunk }) => chunk);
      const { rows } = await sql<NamedRow>`
        SELECT c.chunk_id AS "chunkId", d.doc_id AS "docId", c.ordinal, d.workspace_path AS "workspacePath", d.title,
          c.heading_path_json AS headings, c.section_label AS label, c.index_symbol AS symbol,
          CASE WHEN c.ordinal = 0 THEN d.metadata_json END AS metadata
        FROM unnest(${first}::bigint[]) WITH ORDINALITY AS o(seq, place)
          JOIN chunks c ON c.seq = o.seq JOIN documents d ON d.seq = c.doc_seq
        ORDER BY o.place`.execute(db);
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
    FROM unnest(${beginnings.map((beginning) => beginning || BEFORE_TOKENS)}::text[],
        ${beginnings.map((beginning) => `${beginning}\u{10FFFF}`)}::text[],
        ${requests.map(({ limit }) => limit)}::int[]) WITH ORDINALITY AS r(beginning, ending, max, place),
      LATERAL (SELECT word AS token, ${CHUNK_COUNT} AS chunks FROM postings
        WHERE word > r.beginning COLLATE "C" AND word < r.ending COLLATE "C" AND word !~ '[*]$'
        GROUP BY word ORDER BY word LIMIT r.max) t`.execute(db);
  const lists: IndexToken[][] = requests.map(() => []);
  for (const { place, ...token } of rows) lists[place - 1]?.push(token);
  return lists;
}

/** Eight bytes have the first chunk of a document, and the number of its chunks. */
const PAIR_BYTES = 8;

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
  const admits = await admission(reading, scope, { isWhole: true });
  return Array.from({ length: reading.lists.snapshot.lastChunk }, (_, at) => at + 1).filter((chunk) => admits?.(chunk));
}

/** Which chunks a scope admits, by number; null for all, unless those are to be named. */
async function admission(
  reading: Reading,
  { all, filters }: PostedScope,
  { isWhole = false, wordOf = termWord } = {},
): Promise<((chunk: number) => boolean) | null> {
  const { db, lists } = reading;
  const met = new Uint8Array(lists.snapshot.lastChunk + 1); // how many conditions, in order
  let conditions = 0;
  const meet = (chunk: number): void => {
    if (met[chunk] === conditions) met[chunk] = conditions + 1;
  };
  for (const terms of all) {
    for (const block of (await lists.read(db, terms.map(wordOf))).flat())
      for (let at = 0; at < block.count; at++) meet(block.chunk(at));
    conditions++;
  }
  const documents = await perform(db, (build) => documentFilters(build, filters, lists.accepted));
  if (documents.length > 0 || isWhole) {
    const ranges = await db
      .selectFrom('documents as d')
      .select(sql<Buffer | null>`string_agg(int4send(d.first_chunk::int) || int4send(d.chunk_count), '')`.as('pairs'))
      .where((eb) => eb.and(documents))
      .executeTakeFirst();
    const pairs = ranges?.pairs ?? Buffer.alloc(0);
    for (let at = 0; at < pairs.length; at += PAIR_BYTES) {
      const first = pairs.readInt32BE(at);
      const end = first + pairs.readInt32BE(at + PAIR_BYTES / 2);
      for (let chunk = first; chunk < end; chunk++) meet(chunk);
    }
    conditions++;
  }
  return conditions === 0 ? null : (chunk) => met[chunk] === conditions;
}

/** Scores that tie differ by less than this share of them. */
const ROUNDING = 1e-4;

interface Scored {
  readonly chunk: number;
  readonly score: number;
}

/** The best chunks and all that tie with the last of them, best first. */
function best(scores: Float64Array, admits: ((chunk: number) => boolean) | null, limit: number): readonly Scored[] {
  const highest: number[] = []; // in order
  let least = 0;
  for (let chunk = 0; chunk < scores.length; chunk++) {
    const score = scores[chunk] as number;
    if (score <= least || admits?.(chunk) === false) continue;
    let at = highest.length;
    while (at > 0 && (highest[at - 1] as number) < score) at--;
    highest.splice(at, 0, score);
    if (highest.length > limit) highest.pop();
    if (highest.length === limit) least = highest.at(-1) ?? 0;
  }
  const end = comparedScore(least);
  const lowest = least * (1 - ROUNDING);
  const hits: Scored[] = [];
  for (let chunk = 0; chunk < scores.length; chunk++) {
    const score = scores[chunk] as number;
    if (score > 0 && score >= lowest && admits?.(chunk) !== false && comparedScore(score) >= end)
      hits.push({ chunk, score });
  }
  return hits.toSorted((a, b) => b.score - a.score).slice(0, Math.max(limit, MAX_TIED));
}

async function hitsOf({ db }: Reading, scored: readonly Scored[]): Promise<readonly PostedHit[]> {
  const seqs = scored.map(({ chunk }) => chunk);
  const rows = await db
    .selectFrom('chunks as c')
    .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
    .select(['c.seq', 'c.chunk_id', 'c.ordinal', 'd.workspace_path as path', 'd.source_id as sourceId'])
    .where(isAnyOf('c.seq', seqs, 'bigint'))
    .execute();
  const hits = new Map(rows.map(({ seq, chunk_id, ...row }) => [seq, { ...row, chunkId: chunk_id as ChunkId }]));
  return scored.flatMap(({ chunk, score }) => {
    const hit = hits.get(chunk);
    return hit === undefined ? [] : [{ ...hit, score }];
  });
}

/** The score of each chunk, by its number. */
async function scoresOf({ db, lists }: Reading, { terms, averageLength }: PostedRanking): Promise<Float64Array> {
  const scores = new Float64Array(lists.snapshot.lastChunk + 1);
  const postings = await lists.read(
    db,
    terms.map(({ term }) => termWord(term)),
  );
  for (const [at, { weight, inCode }] of terms.entries())
    for (const block of postings[at] ?? [])
      for (let i = 0; i < block.count; i++) {
        const score = saturated(block.tenths(i) / 10, block.length(i), averageLength);
        const chunk = block.chunk(i);
        scores[chunk] = (scores[chunk] as number) + score * (block.isCode(i) ? inCode : weight);
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
