import type { Database as Connection, Statement } from 'better-sqlite3';

/** Values for the parameters of a statement, by their names. */
type Values = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** A SELECT whose rows are read by the names of their columns; its parameters are written `@name`. */
export interface RowQuery<Row> {
  readonly sql: string;
  /** For the compiler alone. */
  readonly row?: Row;
}

/** A SELECT of one column. */
interface ValueQuery<Value> {
  readonly sql: string;
  /** For the compiler alone. */
  readonly value?: Value;
}

/** A SELECT whose columns are read by their places: for the one query where objects take a tenth of a search. */
export interface TupleQuery<Tuple extends readonly unknown[]> {
  readonly sql: string;
  /** For the compiler alone. */
  readonly tuple?: Tuple;
}

/** Says of a SELECT what a row of it is. */
export function rowsOf<Row>(sql: string): RowQuery<Row> {
  return { sql };
}

/** Says of a SELECT what its columns are, in order. */
export function tuplesOf<Tuple extends readonly unknown[]>(sql: string): TupleQuery<Tuple> {
  return { sql };
}

/** Says of a SELECT of one column what a value of it is. */
export function valuesOf<Value>(sql: string): ValueQuery<Value> {
  return { sql };
}

/**
 * Runs SQL that is written by hand, each text prepared once for one connection: for what a search loads. Kysely, bundled,
 * takes 8 ms of CPU to load, a ninth of an empty Node process, of which a cold search may cost two. Everything else uses
 * `prepared` of `built-statement.ts`.
 */
export class Statements {
  readonly #db: Connection;
  readonly #rows = new Map<string, NamedStatement>();
  readonly #changes = new Map<string, Statement>();
  readonly #values = new Map<string, Statement>();
  readonly #tuples = new Map<string, Statement>();
  readonly #exact = new Map<string, Statement>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Every row of a query. */
  all<Row>({ sql }: RowQuery<Row>, given: Values = {}): readonly Row[] {
    const { statement, names } = this.#ofRows(sql);
    return (statement.all(given) as readonly (readonly unknown[])[]).map((columns) => named<Row>(columns, names));
  }

  /** Every row of a query whose columns are read by their places. */
  tuples<Tuple extends readonly unknown[]>({ sql }: TupleQuery<Tuple>, given: Values = {}): readonly Tuple[] {
    return this.#prepared(this.#tuples, sql, (statement) => statement.raw()).all(given) as unknown as readonly Tuple[];
  }

  /** The same one by one, for what would fill memory, and with whole numbers as `bigint`; nothing else may be asked before the last. */
  eachTuple<Tuple extends readonly unknown[]>({ sql }: TupleQuery<Tuple>, given: Values = {}): Iterable<Tuple> {
    const statement = this.#prepared(this.#exact, sql, (made) => made.raw().safeIntegers());
    return statement.iterate(given) as unknown as Iterable<Tuple>;
  }

  /** The first row of a query. */
  first<Row>({ sql }: RowQuery<Row>, given: Values = {}): Row | undefined {
    const { statement, names } = this.#ofRows(sql);
    const columns = statement.get(given) as readonly unknown[] | undefined;
    return columns === undefined ? undefined : named<Row>(columns, names);
  }

  /** Every value of a query of one column. */
  values<Value>({ sql }: ValueQuery<Value>, given: Values = {}): readonly Value[] {
    return this.#ofValues(sql).all(given) as readonly Value[];
  }

  /** The first value of a query of one column. */
  value<Value>({ sql }: ValueQuery<Value>, given: Values = {}): Value | undefined {
    return this.#ofValues(sql).get(given) as Value | undefined;
  }

  /** Performs a change. */
  run(sql: string, given: Values = {}): void {
    this.#prepared(this.#changes, sql, (statement) => statement).run(given);
  }

  #ofRows(sql: string): NamedStatement {
    let named = this.#rows.get(sql);
    if (named === undefined) {
      const statement = this.#db.prepare(sql).raw();
      named = { statement, names: statement.columns().map(({ name }) => name) };
      this.#rows.set(sql, named);
    }
    return named;
  }

  #ofValues(sql: string): Statement {
    return this.#prepared(this.#values, sql, (statement) => statement.pluck());
  }

  #prepared(known: Map<string, Statement>, sql: string, adapt: (statement: Statement) => Statement): Statement {
    let statement = known.get(sql);
    if (statement === undefined) {
      statement = adapt(this.#db.prepare(sql));
      known.set(sql, statement);
    }
    return statement;
  }
}

/** A statement that gives its columns by their places, and what they are called. */
interface NamedStatement {
  readonly statement: Statement;
  readonly names: readonly string[];
}

/** A row by the names of its columns: made here it takes half of the time that the binding takes, 60 µs for ten documents. */
function named<Row>(columns: readonly unknown[], names: readonly string[]): Row {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) row[names[i] as string] = columns[i];
  return row as Row;
}

/** Queries at once, and promises what comes of it: SQLite has no other way, but those who ask need not know. */
export function now<T>(query: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(query());
  });
}
