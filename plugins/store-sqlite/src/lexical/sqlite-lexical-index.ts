import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AbortOptions,
  analyseChunk,
  type AnalysedQuery,
  analyseQuery,
  type ChunkId,
  type SearchFilters,
  throwIfCancelled,
} from '@kebab/core';
import {
  INDEX_VERSION,
  type IndexToken,
  type IndexMaterial,
  type IndexText,
  type LexicalHit,
  type LexicalIndex,
  type QueryPhrase,
  type TermStats,
} from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { LRU } from 'tiny-lru';
import { sql } from 'kysely';
import { build, inList, now, statement, type Placeholder } from '../database/statements.ts';
import { storeFailure } from '../database/store-failure.ts';
import { compileFilters } from '../filter-sql.ts';
import {
  demandExpression,
  grammarExpressions,
  phraseExpression,
  rankingUnits,
  tokenExpression,
  type RankingUnit,
} from './match-expressions.ts';
import { MutedPostings } from './muted-postings.ts';
import { PhraseCheck, type RowDemand } from './phrase-check.ts';
import { RowPlaces } from './row-places.ts';
import { RowSet, Scoreboard, type ScoredRow } from './scoreboard.ts';
import { PostingLists, type PostingSource } from './posting-lists.ts';
import { rankRows } from './rank-rows.ts';

/** A temporary view of the terms of the full-text index; it stores nothing. */
const VOCABULARY = 'CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunks_vocab USING fts5vocab(main, chunks_fts, row)';
const TOKENS =
  'SELECT term AS token, doc AS chunks FROM temp.chunks_vocab WHERE term > @after ORDER BY term LIMIT @limit';
const TOKENS_AT_ONCE = 4096;

/** The minimum and maximum number of rows whose texts are checked in one query. */
const MIN_CHECKED_AT_ONCE = 8;
const CHECKED_AT_ONCE = 256;

const NONE: readonly QueryPhrase[] = [];

/** The number of lists that are read without a pause; a list takes up to a millisecond. More than people type. */
const READ_AT_ONCE = 32;

/** The parts of a search that stay the same while more rows are ranked. */
interface Search {
  readonly query: AnalysedQuery;
  readonly units: readonly RankingUnit[];
  readonly source: PostingSource;
  readonly admitted: RowSet | undefined;
  /** Rows that may contain excluded phrases. */
  readonly suspects: RowSet;
  readonly choices: readonly Choice[];
}

/** Alternatives of a demand: a row must contain one of `phrases` literally, unless it is in `byWords`. */
interface Choice {
  readonly phrases: readonly QueryPhrase[];
  readonly byWords: RowSet;
}

/**
 * The full-text index over the chunks of a SQLite database. FTS5 tokenizes, stems and indexes; ranking is BM25 over its counts, summed unit
 * by unit. The connection must have the SQL functions of `registerFilterFunctions`.
 */
export class SqliteLexicalIndex implements LexicalIndex {
  readonly id = 'sqlite-fts5';
  readonly version = '1.0.0';
  readonly #db: Connection;
  readonly #lists: PostingLists;
  readonly #filtered: FilteredRows;
  readonly #places: RowPlaces;
  readonly #phrases: PhraseCheck;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #transaction: (body: () => unknown) => unknown;
  #board = new Scoreboard(0);
  /** The rows of source code, computed on first use. */
  #code: RowSet | undefined;

  constructor(db: Connection) {
    this.#db = db;
    this.#transaction = db.transaction((body: () => unknown) => body());
    this.#statements = statementsOf(db);
    this.#lists = new PostingLists(db);
    this.#filtered = new FilteredRows(db);
    this.#places = new RowPlaces(db);
    this.#phrases = new PhraseCheck(db);
  }

  fingerprint(): string {
    return `${this.id}@${this.version}+${INDEX_VERSION}`;
  }

  indexVersion(): string {
    return INDEX_VERSION;
  }

  analyseChunk(material: IndexMaterial): IndexText {
    return analyseChunk(material);
  }

  analyseQuery(text: string): AnalysedQuery {
    return analyseQuery(text);
  }

  search(
    query: AnalysedQuery,
    filters: SearchFilters,
    limit: number,
    { signal }: AbortOptions = {},
  ): Promise<readonly LexicalHit[]> {
    return this.#readingAhead(query, signal, () => (limit < 1 ? [] : this.#search(query, filters, limit)));
  }

  admitted(
    query: AnalysedQuery,
    filters: SearchFilters,
    { signal }: AbortOptions = {},
  ): Promise<ReadonlySet<ChunkId> | null> {
    const { phrases, excluded, demands = [] } = query;
    const isOpen = phrases.length === 0 && excluded.length === 0 && demands.length === 0;
    if (isOpen) return Promise.resolve(null);
    return this.#readingAhead(query, signal, () => this.#admitted(query, filters));
  }

  termStats(tokens: readonly string[]): Promise<TermStats> {
    return now(() =>
      this.#read(() => ({
        chunks: this.#lists.rowCount,
        df: tokens.map((token) => this.#lists.frequency(tokenExpression(token))),
      })),
    );
  }

  vocabulary({ signal }: AbortOptions = {}): Promise<Iterable<IndexToken>> {
    return now(() => {
      throwIfCancelled(signal, 'search');
      this.#db.exec(VOCABULARY);
      return this.#tokens(signal);
    });
  }

  *#tokens(signal: AbortSignal | undefined): Generator<IndexToken, void, undefined> {
    const vocabulary = this.#db.prepare(TOKENS);
    for (let after = ''; ;) {
      throwIfCancelled(signal, 'search');
      const given = { after, limit: TOKENS_AT_ONCE };
      const tokens = this.#read(() => vocabulary.all(given) as readonly IndexToken[]);
      yield* tokens;
      if (tokens.length < TOKENS_AT_ONCE) return;
      after = tokens.at(-1)?.token ?? '';
    }
  }

  /**
   * Runs `body` in a read transaction, after reading the lists of a long query into the cache, a few at a time: in between, the process
   * answers other requests, and notices that this one was cancelled. `body` reads them again if the corpus changes meanwhile.
   */
  #readingAhead<T>(query: AnalysedQuery, signal: AbortSignal | undefined, body: () => T): Promise<T> {
    const run = (): T => {
      throwIfCancelled(signal, 'search');
      return this.#read(body);
    };
    const steps = this.#stepsAhead(query);
    return steps.length <= 1 ? now(run) : this.#stepwise(steps, signal).then(run);
  }

  async #stepwise(steps: readonly (() => void)[], signal: AbortSignal | undefined): Promise<void> {
    for (const step of steps) {
      throwIfCancelled(signal, 'search');
      this.#read(step);
      await nextTurn();
    }
  }

  #stepsAhead(query: AnalysedQuery): readonly (() => void)[] {
    const required = [...query.phrases, ...query.excluded].filter(({ parts }) => parts.length === 1);
    const units = rankingUnits(query).map(({ expression }) => expression);
    return [
      ...slicesOf(required).map((some) => () => some.forEach((phrase) => this.#rowsOf(phrase))),
      ...slicesOf(units).map((some) => () => some.forEach((unit) => this.#lists.frequency(unit))),
    ];
  }

  #search(query: AnalysedQuery, filters: SearchFilters, limit: number): readonly LexicalHit[] {
    const found = this.#find(this.#prepare(query, filters), limit);
    const places = this.#places.of(found.map(({ row }) => row));
    return found.flatMap(({ row, score }) => {
      const chunkId = places.get(row)?.chunkId;
      return chunkId === undefined ? [] : [{ chunkId, score }];
    });
  }

  #admitted(query: AnalysedQuery, filters: SearchFilters): ReadonlySet<ChunkId> {
    const search = this.#prepare(query, filters);
    const candidates = search.admitted?.rows() ?? this.#statements.allRows.all({}).map(({ seq }) => seq);
    const admitted: number[] = [];
    for (let from = 0; from < candidates.length; from += CHECKED_AT_ONCE)
      admitted.push(...this.#passing(candidates.slice(from, from + CHECKED_AT_ONCE), search));
    const found = this.#statements.chunkIds.all({ rows: JSON.stringify(admitted) });
    return new Set(found.map(({ chunk_id }) => chunk_id as ChunkId));
  }

  /** Filters admitted rows by their texts: all required phrases must occur, and no excluded one. */
  #passing(rows: readonly number[], { query, suspects, choices }: Search): readonly number[] {
    const { phrases: wanted, excluded } = query;
    const demands = rows.map((row): RowDemand => {
      const anyOf = choices.filter(({ byWords }) => !byWords.has(row)).map(({ phrases }) => phrases);
      return { row, wanted, anyOf, unwanted: suspects.has(row) ? excluded : NONE };
    });
    const passing = this.#phrases.passing(demands);
    return rows.filter((_, i) => passing[i]);
  }

  /** Runs `body` in one read transaction, so that all statements see the same state of the corpus. */
  #read<T>(body: () => T): T {
    // In a transaction of the caller there may be rows that FTS5 has not written to its tables yet.
    const isWriting = this.#db.inTransaction;
    const run = (): T => {
      if (this.#lists.refresh(isWriting)) {
        this.#filtered.clear();
        this.#phrases.clear();
        this.#places.clear();
        this.#board = new Scoreboard(this.#lists.maxRow);
        this.#code = undefined;
      }
      return body();
    };
    try {
      return isWriting ? run() : (this.#transaction(run) as T);
    } catch (error) {
      throw storeFailure(error, this.#db.name) satisfies unknown;
    }
  }

  /** The rows that may contain a phrase, ascending. */
  #rowsOf(phrase: QueryPhrase): Int32Array {
    return this.#lists.rows(phraseExpression(phrase));
  }

  #prepare(query: AnalysedQuery, filters: SearchFilters): Search {
    const { maxRow } = this.#lists;
    const units = rankingUnits(query);
    let admitted = this.#filtered.admitted(filters, maxRow);
    const demanded = [
      ...query.phrases.map((phrase) => this.#rowsOf(phrase)),
      ...(query.demands ?? []).map((demand) => this.#lists.rows(demandExpression(demand))),
    ];
    for (const rows of demanded) {
      const filter = admitted;
      admitted = new RowSet(maxRow, filter === undefined ? rows : rows.filter((row) => filter.has(row)));
    }
    const suspects = new RowSet(query.excluded.length === 0 ? 0 : maxRow);
    for (const phrase of query.excluded) for (const row of this.#rowsOf(phrase)) suspects.add(row);
    const choices = (query.demands ?? []).flatMap((demand): readonly Choice[] => {
      if (demand.kind !== 'any') return [];
      const rows = demand.words.flatMap((word) => [...this.#rowsOf(word)]);
      return [{ phrases: demand.phrases, byWords: new RowSet(maxRow, rows) }];
    });
    return { query, units, source: this.#sourceFor(query), admitted, suspects, choices };
  }

  #sourceFor(query: AnalysedQuery): PostingSource {
    const grammar = grammarExpressions(query);
    if (grammar.size === 0) return this.#lists;
    this.#code ??= this.#codeRows();
    return this.#code.size === 0 ? this.#lists : new MutedPostings(this.#lists, grammar, this.#code);
  }

  #codeRows(): RowSet {
    const rows = new RowSet(this.#lists.maxRow);
    for (const { first_chunk: first, chunk_count: count } of this.#statements.codeDocuments.all({}))
      for (let row = first; row < first + count; row++) rows.add(row);
    return rows;
  }

  /** Ranks more rows than requested if phrases and exclusions, which can be checked only in the text, reject some. */
  #find(search: Search, limit: number): readonly ScoredRow[] {
    for (let wanted = limit; ; wanted *= 4) {
      const ranked = rankRows(search.source, { ...search, limit: wanted, board: this.#board });
      const found = this.#checked(search, this.#places.first(ranked, wanted), limit);
      if (found.length === limit || ranked.length < wanted) return found;
    }
  }

  #checked(search: Search, rows: readonly ScoredRow[], limit: number): readonly ScoredRow[] {
    const { query, suspects, choices } = search;
    if (query.phrases.length === 0 && suspects.size === 0 && choices.length === 0) return rows.slice(0, limit);
    const found: ScoredRow[] = [];
    for (let from = 0; from < rows.length && found.length < limit;) {
      const some = rows.slice(from, from + Math.max(MIN_CHECKED_AT_ONCE, limit - found.length));
      const passing = new Set(
        this.#passing(
          some.map(({ row }) => row),
          search,
        ),
      );
      found.push(...some.filter(({ row }) => passing.has(row)));
      from += some.length;
    }
    return found.slice(0, limit);
  }
}

function statementsOf(db: Connection) {
  return {
    allRows: statement(db, () => build.selectFrom('chunks').select('seq')),
    chunkIds: statement(db, (value: Placeholder<{ readonly rows: string }>) =>
      build
        .selectFrom('chunks')
        .select('chunk_id')
        .where('seq', 'in', inList<number>(value('rows'))),
    ),
    codeDocuments: statement(
      db,
      () => build.selectFrom('documents').select(['first_chunk', 'chunk_count']).where('media', '=', sql.lit('code')), // as a literal, so that the partial index answers
    ),
  };
}

function slicesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const slices: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += READ_AT_ONCE) slices.push(items.slice(from, from + READ_AT_ONCE));
  return slices;
}

/** The maximum number of cached sets. */
const MAX_KEPT = 8;

/** Computes the rows that pass search filters, and caches the last few sets until {@link FilteredRows.clear}. */
class FilteredRows {
  readonly #db: Connection;
  readonly #kept = new LRU<RowSet>(MAX_KEPT);

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The rows that pass the filters; undefined if there are no filters. */
  admitted(filters: SearchFilters, maxRow: number): RowSet | undefined {
    const conditions = compileFilters(filters);
    if (conditions.length === 0) return undefined;
    const key = JSON.stringify(filters);
    let rows = this.#kept.get(key);
    if (rows === undefined) {
      // One string, because returning rows costs more than the comparisons that find them.
      const ranges = statement(this.#db, () =>
        build
          .selectFrom('documents as d')
          .select((eb) =>
            eb
              .fn<string | null>('group_concat', [
                eb(
                  eb(eb.ref('d.first_chunk').$castTo<string>(), '||', eb.val(',')),
                  '||',
                  eb.ref('d.chunk_count').$castTo<string>(),
                ),
              ])
              .as('ranges'),
          )
          .where((eb) => eb.and(conditions)),
      );
      const list = ranges.first({})?.ranges ?? '';
      rows = RowSet.ofRanges(maxRow, JSON.parse(`[${list}]`) as readonly number[]);
      this.#kept.set(key, rows);
    }
    return rows;
  }

  /** Empties the cache; must be called when the corpus has changed. */
  clear(): void {
    this.#kept.clear();
  }
}
