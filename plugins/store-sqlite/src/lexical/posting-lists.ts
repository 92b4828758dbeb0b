import { LRU } from 'tiny-lru';
import { rowsOf, tuplesOf, valuesOf, type Statements } from '../database/statements.ts';
import { wordsIn } from './match-expressions.ts';
import { ROWS_A_BLOCK, RowLengths } from '../documents/row-lengths.ts';
import { StoredIndex } from './stored-index.ts';
import { COLUMN_WEIGHTS, StoredRows } from './stored-rows.ts';

/** The rows that match one unit of a query, ascending, with the FTS5 score of each for this unit alone, negated to be positive. */
export interface Postings {
  readonly rows: Int32Array;
  readonly scores: Float64Array;
}

/** Supplies the postings of a ranking. During one ranking, all answers are from the same state of the index. */
export interface PostingSource {
  /** The number of rows of the index; `maxRow` is the highest one. */
  readonly rowCount: number;
  readonly maxRow: number;
  /** Whether this is the first search, so that fetched postings may never be used again. */
  readonly isCold: boolean;
  /** The number of rows that match a unit. */
  frequency(unit: string): number;
  postings(unit: string): Postings;
  /** The postings of a unit in the given rows; cheaper than all postings if the unit is common and the rows are few. */
  postingsAmong(unit: string, rows: readonly number[]): Postings;
  /** The best `limit` rows of a unit and all rows that tie with the last of them, unordered; cheaper than all postings. */
  best(unit: string, limit: number): Postings;
  /** Whether all postings of a unit are cached, or worth fetching because the unit is requested repeatedly. */
  isWarm(unit: string): boolean;
  /** Whether all postings of a unit are warm, or cheap to fetch. */
  isCheap(unit: string): boolean;
}

/** Fetching all postings of a common unit costs about as much as this many requests for a few rows. */
const TIMES_BEFORE_FETCHING = 6;
/** The number of extra rows that are fetched in case they tie with the last wanted row. */
const SPARE_FOR_TIES = 16;
/** The maximum number of cached postings, at 12 bytes each. */
const MAX_CACHED_POSTINGS = 4_000_000;

const MATCH = 'FROM chunks_fts WHERE chunks_fts MATCH @unit';
const SCORE = `bm25(chunks_fts, ${COLUMN_WEIGHTS.map((weight) => weight.toFixed(1)).join(', ')})`;
const REVISION = valuesOf<string>("SELECT value FROM kv WHERE key = 'corpus_revision'");
const LAST_ROW = valuesOf<number | null>('SELECT max(seq) FROM chunks');
/** Scans an index; only needed if FTS5's own count cannot be read from its tables. */
const ROW_COUNT = valuesOf<number>('SELECT count(*) FROM chunks');
/** SQLite's logarithm, so that scores equal those of FTS5 to the last digit. */
const LOGARITHM = valuesOf<number>('SELECT ln(@of)');
const COUNT = valuesOf<number>(`SELECT count(*) ${MATCH}`);
const ROWS = valuesOf<number>(`SELECT rowid ${MATCH}`);
const SCORES = valuesOf<number>(`SELECT ${SCORE} ${MATCH}`);
/** The unary plus prevents SQLite from passing the rows to FTS5, which would seek each of them from the start. */
const AMONG = rowsOf<Scored>(
  `SELECT rowid, ${SCORE} AS score ${MATCH} AND +rowid IN (SELECT value FROM json_each(@rows))`,
);
const BEST = rowsOf<Scored>(`SELECT rowid, ${SCORE} AS score ${MATCH} ORDER BY score LIMIT @limit`);

/** The parameters of FTS5's BM25. */
const K1 = 1.2;
const B = 0.75;
/** FTS5 uses this weight if its formula yields a negative one. */
export const MIN_FTS5_WEIGHT = 1e-6;
/** Lists whose rows were counted are cached until they are read; enough for the units of a query. */
const MAX_COUNTED = 16;
/** The maximum number of cached frequencies, more than any query has units. */
const MAX_FREQUENCIES = 50_000;

interface Scored {
  readonly rowid: number;
  readonly score: number;
}

/**
 * Postings of the full-text index, cached until the corpus changes. BM25 is a sum over units, and the contribution of a unit to a row does
 * not depend on the query, so it can be reused. Lists of words and phrases are read directly from the tables of FTS5, at a thirtieth of the
 * cost of querying it; FTS5 is queried for everything else. {@link PostingLists.refresh} must be called at the beginning of each read
 * transaction.
 */
export class PostingLists implements PostingSource {
  readonly #statements: Statements;
  readonly #frequencies = new LRU<number>(MAX_FREQUENCIES);
  readonly #lists = new Map<string, Postings>();
  /** How often a part of a unit's rows has been requested. */
  readonly #requests = new Map<string, number>();
  readonly #terms: IndexTerms;
  readonly #counted = new LRU<StoredRows>(MAX_COUNTED);
  #stored: StoredIndex | undefined;
  #lengths: RowLengths;
  #cached = 0;
  #searches = 0;
  #at: unknown;
  #rowCount = 0;
  #maxRow = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#terms = new IndexTerms(statements);
    this.#lengths = new RowLengths(statements);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get maxRow(): number {
    return this.#maxRow;
  }

  get isCold(): boolean {
    return this.#searches <= 1;
  }

  /** Empties the cache and returns true if the corpus has changed. `isWriting`: whether this connection has uncommitted changes. */
  refresh(isWriting = false): boolean {
    const revision = this.#statements.value(REVISION);
    if (revision !== undefined && revision === this.#at && !isWriting) {
      if (this.#stored?.isCurrent() === false) this.#stored = expected(() => StoredIndex.open(this.#statements));
      return false;
    }
    this.#at = isWriting ? undefined : revision;
    this.#frequencies.clear();
    this.#lists.clear();
    this.#requests.clear();
    this.#cached = 0;
    this.#counted.clear();
    this.#lengths = new RowLengths(this.#statements);
    this.#stored = isWriting ? undefined : expected(() => StoredIndex.open(this.#statements));
    this.#maxRow = this.#statements.value(LAST_ROW) ?? 0;
    this.#rowCount = this.#stored?.totals.rows ?? this.#statements.value(ROW_COUNT) ?? 0;
    return true;
  }

  /** Announces the units of a search, so that their terms are looked up in one query. */
  prepare(units: readonly string[]): void {
    this.#searches++;
    this.#learn(units);
  }

  /** Caches the frequencies of some units of a search that is about to begin. */
  count(units: readonly string[]): void {
    this.#learn(units);
    for (const unit of units) this.frequency(unit);
  }

  #learn(units: readonly string[]): void {
    if (this.#stored === undefined) return;
    const unknown = units.filter((unit) => !this.#frequencies.has(unit) && !this.#lists.has(unit));
    expected(() => this.#terms.learn(unknown.flatMap((unit) => wordsIn(unit) ?? [])));
  }

  frequency(unit: string): number {
    let frequency = this.#frequencies.get(unit);
    if (frequency === undefined) {
      frequency = expected(() => this.#listOf(unit)?.count) ?? this.#statements.value(COUNT, { unit }) ?? 0;
      this.#frequencies.set(unit, frequency);
    }
    return frequency;
  }

  isWarm(unit: string): boolean {
    return this.#lists.has(unit) || (this.#requests.get(unit) ?? 0) >= TIMES_BEFORE_FETCHING;
  }

  isCheap(unit: string): boolean {
    return this.isWarm(unit) || expected(() => this.#listOf(unit)) !== undefined;
  }

  postings(unit: string): Postings {
    const known = this.#lists.get(unit);
    if (known !== undefined) {
      this.#lists.delete(unit);
      this.#lists.set(unit, known);
      return known;
    }
    const stored = expected(() => this.#read(unit));
    this.#counted.delete(unit);
    const list = stored ?? {
      rows: Int32Array.from(this.#statements.values(ROWS, { unit })),
      scores: positive(this.#statements.values(SCORES, { unit })),
    };
    this.#frequencies.set(unit, list.rows.length);
    this.#keep(unit, list);
    return list;
  }

  /** The rows that match a unit. */
  rows(unit: string): Int32Array {
    if (this.#lists.has(unit)) return this.postings(unit).rows;
    const isStored = expected(() => this.#listOf(unit)) !== undefined;
    return isStored ? this.postings(unit).rows : Int32Array.from(this.#statements.values(ROWS, { unit }));
  }

  postingsAmong(unit: string, among: readonly number[]): Postings {
    this.#countRequest(unit);
    const stored = expected(() => this.#read(unit, among));
    return stored ?? toPostings(this.#statements.all(AMONG, { unit, rows: JSON.stringify(among) }));
  }

  best(unit: string, limit: number): Postings {
    if (expected(() => this.#listOf(unit)) !== undefined) return this.postings(unit);
    this.#countRequest(unit);
    const wanted = limit + SPARE_FOR_TIES;
    const found = this.#statements.all(BEST, { unit, limit: wanted });
    const hasAllTies = found.length < wanted || found[limit - 1]?.score !== found.at(-1)?.score;
    return hasAllTies ? toPostings(found) : this.postings(unit);
  }

  /** The stored list of a unit that is a single term of the index, or a phrase; undefined for other units. */
  #listOf(unit: string): StoredRows | undefined {
    const stored = this.#stored;
    const words = stored === undefined ? undefined : wordsIn(unit);
    if (stored === undefined || words === undefined) return undefined;
    const counted = this.#counted.get(unit);
    if (counted !== undefined) return counted;
    const terms = words.map((word) => this.#terms.termOf(word)).filter((term) => term !== null);
    if (terms.length < words.length) return undefined;
    const list = new StoredRows(terms.map((term) => stored.doclists(term)));
    this.#counted.set(unit, list);
    return list;
  }

  /** Computes what `bm25()` returns for each row, or for each of the given rows, with the same order of operations. */
  #read(unit: string, among?: readonly number[]): Postings | undefined {
    const list = this.#listOf(unit);
    if (list === undefined || this.#stored === undefined) return undefined;
    const { rows, frequencies } = list.read(among);
    const { totals } = this.#stored;
    const odds = (totals.rows - list.count + 0.5) / (list.count + 0.5);
    const logarithm = this.#statements.value(LOGARITHM, { of: odds }) ?? 0;
    const weight = logarithm <= 0 ? MIN_FTS5_WEIGHT : logarithm;
    const average = totals.tokens / totals.rows;
    const scores = frequencies; // overwritten in place, because these arrays are most of the memory of a search
    let lengths: Uint16Array = new Uint16Array();
    let first = 0;
    for (let i = 0; i < rows.length; i++) {
      const frequency = frequencies[i] as number;
      const row = rows[i] as number;
      if (row - first >= lengths.length) {
        first = row - (row % ROWS_A_BLOCK);
        lengths = this.#lengths.block(first / ROWS_A_BLOCK);
      }
      const length = lengths[row - first] || this.#lengths.of(row);
      scores[i] = weight * ((frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / average)));
    }
    return { rows, scores };
  }

  #countRequest(unit: string): void {
    this.#requests.set(unit, (this.#requests.get(unit) ?? 0) + 1);
  }

  #keep(unit: string, list: Postings): void {
    this.#lists.set(unit, list);
    this.#cached += list.rows.length;
    for (const [oldest, { rows }] of this.#lists) {
      if (this.#cached <= MAX_CACHED_POSTINGS || oldest === unit) break;
      this.#lists.delete(oldest);
      this.#requests.delete(oldest);
      this.#cached -= rows.length;
    }
  }
}

/** Undefined if the tables of FTS5 have unexpected contents; FTS5 is then queried, and reports the error or answers. */
function expected<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function toPostings(found: readonly Scored[]): Postings {
  return { rows: Int32Array.from(found, ({ rowid }) => rowid), scores: positive(found.map(({ score }) => score)) };
}

/** Negates the scores of FTS5, for which lower is better. */
function positive(scores: readonly number[]): Float64Array {
  const flipped = new Float64Array(scores.length);
  for (let i = 0; i < scores.length; i++) flipped[i] = -(scores[i] as number);
  return flipped;
}

const SCHEMA = valuesOf<string>("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'");
const TOKENIZER = /\btokenize\s*=\s*("(?:[^"]|"")*"|'(?:[^']|'')*')/;
/** The tokenizer of the index, which stems only Latin letters. */
const PORTER = `"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"`;
const NUMBER = /^[0-9]{1,64}$/;
const ADD_WORDS = 'INSERT INTO temp.query_words(rowid, word) SELECT key, value FROM json_each(@words)';
const TERMS = tuplesOf<readonly [at: number, term: string]>('SELECT doc, term FROM temp.query_terms');
const MAX_KEPT = 2000;

/** Maps words to terms of the index, that is, to their stems, with an in-memory table of this connection that has the same tokenizer. */
class IndexTerms {
  readonly #statements: Statements;
  readonly #known = new LRU<string | null>(MAX_KEPT);
  #isReady = false;
  #named: string | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The term of a word; null if the tokenizer splits it into several, or into none. */
  termOf(word: string): string | null {
    if (this.#isOwnTerm(word)) return word;
    const term = this.#known.get(word);
    if (term !== undefined) return term;
    this.learn([word]);
    return this.#known.get(word) ?? null;
  }

  /** Looks up the terms of all words that are not cached, in one query. */
  learn(words: readonly string[]): void {
    const unknown = [...new Set(words)].filter((word) => !this.#isOwnTerm(word) && this.#known.get(word) === undefined);
    if (unknown.length === 0) return;
    this.#prepare();
    const found = unknown.map((): string[] => []);
    this.#statements.run(ADD_WORDS, { words: JSON.stringify(unknown) });
    for (const [at, term] of this.#statements.tuples(TERMS)) found[at]?.push(term);
    this.#statements.run("INSERT INTO temp.query_words(query_words) VALUES ('delete-all')");
    for (const [at, word] of unknown.entries()) {
      const [term = null, ...others] = found[at] ?? [];
      this.#known.set(word, others.length === 0 ? term : null);
    }
  }

  /** Whether a word is certainly its own term. True for numbers, for which a lookup would take a twentieth of a search. */
  #isOwnTerm(word: string): boolean {
    return NUMBER.test(word) && this.#tokenizer() === PORTER;
  }

  #tokenizer(): string | undefined {
    return (this.#named ??= TOKENIZER.exec(this.#statements.value(SCHEMA) ?? '')?.[1]);
  }

  #prepare(): void {
    if (this.#isReady) return;
    const tokenizer = this.#tokenizer();
    if (tokenizer === undefined) throw new RangeError('the full-text index names no tokenizer');
    this.#statements.run(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.query_words USING fts5(word, content = '', tokenize = ${tokenizer})`,
    );
    this.#statements.run(
      'CREATE VIRTUAL TABLE IF NOT EXISTS temp.query_terms USING fts5vocab(temp, query_words, instance)',
    );
    this.#isReady = true;
  }
}
