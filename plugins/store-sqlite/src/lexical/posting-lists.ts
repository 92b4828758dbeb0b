import { statement } from '@kebab/sqlite-kit';
import type { Database as Connection, Statement } from 'better-sqlite3';
import { build, factStatements } from '../database/tables.ts';
import type { NameExpressions } from './match-expressions.ts';
import type { RowSet } from './scoreboard.ts';

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
  /** The number of rows that match a unit. */
  frequency(unit: string): number;
  postings(unit: string): Postings;
  /** The postings of a unit in these rows; a tenth of the cost of all postings if the rows are few. */
  postingsAmong(unit: string, rows: readonly number[]): Postings;
  /** Whether all postings of a unit are cached. */
  isCached(unit: string): boolean;
}

/** The relative weights of the columns text, heading, symbol and cjk. */
const COLUMN_WEIGHTS = [1, 1.2, 2, 1];
const SCORE = `bm25(chunks_fts, ${COLUMN_WEIGHTS.map((weight) => weight.toFixed(1)).join(', ')})`;
const MATCH = 'FROM chunks_fts WHERE chunks_fts MATCH @unit';

/**
 * Postings of the full-text index, cached until the corpus changes. BM25 is a sum over units, and the contribution of a unit to a row does
 * not depend on the query, so it can be reused. {@link PostingLists.refresh} must be called at the beginning of each read transaction.
 */
export class PostingLists implements PostingSource {
  readonly #db: Connection;
  /** Prepared on first use, since preparing them reports a missing index. */
  #prepared: ReturnType<typeof fts5Statements> | undefined;
  readonly #corpus: ReturnType<typeof corpusStatements>;
  readonly #reads: IndexReads;
  #revision: string | undefined;
  #rowCount = 0;
  #maxRow = 0;

  constructor(db: Connection, reads: IndexReads) {
    this.#db = db;
    this.#reads = reads;
    this.#corpus = corpusStatements(db);
  }

  get #fts5(): ReturnType<typeof fts5Statements> {
    return (this.#prepared ??= fts5Statements(this.#db));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get maxRow(): number {
    return this.#maxRow;
  }

  /** Empties the cache if the corpus has changed. `isWriting`: whether this connection has uncommitted changes. */
  refresh(isWriting = false): void {
    const revision = this.#corpus.fact.first({ key: 'corpus_revision' })?.value;
    if (revision !== undefined && revision === this.#revision && !isWriting) return;
    this.#revision = isWriting ? undefined : revision;
    this.#reads.clear();
    this.#rowCount = Number(this.#corpus.fact.first({ key: 'full_text_rows' })?.value ?? 0);
    this.#maxRow = this.#corpus.lastRow.first({})?.seq ?? 0;
  }

  frequency(unit: string): number {
    const known = this.#reads.get('frequency', unit);
    if (known !== undefined) return known;
    // To count a phrase takes as long as to read its few rows, because the rows of its words are compared.
    if (PHRASE.test(unit)) return this.postings(unit).rows.length;
    const frequency = this.#fts5.count.get({ unit }) as number;
    this.#reads.set('frequency', unit, frequency);
    return frequency;
  }

  isCached(unit: string): boolean {
    return this.#reads.has('postings', unit);
  }

  postings(unit: string): Postings {
    const known = this.#reads.get('postings', unit);
    if (known !== undefined) return known;
    const list = this.#readPostings(unit);
    this.#reads.set('frequency', unit, list.rows.length);
    this.#reads.set('postings', unit, list);
    return list;
  }

  #readPostings(unit: string): Postings {
    if (PHRASE.test(unit))
      return postingsOf(this.#fts5.pairs.all({ unit }) as readonly (readonly [row: number, score: number])[]);
    // Two statements of one column take two thirds of the time of one that returns pairs.
    return { rows: this.rows(unit), scores: positive(this.#fts5.scores.all({ unit }) as readonly number[]) };
  }

  /** The rows that match an FTS5 expression, ascending. */
  rows(expression: string): Int32Array {
    return (
      this.#reads.get('postings', expression)?.rows ??
      Int32Array.from(this.#fts5.rows.all({ unit: expression }) as readonly number[])
    );
  }

  /**
   * The rows that may have a name: those with its words if they are at most `textLimit`, else those that also have its rarest word in the
   * columns `heading` and `symbol`, at most `limit`, the shortest names first, and of the rows with its words those of documents with
   * aliases; of more than `siftedLimit` rows only files, documents and symbols that are called so. A phrase with its function words is read
   * only for names whose words are all frequent.
   */
  namedRows(
    { whole, words, isCjk, file, ending }: NameExpressions,
    { limit, textLimit, siftedLimit }: Readonly<Record<'limit' | 'textLimit' | 'siftedLimit', number>>,
  ): readonly number[] {
    if (words.some((word) => this.frequency(word) === 0)) return [];
    const all = words.join(' AND ');
    const count = this.frequency(all);
    if (count <= textLimit) return [...this.rows(all)];
    const aliased = count <= siftedLimit ? this.#aliasedAmong(this.rows(all)) : [];
    if (words.length > 1) {
      const [rarest] = words.toSorted((a, b) => this.frequency(a) - this.frequency(b));
      const inNames = isCjk ? all : `{heading symbol} : ${rarest} AND ${all}`;
      if (this.frequency(inNames) <= limit) return [...aliased, ...this.rows(inNames)];
    }
    const unit = `{heading symbol} : (${whole})`;
    const named =
      this.frequency(unit) > siftedLimit ? null : (this.#fts5.named.all({ unit, limit }) as readonly number[]);
    if (named !== null && named.length < limit) return [...aliased, ...named];
    // A project's name is in the path or the symbol of everything in it: what is itself called so is looked for apart.
    const files = this.#fts5.files.all({ file, limit }) as readonly number[];
    const symbols = this.#fts5.symbols.all({ unit: `symbol : (${whole})`, ending, limit }) as readonly number[];
    return [...new Set([...aliased, ...files, ...symbols, ...(named ?? [])])];
  }

  /** The first chunks of documents with aliases, whose text holds them, among some rows. */
  #aliasedAmong(rows: Int32Array): readonly number[] {
    return this.#fts5.aliased.all({ rows: JSON.stringify([...rows]) }) as readonly number[];
  }

  postingsAmong(unit: string, among: readonly number[]): Postings {
    const pairs = this.#fts5.among.all({ unit, rows: JSON.stringify(among) }) as readonly (readonly [
      row: number,
      score: number,
    ])[];
    return postingsOf(pairs);
  }
}

/** Several tokens in a row, as an expression. */
const PHRASE = /^"[^"]* [^"]*"$/;

function postingsOf(pairs: readonly (readonly [row: number, score: number])[]): Postings {
  return { rows: Int32Array.from(pairs, ([row]) => row), scores: positive(pairs.map(([, score]) => score)) };
}

/** The queries of the full-text index. */
function fts5Statements(
  db: Connection,
): Readonly<
  Record<'count' | 'rows' | 'scores' | 'among' | 'pairs' | 'named' | 'symbols' | 'files' | 'aliased', Statement>
> {
  return {
    count: db.prepare(`SELECT count(*) ${MATCH}`).pluck(),
    rows: db.prepare(`SELECT rowid ${MATCH}`).pluck(),
    scores: db.prepare(`SELECT ${SCORE} ${MATCH}`).pluck(),
    pairs: db.prepare(`SELECT rowid, ${SCORE} ${MATCH}`).raw(),
    named: db.prepare(`SELECT rowid ${MATCH} ORDER BY bm25(chunks_fts, 0.0, 1.0, 1.0, 0.0) LIMIT @limit`).pluck(),
    symbols: db
      .prepare(
        `SELECT seq FROM chunks_fts JOIN chunks ON seq = chunks_fts.rowid WHERE chunks_fts MATCH @unit
           AND ' ' || index_symbol || ' ' LIKE '%' || @ending || ' %' ORDER BY length(index_symbol) LIMIT @limit`,
      )
      .pluck(),
    files: db
      .prepare(
        `SELECT first_chunk FROM documents WHERE chunk_count > 0
           AND (lower(title) = @file OR instr('/' || lower(workspace_path) || '.', '/' || @file || '.') > 0) LIMIT @limit`,
      )
      .pluck(),
    aliased: db
      .prepare(
        `SELECT c.seq FROM chunks AS c JOIN documents AS d ON d.seq = c.doc_seq
           WHERE c.seq IN (SELECT value FROM json_each(@rows)) AND c.ordinal = 0 AND d.metadata_json LIKE '%"aliases":[%'`,
      )
      .pluck(),
    // The unary plus prevents SQLite from passing the rows to FTS5, which would seek each of them from the start.
    among: db.prepare(`SELECT rowid, ${SCORE} ${MATCH} AND +rowid IN (SELECT value FROM json_each(@rows))`).raw(),
  };
}

function corpusStatements(db: Connection) {
  return {
    ...factStatements(db),
    lastRow: statement(db, () => build.selectFrom('chunks').select(({ fn }) => fn.max<number | null>('seq').as('seq'))),
  };
}

/** Negates the scores of FTS5, for which lower is better. In a loop: `Float64Array.from` with a callback takes several times as long. */
function positive(scores: readonly number[]): Float64Array {
  const flipped = new Float64Array(scores.length);
  for (let i = 0; i < scores.length; i++) flipped[i] = -(scores[i] as number);
  return flipped;
}

/** What is read of the index, by kind. */
interface Reads {
  /** The number of rows that match a unit of a query. */
  readonly frequency: number;
  /** The rows that match a unit, with their scores. */
  readonly postings: Postings;
  /** The rows that pass filters. */
  readonly filtered: RowSet;
}

/** In bytes: a search reads the same units and filters several times, and common words are those of most searches. */
const MAX_BYTES = 48_000_000;
/** An entry with its key. */
const ENTRY_BYTES = 100;
const POSTING_BYTES = 12;

/**
 * The cache of what was read of one state of the index, without what was not used for the longest time: to drop all at once would make
 * every long question read its lists again.
 */
export class IndexReads {
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly value: Reads[keyof Reads]; readonly bytes: number }>();
  #bytes = 0;

  has(kind: keyof Reads, key: string): boolean {
    return this.#entries.has(`${kind} ${key}`);
  }

  get<Kind extends keyof Reads>(kind: Kind, key: string): Reads[Kind] | undefined {
    const name = `${kind} ${key}`;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value as Reads[Kind];
  }

  set<Kind extends keyof Reads>(kind: Kind, key: string, value: Reads[Kind]): void {
    const name = `${kind} ${key}`;
    this.#drop(name);
    const bytes = ENTRY_BYTES + bytesOf(value);
    this.#entries.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES || oldest === name) break;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #drop(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}

function bytesOf(value: Reads[keyof Reads]): number {
  if (typeof value === 'number') return 0;
  return 'bits' in value ? value.bits.length : value.rows.length * POSTING_BYTES;
}
