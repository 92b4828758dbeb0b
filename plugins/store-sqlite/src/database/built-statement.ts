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

/** Builds and types queries but does not execute them: Kysely's drivers are asynchronous, and our transactions are synchronous. */
export const build = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** A placeholder in a query for the value of this name, which is passed when the statement runs. */
export interface Given<Values> {
  <Name extends keyof Values & string>(name: Name): Values[Name];
}

/**
 * Builds and compiles a query once, on first use: a writer has dozens, of which a run needs a few. It runs with named values, on a shared
 * connection. The row type follows from the query. Values may be passed in two objects, because merging two objects for each row costs more
 * than writing the row.
 */
export function prepared<Values extends object, Row, More extends object = object>(
  db: Connection,
  make: (given: Given<Values>, more: Given<More>) => { compile(builder: typeof build): CompiledQuery<Row> },
): BuiltStatement<Values, Row, More> {
  return new BuiltStatement(db, () => make(standIn, standInOfMore).compile(build));
}

const made = new WeakMap<Connection, Map<object, unknown>>();

/** Prepares statements once per connection: preparing all those of a writer takes longer than writing one saved file. */
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

/** The compiled form of a statement, created on its first run. */
interface Compiled {
  readonly statement: Statement;
  /** The bound parameters in order; the given values are filled in before each run. */
  readonly bound: unknown[];
  readonly places: readonly Place[];
  readonly morePlaces: readonly Place[];
}

/** A statement created by {@link prepared}. */
export class BuiltStatement<Values extends object, Row, More extends object = object> {
  readonly #db: Connection;
  readonly #make: () => CompiledQuery<Row>;
  #compiled: Compiled | undefined;

  constructor(db: Connection, make: () => CompiledQuery<Row>) {
    this.#db = db;
    this.#make = make;
  }

  /** Executes a change. */
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

/** Binds by position, as Kysely compiles: binding by name in SQLite would cost an ingest 0.4 µs more per row. */
function bind(bound: unknown[], places: readonly Place[], values: object): void {
  for (const { at, name } of places) bound[at] = values[name as keyof typeof values];
}

/** A row to insert into a table. */
export type NewRow<T extends keyof Database> = Insertable<Database[T]>;

/** The values of an INSERT: each column gets the value of the same name. */
export function columnsOf<Values, Column extends keyof Values & string>(
  given: Given<Values>,
  columns: readonly Column[],
): Pick<Values, Column> {
  return Object.fromEntries(columns.map((column) => [column, given(column)])) as Pick<Values, Column>;
}

/** The values of a list passed as JSON: one parameter, whatever its length. */
export function inList<Value = string>(json: string): RawBuilder<Value> {
  return sql<Value>`(SELECT value FROM json_each(${json}))`;
}

/** Increments the corpus revision. */
export function growRevision(db: Connection): BuiltStatement<object, unknown> {
  return prepared(db, () =>
    build
      .updateTable('kv')
      .set({ value: sql<string>`CAST(CAST(value AS INTEGER) + 1 AS TEXT)` })
      .where('key', '=', 'corpus_revision'),
  );
}
