import type { Database as Connection, RunResult, Statement } from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type CompiledQuery,
  type Insertable,
  type RawBuilder,
} from 'kysely';
import type { Database } from './tables.ts';

/** Builds and types queries. It executes none: Kysely's own drivers answer later, which a transaction of plain values cannot. */
export const build = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Stands in a query for the value of this name with which the statement is run. */
export interface Given<Values> {
  <Name extends keyof Values & string>(name: Name): Values[Name];
}

/**
 * Has a query built and compiled once, when it is first run: a writer has dozens, of which a run needs a few. It then runs with values by their names, on a connection that others use too. What
 * a row of it is follows from the query. Values may come in two objects: putting two together for each row costs more
 * than writing the row.
 */
export function prepared<Values extends object, Row, More extends object = object>(
  db: Connection,
  make: (given: Given<Values>, more: Given<More>) => { compile(): CompiledQuery<Row> },
): BuiltStatement<Values, Row, More> {
  return new BuiltStatement(db, () => make(standIn, standInOfMore).compile());
}

const made = new WeakMap<Connection, Map<object, unknown>>();

/** Has statements prepared once for a connection: all those of a writer take longer than writing a file that was saved. */
export function preparedOnce<Made>(db: Connection, make: (db: Connection) => Made): Made {
  const known = made.get(db) ?? new Map<object, unknown>();
  made.set(db, known);
  if (!known.has(make)) known.set(make, make(db));
  return known.get(make) as Made;
}

function standIn(name: string): never {
  return new Parameter(name, false) as never;
}

function standInOfMore(name: string): never {
  return new Parameter(name, true) as never;
}

class Parameter {
  readonly name: string;
  readonly isMore: boolean;

  constructor(name: string, isMore: boolean) {
    this.name = name;
    this.isMore = isMore;
  }
}

interface Place {
  readonly at: number;
  readonly name: string;
}

/** What a statement is run with, from when it is first run. */
interface Compiled {
  readonly statement: Statement;
  /** What is bound, in order; the values that are given take their places before each run. */
  readonly bound: unknown[];
  readonly places: readonly Place[];
  readonly morePlaces: readonly Place[];
}

/** A statement that {@link prepared} made. */
export class BuiltStatement<Values extends object, Row, More extends object = object> {
  readonly #db: Connection;
  readonly #make: () => CompiledQuery<Row>;
  #compiled: Compiled | undefined;

  constructor(db: Connection, make: () => CompiledQuery<Row>) {
    this.#db = db;
    this.#make = make;
  }

  /** Performs a change. */
  run(values: Values, ...more: object extends More ? [] : [More]): RunResult {
    const { statement, bound, places, morePlaces } = this.#ready();
    bind(bound, places, values);
    if (more[0] !== undefined) bind(bound, morePlaces, more[0]);
    return statement.run(...bound);
  }

  first(values: Values): Row | undefined {
    const { statement, bound, places } = this.#ready();
    bind(bound, places, values);
    return statement.get(...bound) as Row | undefined;
  }

  all(values: Values): readonly Row[] {
    const { statement, bound, places } = this.#ready();
    bind(bound, places, values);
    return statement.all(...bound) as readonly Row[];
  }

  #ready(): Compiled {
    return (this.#compiled ??= compiled(this.#db, this.#make()));
  }
}

function compiled(db: Connection, { sql: text, parameters }: CompiledQuery): Compiled {
  const places = (isMore: boolean): readonly Place[] =>
    parameters.flatMap((parameter, at) =>
      parameter instanceof Parameter && parameter.isMore === isMore ? [{ at, name: parameter.name }] : [],
    );
  return { statement: db.prepare(text), bound: [...parameters], places: places(false), morePlaces: places(true) };
}

/** By position, as Kysely compiles: binding by name inside SQLite would cost an ingest 0.4 µs more a row. */
function bind(bound: unknown[], places: readonly Place[], values: object): void {
  for (const { at, name } of places) bound[at] = values[name as keyof typeof values];
}

/** A row of a table as it is written. */
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;

/** The values of an INSERT: each column takes the value of its own name. */
export function columnsOf<Values, Column extends keyof Values & string>(
  given: Given<Values>,
  columns: readonly Column[],
): Pick<Values, Column> {
  return Object.fromEntries(columns.map((column) => [column, given(column)])) as Pick<Values, Column>;
}

/** The values of a list that is given as JSON: one parameter, whatever its length. */
export function inList(json: string): RawBuilder<string> {
  return sql<string>`(SELECT value FROM json_each(${json}))`;
}

/** Grows the corpus revision by one. */
export function growRevision(db: Connection): BuiltStatement<object, unknown> {
  return prepared(db, () =>
    build
      .updateTable('kv')
      .set({ value: sql<string>`CAST(CAST(value AS INTEGER) + 1 AS TEXT)` })
      .where('key', '=', 'corpus_revision'),
  );
}
