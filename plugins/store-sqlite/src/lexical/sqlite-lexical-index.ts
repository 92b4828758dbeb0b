import {
  INDEX_VERSION,
  analyseChunk,
  analyseQuery,
  throwIfCancelled,
  type AbortOptions,
  type AnalysedQuery,
  type ChunkId,
  type IndexMaterial,
  type IndexText,
  type LexicalHit,
  type LexicalIndex,
  type SearchFilters,
  type TermStats,
} from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { Statements } from '../database/statements.ts';
import { FilteredRows } from './filtered-rows.ts';
import { phraseExpression, rankingUnits, tokenExpression, type RankingUnit } from './match-expressions.ts';
import { PhraseCheck } from './phrase-check.ts';
import { PostingLists } from './posting-lists.ts';
import { rankRows } from './rank-rows.ts';
import { RowSet } from './row-set.ts';
import { Scoreboard, type ScoredRow } from './scoreboard.ts';
import { TieOrder } from './tie-order.ts';

const MATCHING = 'SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ?';
const ALL_ROWS = 'SELECT seq FROM chunks';
const CHUNK_ID = 'SELECT chunk_id FROM chunks WHERE seq = ?';

/** One search, with what does not change while the list grows. */
interface Search {
  readonly query: AnalysedQuery;
  readonly units: readonly RankingUnit[];
  readonly admitted: RowSet | undefined;
  /** Rows that may hold what must not occur. */
  readonly suspects: RowSet;
}

/**
 * The full-text index over the chunks of a SQLite database: FTS5 finds, stems and counts; ranking is BM25 over its counts,
 * summed unit by unit. The connection must know the SQL functions of `registerFilterFunctions`.
 */
export class SqliteLexicalIndex implements LexicalIndex {
  readonly id = 'sqlite-fts5';
  readonly version = '1.0.0';
  readonly #db: Connection;
  readonly #lists: PostingLists;
  readonly #filtered: FilteredRows;
  readonly #ties: TieOrder;
  readonly #phrases: PhraseCheck;
  readonly #statements: Statements;
  readonly #transaction: (body: () => unknown) => unknown;
  #board = new Scoreboard(0);

  constructor(db: Connection) {
    this.#db = db;
    this.#transaction = db.transaction((body: () => unknown) => body());
    this.#statements = new Statements(db);
    this.#lists = new PostingLists(this.#statements);
    this.#filtered = new FilteredRows(this.#statements);
    this.#ties = new TieOrder(this.#statements);
    this.#phrases = new PhraseCheck(this.#statements);
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
  ): readonly LexicalHit[] {
    throwIfCancelled(signal, 'search');
    if (limit < 1) return [];
    return this.#read(() =>
      this.#find(this.#prepare(query, filters), limit).map(({ row, score }) => ({
        chunkId: this.#statements.firstColumnOf(CHUNK_ID).get(row) as ChunkId,
        score,
      })),
    );
  }

  admitted(query: AnalysedQuery, filters: SearchFilters, { signal }: AbortOptions = {}): ReadonlySet<ChunkId> | null {
    throwIfCancelled(signal, 'search');
    const { phrases, excluded } = query;
    if (phrases.length === 0 && excluded.length === 0) return null;
    return this.#read(() => {
      const { admitted, suspects } = this.#prepare(query, filters);
      const candidates = admitted?.rows() ?? (this.#statements.firstColumnOf(ALL_ROWS).all() as readonly number[]);
      const standing = candidates.filter((row) => {
        const unwanted = suspects.has(row) ? excluded : [];
        const isPlain = phrases.length === 0 && unwanted.length === 0;
        return isPlain || this.#phrases.passes(row, phrases, unwanted);
      });
      const idOf = this.#statements.firstColumnOf(CHUNK_ID);
      return new Set(standing.map((row) => idOf.get(row) as ChunkId));
    });
  }

  termStats(tokens: readonly string[]): TermStats {
    return this.#read(() => ({
      chunks: this.#lists.rowCount,
      df: tokens.map((token) => this.#lists.frequency(tokenExpression(token))),
    }));
  }

  /** Runs in one read transaction, so that all statements see one state of the corpus. */
  #read<T>(body: () => T): T {
    const run = (): T => {
      if (this.#lists.refresh()) {
        this.#filtered.clear();
        this.#board = new Scoreboard(this.#lists.maxRow);
      }
      return body();
    };
    return this.#db.inTransaction ? run() : (this.#transaction(run) as T);
  }

  #prepare(query: AnalysedQuery, filters: SearchFilters): Search {
    const { maxRow } = this.#lists;
    let admitted = this.#filtered.admitted(filters, maxRow);
    for (const phrase of query.phrases) {
      const rows = this.#statements.firstColumnOf(MATCHING).all(phraseExpression(phrase)) as readonly number[];
      const filter = admitted;
      admitted = new RowSet(maxRow, filter === undefined ? rows : rows.filter((row) => filter.has(row)));
    }
    const suspects = new RowSet(query.excluded.length === 0 ? 0 : maxRow);
    for (const phrase of query.excluded)
      for (const row of this.#statements.firstColumnOf(MATCHING).all(phraseExpression(phrase)) as readonly number[])
        suspects.add(row);
    return { query, units: rankingUnits(query), admitted, suspects };
  }

  /** Ranks more rows than asked for when phrases and exclusions, which only the text can decide, reject some. */
  #find(search: Search, limit: number): readonly ScoredRow[] {
    for (let wanted = limit; ; wanted *= 4) {
      const ranked = rankRows(this.#lists, { ...search, limit: wanted, board: this.#board });
      const found = this.#checked(search, this.#ties.first(ranked, wanted), limit);
      if (found.length === limit || ranked.length < wanted) return found;
    }
  }

  #checked({ query, suspects }: Search, rows: readonly ScoredRow[], limit: number): readonly ScoredRow[] {
    const { phrases } = query;
    if (phrases.length === 0 && suspects.size === 0) return rows.slice(0, limit);
    const found: ScoredRow[] = [];
    for (const scored of rows) {
      if (found.length === limit) break;
      const excluded = suspects.has(scored.row) ? query.excluded : [];
      const isPlain = phrases.length === 0 && excluded.length === 0;
      if (isPlain || this.#phrases.passes(scored.row, phrases, excluded)) found.push(scored);
    }
    return found;
  }
}
