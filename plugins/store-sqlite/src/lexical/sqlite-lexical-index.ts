import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AbortOptions,
  analyseChunk,
  type AnalysedQuery,
  analyseQuery,
  type ChunkId,
  type DocumentId,
  type SearchFilters,
  throwIfCancelled,
} from '@kebab/core';
import {
  INDEX_VERSION,
  compareCodePoints,
  type IndexToken,
  type IndexMaterial,
  type IndexText,
  type LexicalHit,
  type LexicalIndex,
  type NamedChunk,
  type VocabularyOptions,
  type QueryPhrase,
  type TermStats,
} from '@kebab/core/store';
import { asPromise, inList, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { aliasesIn, decodeHeadingPath, decodeSectionLabel } from '@kebab/store-kit';
import type { Database as Connection, Statement } from 'better-sqlite3';
import { expressionBuilder, sql, type CompiledQuery } from 'kysely';
import { guarded } from '../database/store-failure.ts';
import { build, type Database } from '../database/tables.ts';
import { compileFilters } from '../filter-sql.ts';
import {
  demandExpression,
  nameExpressions,
  phraseExpression,
  rankingUnits,
  tokenExpression,
} from './match-expressions.ts';
import { rowsMeeting, type RowDemand } from './phrase-check.ts';
import { IndexReads, PostingLists } from './posting-lists.ts';
import { rankRows, type RankingTask } from './rank-rows.ts';
import { RowSet, type ScoredRow } from './scoreboard.ts';

/** An alias stands in the text of a first chunk, among all other words; a word or pair that more chunks contain is hardly one. */
const MAX_WITH_ALIAS = 50;
/** More chunks than these are not looked through for aliases and short names: it would take longer than the search. */
const MAX_SIFTED = 1000;

/** A temporary view of the terms of the full-text index; it stores nothing. */
const VOCABULARY = 'CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunks_vocab USING fts5vocab(main, chunks_fts, row)';
const TOKENS =
  'SELECT term AS token, doc AS chunks FROM temp.chunks_vocab WHERE term > @after AND term < @end ORDER BY term LIMIT @limit';
interface TokenPage {
  readonly after: string;
  readonly end: string;
  readonly limit: number;
}
const TOKENS_AT_ONCE = 4096;
const LAST_CHARACTER = '\u{10FFFF}';

/** The minimum and maximum number of rows whose texts are checked in one query. */
const MIN_CHECKED_AT_ONCE = 8;
const CHECKED_AT_ONCE = 256;

const NONE: readonly QueryPhrase[] = [];

/** The number of lists that are read without a pause; a list takes up to a millisecond. More than people type. */
const READ_AT_ONCE = 32;

/** The parts of a search that stay the same while more rows are ranked. */
interface Search extends Omit<RankingTask, 'limit'> {
  readonly query: AnalysedQuery;
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
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #transaction: (body: () => unknown) => unknown;
  #tokenPage: Statement<[TokenPage], IndexToken> | undefined;

  constructor(db: Connection) {
    this.#db = db;
    this.#transaction = db.transaction((body: () => unknown) => body());
    this.#statements = statementsOf(db);
    const reads = new IndexReads();
    this.#lists = new PostingLists(db, reads);
    this.#filtered = new FilteredRows(db, reads);
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

  named(
    phrases: readonly QueryPhrase[],
    filters: SearchFilters,
    limit: number,
    { signal }: AbortOptions = {},
  ): Promise<readonly NamedChunk[]> {
    return asPromise(() => {
      throwIfCancelled(signal, 'search');
      return this.#read(() => this.#named(phrases, filters, limit));
    });
  }

  #named(phrases: readonly QueryPhrase[], filters: SearchFilters, limit: number): readonly NamedChunk[] {
    if (phrases.length === 0 || limit < 1) return [];
    const admitted = this.#filtered.admitted(filters, this.#lists.maxRow);
    const rows = phrases.flatMap((phrase) =>
      this.#lists.namedRows(nameExpressions(phrase), { limit, textLimit: MAX_WITH_ALIAS, siftedLimit: MAX_SIFTED }),
    );
    return namedChunks(
      this.#db,
      [...new Set(rows)].filter((row) => admitted?.has(row) ?? true),
    );
  }

  termStats(tokens: readonly string[], filters: SearchFilters = {}): Promise<TermStats> {
    return asPromise(() =>
      this.#read(() => {
        const lists = this.#lists;
        const admitted = this.#filtered.admitted(filters, lists.maxRow);
        const expressions = tokens.map(tokenExpression);
        if (admitted === undefined)
          return { chunks: lists.rowCount, df: expressions.map((expression) => lists.frequency(expression)) };
        const count = (rows: Int32Array): number => rows.reduce((sum, row) => sum + Number(admitted.has(row)), 0);
        return { chunks: admitted.size, df: expressions.map((expression) => count(lists.rows(expression))) };
      }),
    );
  }

  vocabulary({ signal, beginning = '' }: VocabularyOptions = {}): Promise<Iterable<IndexToken>> {
    return asPromise(() => {
      throwIfCancelled(signal, 'search');
      return this.#tokens(beginning, signal);
    });
  }

  /** A query of the vocabulary, whose table is made with the first one. */
  get #page(): Statement<[TokenPage], IndexToken> {
    if (this.#tokenPage === undefined) {
      this.#db.exec(VOCABULARY);
      this.#tokenPage = this.#db.prepare<[TokenPage], IndexToken>(TOKENS);
    }
    return this.#tokenPage;
  }

  *#tokens(beginning: string, signal: AbortSignal | undefined): Generator<IndexToken, void, undefined> {
    for (let after = beginning; ;) {
      throwIfCancelled(signal, 'search');
      const page = { after, end: beginning + LAST_CHARACTER, limit: TOKENS_AT_ONCE };
      const tokens = guarded(this.#db.name, () => this.#page.all(page));
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
    return steps.length <= 1 ? asPromise(run) : this.#stepwise(steps, signal).then(run);
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

  /** Ranks more rows than requested if phrases and exclusions, which can be checked only in the text, reject some. */
  #search(query: AnalysedQuery, filters: SearchFilters, limit: number): readonly LexicalHit[] {
    const search = this.#prepare(query, filters);
    for (let wanted = limit; ; wanted *= 4) {
      const ranked = rankRows(this.#lists, { ...search, limit: wanted });
      const hits = this.#checked(search, this.#inFinalOrder(ranked, wanted), limit);
      if (hits.length === limit || ranked.length < wanted)
        return hits.map(({ chunkId, score, docId }) => ({ chunkId, score, docId }));
    }
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
    const demands = rows.map((row): RowDemand => {
      const anyOf = choices.filter(({ byWords }) => !byWords.has(row)).map(({ phrases }) => phrases);
      return { row, wanted: query.phrases, anyOf, unwanted: suspects.has(row) ? query.excluded : NONE };
    });
    return rowsMeeting(this.#db, demands);
  }

  /** Runs `body` in one read transaction, so that all statements see the same state of the corpus. */
  #read<T>(body: () => T): T {
    // In a transaction of the caller there may be rows that FTS5 has not written to its tables yet.
    const isWriting = this.#db.inTransaction;
    const run = (): T => {
      this.#lists.refresh(isWriting);
      return body();
    };
    return guarded(this.#db.name, () => (isWriting ? run() : (this.#transaction(run) as T)));
  }

  /** The rows that may contain a phrase, ascending. */
  #rowsOf(phrase: QueryPhrase): Int32Array {
    return this.#lists.rows(phraseExpression(phrase));
  }

  #prepare(query: AnalysedQuery, filters: SearchFilters): Search {
    const { maxRow } = this.#lists;
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
    const code = this.#filtered.code(maxRow);
    return {
      query,
      units: rankingUnits(query),
      code: code.size === 0 ? undefined : code,
      admitted,
      suspects,
      choices,
    };
  }

  /** The first `limit` rows of a ranking with their chunks, without those that are gone; ties by path, ordinal and source. */
  #inFinalOrder(ranked: readonly ScoredRow[], limit: number): readonly RankedRow[] {
    const places = new Map(
      this.#statements.places
        .all({ rows: JSON.stringify(ranked.map(({ row }) => row)) })
        .map((place) => [place.row, place]),
    );
    return ranked
      .flatMap(({ row, score }) => {
        const place = places.get(row);
        if (place === undefined) return [];
        return [{ ...place, chunkId: place.chunkId as ChunkId, docId: place.docId as DocumentId, score }];
      })
      .toSorted(
        (a, b) =>
          b.score - a.score ||
          compareCodePoints(a.path, b.path) ||
          a.ordinal - b.ordinal ||
          compareCodePoints(a.sourceId, b.sourceId),
      )
      .slice(0, limit);
  }

  #checked(search: Search, rows: readonly RankedRow[], limit: number): readonly RankedRow[] {
    const { query, suspects, choices } = search;
    if (query.phrases.length === 0 && suspects.size === 0 && choices.length === 0) return rows.slice(0, limit);
    const checked: RankedRow[] = [];
    for (let from = 0; from < rows.length && checked.length < limit;) {
      const some = rows.slice(from, from + Math.max(MIN_CHECKED_AT_ONCE, limit - checked.length));
      const numbers = some.map(({ row }) => row);
      const passing = new Set(this.#passing(numbers, search));
      checked.push(...some.filter(({ row }) => passing.has(row)));
      from += some.length;
    }
    return checked.slice(0, limit);
  }
}

/** A ranked row, with its chunk and what orders ties. */
interface RankedRow extends ScoredRow {
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  readonly path: string;
  readonly ordinal: number;
  readonly sourceId: string;
}

interface Rows {
  readonly rows: string;
}

function statementsOf(db: Connection) {
  return {
    allRows: statement(db, () => build.selectFrom('chunks').select('seq')),
    chunkIds: statement(db, (value: Placeholder<Rows>) =>
      build
        .selectFrom('chunks')
        .select('chunk_id')
        .where('seq', 'in', inList<number>(value('rows'))),
    ),
    places: statement(db, (value: Placeholder<Rows>) =>
      build
        .selectFrom('chunks as c')
        .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
        .select([
          'c.seq as row',
          'c.chunk_id as chunkId',
          'd.doc_id as docId',
          'd.workspace_path as path',
          'c.ordinal',
          'd.source_id as sourceId',
        ])
        .where('c.seq', 'in', inList<number>(value('rows'))),
    ),
  };
}

function slicesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const slices: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += READ_AT_ONCE) slices.push(items.slice(from, from + READ_AT_ONCE));
  return slices;
}

/** The rows that pass search filters. */
class FilteredRows {
  readonly #db: Connection;
  readonly #reads: IndexReads;

  constructor(db: Connection, reads: IndexReads) {
    this.#db = db;
    this.#reads = reads;
  }

  /** The rows that pass the filters; undefined if there are no filters. */
  admitted(filters: SearchFilters, maxRow: number): RowSet | undefined {
    const conditions = compileFilters(filters);
    if (conditions.length === 0) return undefined;
    const documents = build.selectFrom('documents as d').where((eb) => eb.and(conditions));
    return this.#rows(JSON.stringify(filters), documents.select(RANGES), maxRow);
  }

  /** The rows of source code. */
  code(maxRow: number): RowSet {
    const documents = build.selectFrom('documents').where('media', '=', sql.lit('code')); // as a literal, so that the partial index answers
    return this.#rows('code', documents.select(RANGES), maxRow);
  }

  #rows(key: string, query: RangesQuery, maxRow: number): RowSet {
    const known = this.#reads.get('filtered', key);
    if (known !== undefined) return known;
    const list = statement(this.#db, () => query).first({})?.ranges ?? '';
    const rows = RowSet.ofRanges(maxRow, JSON.parse(`[${list}]`) as readonly number[]);
    this.#reads.set('filtered', key, rows);
    return rows;
  }
}

const document = expressionBuilder<Database, 'documents'>();

/** The chunks of documents as one string, because returning rows costs more than the comparisons that find them. */
const RANGES = document
  .fn<string | null>('group_concat', [
    document(
      document(document.ref('first_chunk').$castTo<string>(), '||', document.val(',')),
      '||',
      document.ref('chunk_count').$castTo<string>(),
    ),
  ])
  .as('ranges');

interface RangesQuery {
  compile(): CompiledQuery<{ readonly ranges: string | null }>;
}

/** The chunks of rows of the full-text index with the names that they can be asked by. */
function namedChunks(db: Connection, rows: readonly number[]): readonly NamedChunk[] {
  if (rows.length === 0) return [];
  return statementsOn(db, namesOfRows)
    .all({ rows: JSON.stringify(rows) })
    .map((row): NamedChunk => {
      const headingPath = decodeHeadingPath(row.headings, row.title);
      const label = decodeSectionLabel(row.label, headingPath);
      return {
        chunkId: row.chunkId as ChunkId,
        docId: row.docId as DocumentId,
        ordinal: row.ordinal,
        workspacePath: row.workspacePath,
        title: row.title,
        aliases: row.metadata === null ? [] : aliasesIn(row.metadata),
        headingPath,
        // The symbol of the index also holds the parts of its words.
        symbol: row.symbol === null ? null : label,
      };
    });
}

function namesOfRows(db: Connection) {
  return statement(db, (value: Placeholder<{ readonly rows: string }>) =>
    build
      .selectFrom('chunks as c')
      .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
      .where('c.seq', 'in', inList<number>(value('rows')))
      .select((eb) => [
        'c.chunk_id as chunkId',
        'd.doc_id as docId',
        'c.ordinal',
        'd.workspace_path as workspacePath',
        'd.title',
        'c.heading_path_json as headings',
        'c.section_label as label',
        'c.index_symbol as symbol',
        eb.case().when('c.ordinal', '=', 0).then(eb.ref('d.metadata_json')).else(null).end().as('metadata'),
      ]),
  );
}
