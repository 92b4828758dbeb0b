import type { Database as Connection, RunResult, Statement } from 'better-sqlite3';
import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  DummyDriver,
  QueryCreator,
  SqliteAdapter,
  SqliteQueryCompiler,
  expressionBuilder,
  sql,
  type AliasedExpression,
  type CompiledQuery,
  type Expression,
  type QueryExecutorProvider,
  type RawBuilder,
} from 'kysely';

/** Compiles queries, but does not execute them: Kysely's drivers are asynchronous, and our transactions are synchronous. */
const compiler = new DefaultQueryExecutor(
  new SqliteQueryCompiler(),
  new SqliteAdapter(),
  new DefaultConnectionProvider(new DummyDriver()),
);

/** Builds and types queries of a database with the given tables: of Kysely only what makes statements, because each process loads it. */
export function sqlBuilder<Tables>(): QueryCreator<Tables> & QueryExecutorProvider {
  const creator = new QueryCreator<Tables>({ executor: compiler });
  return Object.assign(creator, { getExecutor: () => compiler });
}

const build = sqlBuilder<object>();

/** A placeholder in a query for the value of this name, which is passed when the statement runs. */
export interface Placeholder<Values> {
  <Name extends keyof Values & string>(name: Name): RawBuilder<Exclude<Values[Name], undefined>>;
}

/** Builds the query of a statement; the types of values and rows follow from it. */
type Query<Values, Row> = (value: Placeholder<Values>) => {
  compile(builder: QueryExecutorProvider): CompiledQuery<Row>;
};

/** Declares a statement: it is compiled and prepared when it first runs, because a process needs a few of the dozens that it declares. */
export function statement<Values extends object, Row>(
  db: Connection,
  query: Query<Values, Row>,
): BuiltStatement<Values, Row> {
  return new BuiltStatement(db, query);
}

const declared = new WeakMap<Connection, Map<object, unknown>>();

/** The statements that `declare` makes for a connection, once for each connection. */
export function statementsOn<Declared>(db: Connection, declare: (db: Connection) => Declared): Declared {
  const known = declared.get(db) ?? new Map<object, unknown>();
  declared.set(db, known);
  if (!known.has(declare)) known.set(declare, declare(db));
  return known.get(declare) as Declared;
}

/** A row whose integers are read as `bigint`. */
type ExactRow<Row> = { readonly [Name in keyof Row]: Row[Name] extends number ? bigint : ExactOrNull<Row[Name]> };
type ExactOrNull<Value> = Value extends number ? bigint : Value;

/** A statement of SQLite, with the values that its query contains. */
interface Prepared<Row> {
  readonly statement: Statement<unknown[], Row>;
  readonly constants: readonly unknown[];
}

/** A statement of {@link statement}, which runs with values by name. */
export class BuiltStatement<Values extends object, Row> {
  readonly #db: Connection;
  readonly #query: Query<Values, Row>;
  #prepared: Prepared<Row> | undefined;

  constructor(db: Connection, query: Query<Values, Row>) {
    this.#db = db;
    this.#query = query;
  }

  /** Performs a change. */
  run(values: Values): RunResult {
    const { statement: prepared, constants } = (this.#prepared ??= this.#prepare());
    return prepared.run(...constants, values);
  }

  first(values: Values): Row | undefined {
    const { statement: prepared, constants } = (this.#prepared ??= this.#prepare());
    return prepared.get(...constants, values);
  }

  all(values: Values): readonly Row[] {
    const { statement: prepared, constants } = (this.#prepared ??= this.#prepare());
    return prepared.all(...constants, values);
  }

  /** The rows one by one, for large results, with integers as `bigint`; no other statement may run before the last row. */
  each(values: Values): Iterable<ExactRow<Row>> {
    const { statement: prepared, constants } = this.#prepare();
    return prepared.safeIntegers().iterate(...constants, values) as Iterable<unknown> as Iterable<ExactRow<Row>>;
  }

  #prepare(): Prepared<Row> {
    const { sql: text, parameters } = this.#query((name) => sql`${sql.raw(`@${name}`)}`).compile(build);
    return { statement: this.#db.prepare<unknown[], Row>(text), constants: parameters };
  }
}

/** The values of an INSERT: each column gets the value of the same name. */
export function columnsOf<Values, Column extends keyof Values & string>(
  value: Placeholder<Values>,
  columns: readonly Column[],
): { readonly [Name in Column]-?: RawBuilder<Exclude<Values[Name], undefined>> } {
  return Object.fromEntries(columns.map((column) => [column, value(column)])) as {
    readonly [Name in Column]-?: RawBuilder<Exclude<Values[Name], undefined>>;
  };
}

/** An item of a JSON list; `key` is its index. */
export interface Item<Value> {
  readonly key: number;
  readonly value: Value;
}

/** The items of a JSON list as rows: one parameter, whatever its length. */
export function itemsOf<Value = string, Alias extends string = 'j'>(
  json: Expression<string>,
  alias: Alias = 'j' as Alias,
): AliasedExpression<Item<Value>, Alias> {
  return expressionBuilder().fn<Item<Value>>('json_each', [json]).as(alias);
}

/** The items of a JSON list, for the right side of an `in`. */
export function inList<Value = string>(json: Expression<string>) {
  return build.selectFrom(itemsOf<Value>(json)).select('j.value');
}

/** Runs a query synchronously and returns its result as a promise: SQLite is synchronous, but callers should not depend on that. */
export function asPromise<T>(query: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(query());
  });
}
