import type { SearchFilters } from '@kebab/core';
import type { Statements } from '../database/statements.ts';
import { compileFilters } from '../filter-sql.ts';
import { RowSet } from './row-set.ts';

const MAX_KEPT = 8;

/** The rows that search filters let through, the last few sets kept until {@link FilteredRows.clear}. */
export class FilteredRows {
  readonly #statements: Statements;
  readonly #kept = new Map<string, RowSet>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Undefined when nothing is filtered. */
  admitted(filters: SearchFilters, maxRow: number): RowSet | undefined {
    const { sql, parameters } = compileFilters(filters);
    if (parameters.length === 0) return undefined;
    const key = JSON.stringify([sql, parameters]);
    let rows = this.#kept.get(key);
    if (rows === undefined) {
      const statement = this.#statements.firstColumnOf(
        `SELECT c.seq FROM documents d JOIN chunks c
         ON c.seq >= d.first_chunk AND c.seq < d.first_chunk + d.chunk_count WHERE ${sql}`,
      );
      rows = new RowSet(maxRow, statement.all(...parameters) as readonly number[]);
      this.#keep(key, rows);
    }
    return rows;
  }

  /** To be called when the corpus has changed. */
  clear(): void {
    this.#kept.clear();
  }

  #keep(key: string, rows: RowSet): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, rows);
  }
}
