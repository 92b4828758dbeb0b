import { LRU } from 'tiny-lru';
import { rowsOf, tuplesOf, valuesOf, type Statements } from '../database/statements.ts';
import { wordsIn } from './match-expressions.ts';
import { ROWS_A_BLOCK, RowLengths } from '../documents/row-lengths.ts';
import { StoredIndex } from './stored-index.ts';
import { COLUMN_WEIGHTS, StoredRows } from './stored-rows.ts';

/** The rows that match one unit of a query, ascending, and FTS5's score of each for this unit alone, made positive. */
export interface Postings {
  readonly rows: Int32Array;
  readonly scores: Float64Array;
}

/** Where a ranking finds its postings. Within one ranking it answers from one state of the index. */
export interface PostingSource {
  /** How many rows the index has, and the highest of them. */
  readonly rowCount: number;
  readonly maxRow: number;
  /** Whether nothing was searched before, so that what is fetched may never be asked for again. */
  readonly isCold: boolean;
  /** How many rows match a unit. */
  frequency(unit: string): number;
  postings(unit: string): Postings;
  /** The postings of a unit at some rows only: cheaper than all of them when the unit is common and the rows are few. */
  postingsAmong(unit: string, rows: readonly number[]): Postings;
  /** The best `limit` rows of a unit and all that score like the last of them, in no order: cheaper than all postings. */
  best(unit: string, limit: number): Postings;
  /** Whether all postings of a unit are at hand, or worth fetching because the unit has been asked for before. */
  isWarm(unit: string): boolean;
  /** Whether they are, or can be fetched for little. */
  isCheap(unit: string): boolean;
}

/** Fetching all postings of a common unit costs about as much as asking so often about a few rows. */
const TIMES_BEFORE_FETCHING = 6;
/** So many equals of the last row wanted are fetched with it. */
const SPARE_FOR_TIES = 16;
/** The most postings kept in memory, at 12 bytes each. */
const MAX_CACHED_POSTINGS = 4_000_000;

const MATCH = 'FROM chunks_fts WHERE chunks_fts MATCH @unit';
const SCORE = `bm25(chunks_fts, ${COLUMN_WEIGHTS.map((weight) => weight.toFixed(1)).join(', ')})`;
const REVISION = valuesOf<string>("SELECT value FROM kv WHERE key = 'corpus_revision'");
const LAST_ROW = valuesOf<number | null>('SELECT max(seq) FROM chunks');
/** Counts through an index: FTS5's own count is at hand where its tables can be read. */
const ROW_COUNT = valuesOf<number>('SELECT count(*) FROM chunks');
/** SQLite's logarithm, so that scores are those of FTS5 to the last digit. */
const LOGARITHM = valuesOf<number>('SELECT ln(@of)');
const COUNT = valuesOf<number>(`SELECT count(*) ${MATCH}`);
const ROWS = valuesOf<number>(`SELECT rowid ${MATCH}`);
const SCORES = valuesOf<number>(`SELECT ${SCORE} ${MATCH}`);
/** The plus keeps SQLite from handing the rows to FTS5, which would look each of them up from the start. */
const AMONG = rowsOf<Scored>(
  `SELECT rowid, ${SCORE} AS score ${MATCH} AND +rowid IN (SELECT value FROM json_each(@rows))`,
);
const BEST = rowsOf<Scored>(`SELECT rowid, ${SCORE} AS score ${MATCH} ORDER BY score LIMIT @limit`);

/** FTS5's BM25. */
const K1 = 1.2;
const B = 0.75;
/** FTS5 gives this weight where its own formula would be negative. */
export const MIN_FTS5_WEIGHT = 1e-6;
/** Lists that were counted are kept until they are read: those of a query. */
const MAX_COUNTED = 16;
/** How often so many units occur is remembered: more than any query has. */
const MAX_FREQUENCIES = 50_000;

interface Scored {
  readonly rowid: number;
  readonly score: number;
}

/**
 * Postings of the full-text index; those asked for lately are kept in memory until the corpus changes. BM25 is a sum over
 * units, and what one unit adds to a row does not depend on the query, so it need not be computed again for the next one.
 * Lists of words and phrases are read from the tables of FTS5, which costs a thirtieth of asking it; everything else is asked of FTS5.
 * {@link PostingLists.refresh} must be called at the beginning of each read transaction.
 */
export class PostingLists implements PostingSource {
  readonly #statements: Statements;
  readonly #frequencies = new LRU<number>(MAX_FREQUENCIES);
  readonly #lists = new Map<string, Postings>();
  /** How often a unit has been asked about a part of its rows. */
  readonly #askedFor = new Map<string, number>();
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

  /** Forgets everything if the corpus has changed; true when it has. `isWriting` says that this connection has changes of its own. */
  refresh(isWriting = false): boolean {
    const revision = this.#statements.value(REVISION);
    if (revision !== undefined && revision === this.#at && !isWriting) {
      if (this.#stored?.isCurrent() === false) this.#stored = expected(() => StoredIndex.open(this.#statements));
      return false;
    }
    this.#at = isWriting ? undefined : revision;
    this.#frequencies.clear();
    this.#lists.clear();
    this.#askedFor.clear();
    this.#cached = 0;
    this.#counted.clear();
    this.#lengths = new RowLengths(this.#statements);
    this.#stored = isWriting ? undefined : expected(() => StoredIndex.open(this.#statements));
    this.#maxRow = this.#statements.value(LAST_ROW) ?? 0;
    this.#rowCount = this.#stored?.totals.rows ?? this.#statements.value(ROW_COUNT) ?? 0;
    return true;
  }

  /** Says which units will be asked for, since some of what they take is asked at once. */
  prepare(units: readonly string[]): void {
    this.#searches++;
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
    return this.#lists.has(unit) || (this.#askedFor.get(unit) ?? 0) >= TIMES_BEFORE_FETCHING;
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
    const isStored = expected(() => this.#listOf(unit)) !== undefined;
    return isStored ? this.postings(unit).rows : Int32Array.from(this.#statements.values(ROWS, { unit }));
  }

  postingsAmong(unit: string, among: readonly number[]): Postings {
    this.#countAsking(unit);
    const stored = expected(() => this.#read(unit, among));
    return stored ?? toPostings(this.#statements.all(AMONG, { unit, rows: JSON.stringify(among) }));
  }

  best(unit: string, limit: number): Postings {
    if (expected(() => this.#listOf(unit)) !== undefined) return this.postings(unit);
    this.#countAsking(unit);
    const wanted = limit + SPARE_FOR_TIES;
    const found = this.#statements.all(BEST, { unit, limit: wanted });
    const hasAllTies = found.length < wanted || found[limit - 1]?.score !== found.at(-1)?.score;
    return hasAllTies ? toPostings(found) : this.postings(unit);
  }

  /** The stored list of a unit that is one term of the index, or some in a row. */
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

  /** What `bm25()` gives each row, or each of some, in its order of operations. */
  #read(unit: string, among?: readonly number[]): Postings | undefined {
    const list = this.#listOf(unit);
    if (list === undefined || this.#stored === undefined) return undefined;
    const { rows, frequencies } = list.read(among);
    const { totals } = this.#stored;
    const odds = (totals.rows - list.count + 0.5) / (list.count + 0.5);
    const logarithm = this.#statements.value(LOGARITHM, { of: odds }) ?? 0;
    const weight = logarithm <= 0 ? MIN_FTS5_WEIGHT : logarithm;
    const average = totals.tokens / totals.rows;
    const scores = frequencies; // one takes the place of the other: most of the memory of a search
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

  #countAsking(unit: string): void {
    this.#askedFor.set(unit, (this.#askedFor.get(unit) ?? 0) + 1);
  }

  #keep(unit: string, list: Postings): void {
    this.#lists.set(unit, list);
    this.#cached += list.rows.length;
    for (const [oldest, { rows }] of this.#lists) {
      if (this.#cached <= MAX_CACHED_POSTINGS || oldest === unit) break;
      this.#lists.delete(oldest);
      this.#askedFor.delete(oldest);
      this.#cached -= rows.length;
    }
  }
}

/** Undefined where the tables of FTS5 are not as expected: it then says itself what is wrong, or answers. */
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

/** FTS5's better is lower. */
function positive(scores: readonly number[]): Float64Array {
  const flipped = new Float64Array(scores.length);
  for (let i = 0; i < scores.length; i++) flipped[i] = -(scores[i] as number);
  return flipped;
}

const SCHEMA = valuesOf<string>("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'");
const TOKENIZER = /\btokenize\s*=\s*("(?:[^"]|"")*"|'(?:[^']|'')*')/;
/** The tokenizer of the index, which stems Latin letters alone. */
const PORTER = `"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"`;
const NUMBER = /^[0-9]{1,64}$/;
const ADD_WORDS = 'INSERT INTO temp.query_words(rowid, word) SELECT key, value FROM json_each(@words)';
const TERMS = tuplesOf<readonly [at: number, term: string]>('SELECT doc, term FROM temp.query_terms');
const MAX_KEPT = 2000;

/** Which term of the index a word is: its stem, as the tokenizer of the index makes it. A table in memory is asked, which lives with the connection. */
class IndexTerms {
  readonly #statements: Statements;
  readonly #known = new LRU<string | null>(MAX_KEPT);
  #isReady = false;
  #named: string | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The term of a word; null when the tokenizer makes several of it, or none. */
  termOf(word: string): string | null {
    if (this.#isOwnTerm(word)) return word;
    const term = this.#known.get(word);
    if (term !== undefined) return term;
    this.learn([word]);
    return this.#known.get(word) ?? null;
  }

  /** Finds out the terms of all words at once, as far as they are not known. */
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

  /** Numbers have no stems: to ask for the term of one takes a twentieth of a search. */
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
